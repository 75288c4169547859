/// \file
/// Serves an engine::Service over HTTP.
#pragma once

#include "inferwire/engine/service.hpp"
#include "inferwire/export.hpp"
#include "inferwire/result.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::server {

/// The address of an HttpServer, and its capacity.
struct HttpServerOptions {
  /// A name or an address of this machine, loopback by default: there is no TLS.
  std::string host{"127.0.0.1"};
  int port{0};  ///< 0: any free port
  /// The maximum number of threads. Each open connection occupies one; further connections wait, and
  /// meanwhile connections are closed after their answers. With cpp-httplib 0.11 a connection takes CPU time
  /// even while it is idle: its thread checks for a request every 11 ms.
  int threads{64};
  /// Names besides those of loopback, and `host`, to which a server on loopback answers, such as that of a
  /// reverse proxy ("models.example.org"). A request whose `Host` has another name gets 403: it may come from
  /// a page in a browser whose name was made to resolve to loopback (DNS rebinding). A server is on loopback
  /// if the address that `host` stands for is.
  std::vector<std::string> allowed_hosts{};
};

/// Serves until it is stopped or destroyed. Answers are sent as the service gives them, never compressed.
/// Streamed ones also have the header `X-Accel-Buffering: no`, unless the service sets it: nginx then passes
/// them on as they come. Safe from any thread.
///
/// cpp-httplib imposes limits. Pipelining is not supported: a request that is sent before the answer to the
/// previous one is lost. Nor is closing one direction: a client that shuts down its sending side before it
/// has the whole answer does not get the rest. A header line of more than 8192 bytes is refused with 400, and
/// such a request line with 414; a chunked body with trailers is refused with 400, by newer versions of
/// cpp-httplib also one with extensions. Neither the number of header lines nor the time that a client takes
/// to send them is limited by cpp-httplib 0.11: this is not a server for untrusted clients.
class INFERWIRE_API HttpServer {
 public:
  /// Binds and listens; requests are answered from then on. Errors: config (no service, no host, a port out
  /// of range, no threads, or none can be started), connection (the host is not an address of this machine,
  /// or the port is in use).
  static Result<HttpServer> start(std::shared_ptr<engine::Service> service, HttpServerOptions options = {});

  HttpServer(HttpServer&&) noexcept;
  HttpServer& operator=(HttpServer&&) noexcept;
  ~HttpServer();

  int port() const noexcept;
  /// "http://127.0.0.1:port"
  std::string base_url() const;
  /// Cuts off answers in progress, closes all connections, and returns when no thread of the server is
  /// running, even if another call stopped it. Has no effect on a stopped server. The service may call it as
  /// well, and then it returns at once, since its own thread is one of them: the destructor waits for them,
  /// and closes connections that were accepted in that moment. The service must not destroy the server.
  void stop();

 private:
  struct State;
  explicit HttpServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace inferwire::inline v0_1::server
