#include "http/curl_transport.hpp"
#include "http/loop/curl_multiplexer.hpp"

#include <cstdlib>
#include <utility>

namespace inferwire::inline v0_1 {

namespace {

class NetworkTransport final : public detail::CurlTransport {
 public:
  using CurlTransport::CurlTransport;

  std::unique_ptr<Multiplexer> multiplexer() override { return http::make_multiplexer(pool()); }
};

}  // namespace

std::shared_ptr<Transport> http::make_curl_transport(NetworkOptions options, std::shared_ptr<Log> wire,
                                                     std::string ca_file) {
  return std::make_shared<NetworkTransport>(std::move(options), std::move(wire), std::move(ca_file));
}

std::shared_ptr<Transport> network_transport(NetworkOptions options, std::shared_ptr<Log> wire) {
  if (wire && wire->level() > LogLevel::debug) wire.reset();
  const char* const file = std::getenv(http::ca_file_variable);
  return http::make_curl_transport(std::move(options), std::move(wire), file != nullptr ? file : "");
}

}  // namespace inferwire::inline v0_1
