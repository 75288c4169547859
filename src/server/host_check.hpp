/// \file
/// Which names a server on loopback answers to.
#pragma once

#include "server/connections.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::server {

/// Protects a server on loopback from pages in a browser whose name was made to resolve to loopback (DNS
/// rebinding): the browser counts the server as the page's own, but sends the page's name in `Host`.
class HostCheck {
 public:
  /// `host` as in HttpServerOptions, `listening_at` the address that it stands for. Everything is accepted if
  /// that is not loopback; if it is not known, `host` decides.
  HostCheck(const SocketAddress& listening_at, const std::string& host, std::vector<std::string> allowed);

  /// Whether a request with this `Host` ("localhost:8080") is answered. Empty: it has none, which no browser
  /// sends.
  bool accepts(std::string_view host) const;

 private:
  bool checks_;
  std::vector<std::string> allowed_;
};

}  // namespace inferwire::inline v0_1::server
