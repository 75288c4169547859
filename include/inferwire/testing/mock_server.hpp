/// \file
/// A scripted HTTP server for tests, with faults of every kind.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "inferwire/error.hpp"
#include "inferwire/network.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/testing/certificate.hpp"
#include "inferwire/testing/handler.hpp"
#include "inferwire/testing/reply.hpp"
#include "inferwire/timeouts.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::testing {

/// Options of a MockServer.
struct MockServerOptions {
  /// Speaks TLS (1.2 and above) and shows this certificate; absent: plain HTTP. Needs a build with OpenSSL.
  Optional<Certificate> certificate{};
  /// A certificate (PEM) that has to have signed those of the clients, with TLS. Empty: they need none.
  std::string client_issuer{};
  TlsVersion max_tls{TlsVersion::v1_3};  ///< the newest that it speaks
  /// The protocol that is chosen, with TLS, if a client offers it by ALPN, for example "h2"; Reply::raw then
  /// has to supply its frames. Empty: none, which means HTTP/1.1.
  std::string alpn{};
  /// The address where it listens, of the loopback: "127.0.0.1" or "::1".
  std::string address{"127.0.0.1"};
  /// Listens on a Unix socket at this path instead. Must not exist; it is removed in the end.
  std::string unix_socket{};
};

/// One thing that happened at a MockServer.
struct JournalEntry {
  enum class Kind : std::uint8_t {
    connected,         ///< a connection was accepted
    request,           ///< a request has arrived completely
    handler_threw,     ///< the handler threw instead of answering it; the connection is reset
    answered,          ///< the reply to the request before has been played to its end, faults and all
    closed,            ///< the server closed or reset the connection, as scripted
    closed_by_client,  ///< the client did
    /// The client rejected the certificate, or did not speak TLS. If it rejects only the name in it, it may
    /// do so after the handshake, which is then `closed_by_client`.
    handshake_failed,
  };
  Kind kind{};
  std::size_t connection{};  ///< its number: 0, 1, ... in the order in which they were accepted
  /// The place of the request in `MockServer::requests()`, for `request`, `handler_threw` and `answered`.
  std::size_t request{};
  TimePoint at{};
  bool resumed{};      ///< the connection of a `request` took up the TLS session of an earlier one
  std::string what{};  ///< what the exception of `handler_threw` says
};

/// Listens on a port that the system chooses and serves from one thread of its own until it is destroyed.
/// HTTP/1.1 with keep-alive, until either side says "Connection: close". Bodies of requests have a length or
/// come in chunks; a request that does not say where it ends, or has no method, gets status 400 and is not
/// noted. A client that has shut down sending gets what can be sent without waiting for a gate or for time,
/// and is then closed.
/// Also understands requests to a proxy: their URL is the one requested, for CONNECT "host:port". Delays and
/// silence last real time, whatever clock the client has. Safe from any thread.
///
///     testing::MockServer server;
///     server.push(testing::Reply::error(429).with("Retry-After", "1"));
///     server.push(testing::Reply::stream({"data: {\"choices\": []}\n\n"}).cut_after(10));
///     ... call server.url() ...
class INFERWIRE_API MockServer {
 public:
  explicit MockServer(MockServerOptions options = {});
  ~MockServer();
  MockServer(const MockServer&) = delete;
  MockServer& operator=(const MockServer&) = delete;

  /// Why there is no server: no socket, or no TLS. Absent if there is one; otherwise `url` is empty and
  /// nothing is ever received.
  const Optional<Error>& problem() const noexcept { return problem_; }

  /// "http://127.0.0.1:PORT"; "https://..." with a certificate, "http://localhost" on a Unix socket.
  std::string url() const;
  /// The URL with another name that leads here.
  std::string url(const std::string& host) const;
  std::uint16_t port() const noexcept;

  /// Appends a reply: requests are answered in the order in which they are complete.
  void push(Reply reply);
  /// How many of the replies that were pushed no request has taken.
  std::size_t remaining() const;
  /// Answers the requests for which no reply was pushed: `function(const HttpRequest&)` gives a Reply and
  /// runs on the server's thread. Without it they get status 500, which names the request and is not to be
  /// retried.
  template <class F>
  void set_handler(F function) {
    use_handler(Handler::of(std::move(function)));
  }
  /// What happens to the next connections, in the order of these calls: served (whole), closed (cut) or reset
  /// at once (with TLS, when the client's hello has come), or left without an answer (silence). All others
  /// are served.
  void push_connection(Ending fate);

  /// The requests so far, with absolute URLs. Headers named like credentials (Authorization, and names that
  /// end in "key", "token", "secret" or the like) read "***" unless `keep_secrets` was called before. A
  /// credential in a header of any other name is shown.
  std::vector<HttpRequest> requests() const;
  /// From now on requests() shows all headers as they came.
  void keep_secrets();
  /// Everything that happened so far, in order.
  std::vector<JournalEntry> journal() const;

  /// How many connections were accepted, how many of those the client has closed, and how many are open.
  std::size_t connections() const;
  std::size_t closed_by_client() const;
  std::size_t open_connections() const;

  /// Waits until this many requests were received in all; false if that takes longer than `limit`.
  bool wait_for_requests(std::size_t count, std::chrono::milliseconds limit = std::chrono::seconds(10)) const;
  /// Waits until the client has closed this many connections in all; false if that takes longer than `limit`.
  bool wait_for_close(std::size_t count, std::chrono::milliseconds limit = std::chrono::seconds(10)) const;
  /// Waits until no connection is open; false when that takes longer than `limit`.
  bool wait_until_all_closed(std::chrono::milliseconds limit = std::chrono::seconds(10)) const;

 private:
  class Loop;
  void use_handler(std::shared_ptr<Handler> handler);

  std::unique_ptr<Loop> loop_;
  Optional<Error> problem_;
};

}  // namespace inferwire::inline v0_1::testing
