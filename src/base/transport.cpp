#include "inferwire/transport.hpp"

#include <utility>

namespace inferwire::inline v0_1 {

RequestBody::RequestBody(std::string text) {
  if (!text.empty()) text_ = std::make_shared<const std::string>(std::move(text));
}

const std::string& RequestBody::text() const noexcept {
  static const std::string& nothing = *new std::string;  // as long as any thread runs
  return text_ ? *text_ : nothing;
}

Sink::~Sink() = default;
Exchange::~Exchange() = default;
Transport::~Transport() = default;

std::unique_ptr<Multiplexer> Transport::multiplexer() { return nullptr; }
std::unique_ptr<Transport> Multiplexer::adopt(Transport&) { return nullptr; }

}  // namespace inferwire::inline v0_1
