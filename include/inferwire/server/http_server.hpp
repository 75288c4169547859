/// \file
/// A Service on an HTTP port.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "inferwire/engine/service.hpp"
#include "inferwire/export.hpp"
#include "inferwire/result.hpp"

namespace inferwire::inline v0_1::server {

/// The address of an HttpServer, and how much it handles.
struct HttpServerOptions {
  std::string host{"127.0.0.1"};  ///< loopback by default: there is no TLS here
  int port{0};                    ///< 0: any free port
  int threads{64};                ///< at most; each open connection occupies one, further ones wait, and
                                  ///< meanwhile connections are closed behind their answers
};

/// Serves until it is stopped or destroyed. Answers leave as the service gives them, never compressed.
/// cpp-httplib sets limits: a client has to wait for an answer before it sends its next request, which is
/// else lost; a head with a line beyond 8192 bytes is refused with 400, or 414 if that is its first, and so
/// is a body in chunks that has trailers, by newer versions one with extensions, too. Safe from any thread.
class INFERWIRE_API HttpServer {
 public:
  /// Binds and listens; requests are answered from here on. Errors: config (no service, a port out of range,
  /// no threads), connection (the host is not one of this machine's, or the port is taken).
  static Result<HttpServer> start(std::shared_ptr<engine::Service> service, HttpServerOptions options = {});

  HttpServer(HttpServer&&) noexcept;
  HttpServer& operator=(HttpServer&&) noexcept;
  ~HttpServer();

  int port() const noexcept;
  /// "http://127.0.0.1:port"
  std::string base_url() const;
  /// Breaks off answers under way, closes all connections, and returns when no thread of the server is
  /// running, whichever call stopped it. Does nothing the second time.
  void stop();

 private:
  struct State;
  explicit HttpServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace inferwire::inline v0_1::server
