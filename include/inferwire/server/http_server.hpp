/// \file
/// A Service behind an HTTP port.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "inferwire/engine/service.hpp"
#include "inferwire/export.hpp"
#include "inferwire/result.hpp"

namespace inferwire::inline v0_1::server {

struct HttpServerOptions {
  std::string host{"127.0.0.1"};  ///< loopback only unless told otherwise: there is no TLS here
  int port{0};                    ///< 0: any free port
  int threads{64};                ///< each request under way occupies one
  std::uint64_t max_request_bytes{64u << 20};
};

/// Serves until it is stopped or destroyed. Safe from any thread.
class INFERWIRE_API HttpServer {
 public:
  /// Binds and listens; requests are answered from here on. Errors: connection (the port is taken), config.
  static Result<HttpServer> start(std::shared_ptr<engine::Service> service, HttpServerOptions options = {});

  HttpServer(HttpServer&&) noexcept;
  HttpServer& operator=(HttpServer&&) noexcept;
  ~HttpServer();

  int port() const noexcept;
  /// "http://127.0.0.1:port"
  std::string base_url() const;
  /// Ends answers under way and returns when no thread of the server runs any more.
  void stop();

 private:
  struct State;
  explicit HttpServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace inferwire::inline v0_1::server
