#include "inferwire/transport.hpp"

#include "base/immortal.hpp"

#include <utility>

namespace inferwire::inline v0_1 {

RequestBody::RequestBody(std::string text) {
  if (!text.empty()) text_ = std::make_shared<const std::string>(std::move(text));
}

const std::string& RequestBody::text() const noexcept {
  static const Immortal<std::string> nothing;
  return text_ ? *text_ : nothing.value;
}

Sink::~Sink() = default;
Exchange::~Exchange() = default;
Transport::~Transport() = default;

std::unique_ptr<Multiplexer> Transport::multiplexer() { return nullptr; }
const detail::CurlTransport* Transport::as_curl_transport() const noexcept { return nullptr; }
bool Transport::is_remote() const noexcept { return false; }
std::unique_ptr<Transport> Multiplexer::adopt(Transport&) { return nullptr; }

}  // namespace inferwire::inline v0_1
