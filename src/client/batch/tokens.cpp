#include "client/batch/tokens.hpp"

#include "json/codec.hpp"
#include "wire/documents.hpp"

namespace inferwire::inline v0_1::client {

std::int64_t tokens_of(const RawResponse& answer) {
  const auto body = Json::parse(answer.body);
  const auto usage = body ? body->find("/usage") : std::nullopt;
  if (!usage) return 0;
  const auto counts = json::decode<Usage>(usage->text());
  return counts ? counts->total().value_or(0) : 0;
}

}  // namespace inferwire::inline v0_1::client
