/// \file
/// A scripted HTTP server for tests, which can inject faults.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/network.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/testing/certificate.hpp"
#include "inferwire/testing/handler.hpp"
#include "inferwire/testing/reply.hpp"
#include "inferwire/timeouts.hpp"
#include "inferwire/transport.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::testing {

/// Options of a MockServer.
struct MockServerOptions {
  /// Serves TLS (1.2 and above) with this certificate; absent: plain HTTP. Needs a build with OpenSSL.
  Optional<Certificate> certificate{};
  /// The certificate (PEM) that must have signed the clients' certificates, with TLS. Empty: clients need
  /// none.
  std::string client_issuer{};
  TlsVersion max_tls{TlsVersion::v1_3};  ///< the newest version that is accepted
  /// The protocol to choose, with TLS, if a client offers it by ALPN, for example "h2"; Reply::raw then has
  /// to supply its frames. Empty: none, which means HTTP/1.1.
  std::string alpn{};
  /// The loopback address on which to listen: "127.0.0.1" or "::1".
  std::string address{"127.0.0.1"};
  /// Listens on a Unix socket at this path instead. The path must not exist; it is removed at the end.
  std::string unix_socket{};
};

/// An event at a MockServer.
struct JournalEntry {
  enum class Kind : std::uint8_t {
    connected,         ///< a connection was accepted
    request,           ///< a complete request was received
    handler_threw,     ///< the handler threw instead of answering it; the reply has status 500
    answered,          ///< the reply to the preceding request was sent to its end, including its faults
    closed,            ///< the server closed or reset the connection, as scripted
    closed_by_client,  ///< the client closed the connection
    /// The client rejected the certificate, or did not speak TLS. A client that rejects only the name in the
    /// certificate may do so after the handshake; then the event is `closed_by_client`.
    handshake_failed,
  };
  Kind kind{};
  std::size_t connection{};  ///< the number of the connection: 0, 1, ... in the order of acceptance
  /// The index of the request in `MockServer::requests()`, for `request`, `handler_threw` and `answered`.
  std::size_t request{};
  TimePoint at{};
  bool resumed{};      ///< for `request`: the connection resumed an earlier TLS session
  std::string what{};  ///< for `handler_threw`: the message of the exception
};

/// Listens on a port that the system chooses, and serves from a thread of its own until it is destroyed. Safe
/// from any thread.
///
/// It serves HTTP/1.1 with keep-alive, until either side sends "Connection: close". Bodies of requests have a
/// length or are chunked; a request whose end is not determined, or that has no method, gets status 400 and
/// is not recorded. If a client has shut down its sending side, it gets what can be sent without waiting for
/// a gate or a delay, and the connection is closed. Proxy requests are understood too: their URL is the
/// requested one, for CONNECT "host:port". Delays and silence last real time, whatever clock the client has.
///
///     testing::MockServer server;
///     server.push(testing::Reply::error(429).with("Retry-After", "1"));
///     server.push(testing::Reply::json(R"({"choices": [{"message": {"content": "Hi"}}]})").cut_after(10));
///     ... call server.url() ...
class INFERWIRE_API MockServer {
 public:
  explicit MockServer(MockServerOptions options = {});
  ~MockServer();
  MockServer(const MockServer&) = delete;
  MockServer& operator=(const MockServer&) = delete;

  /// Why the server is not running: no socket, or no TLS. Absent if it is running; otherwise `url` is empty
  /// and nothing is ever received.
  const Optional<Error>& problem() const noexcept { return problem_; }

  /// "http://127.0.0.1:PORT"; "https://..." with a certificate, "http://localhost" on a Unix socket.
  std::string url() const;
  /// The URL with another host name, which has to resolve to this server.
  std::string url(const std::string& host) const;
  std::uint16_t port() const noexcept;

  /// Appends a reply. Requests take replies in the order in which they are complete.
  void push(Reply reply);
  /// How many pushed replies are not used yet.
  std::size_t remaining() const;
  /// Answers the requests for which there is no pushed reply: `function(const HttpRequest&)` returns a Reply
  /// and runs on the server's thread. Without it they get status 500, with a message that names the request
  /// and a header that prevents retries; if it throws, with the message of the exception.
  template <class F>
  void set_handler(F function) {
    use_handler(Handler::of(std::move(function)));
  }
  /// Decides what happens to the next connection without a decision, in the order of these calls: it is
  /// served (whole), closed (cut) or reset at once (with TLS, after the client's hello), or never answered
  /// (silence). All other connections are served.
  void push_connection(Ending fate);

  /// The requests so far, with absolute URLs. The values of headers named like credentials (Authorization,
  /// and names that end in "key", "token", "secret" or similar) read "***" unless `keep_secrets` was called
  /// before. A credential in a header of any other name is shown.
  std::vector<HttpRequest> requests() const;
  /// Makes `requests` show the values of all headers from now on.
  void keep_secrets();
  /// All events so far, in order.
  std::vector<JournalEntry> journal() const;

  /// How many connections were accepted, how many of them the client has closed, and how many are open.
  std::size_t connections() const;
  std::size_t closed_by_client() const;
  std::size_t open_connections() const;

  /// Waits until this many requests were received in all; false if that takes longer than `limit`.
  bool wait_for_requests(std::size_t count, std::chrono::milliseconds limit = std::chrono::seconds(10)) const;
  /// Waits until the client has closed this many connections in all; false if that takes longer than `limit`.
  bool wait_for_close(std::size_t count, std::chrono::milliseconds limit = std::chrono::seconds(10)) const;
  /// Waits until no connection is open; false if that takes longer than `limit`.
  bool wait_until_all_closed(std::chrono::milliseconds limit = std::chrono::seconds(10)) const;

 private:
  class Loop;
  struct State;
  void use_handler(std::shared_ptr<Handler> handler);

  std::unique_ptr<State> state_;
  Optional<Error> problem_;
};

}  // namespace inferwire::inline v0_1::testing
