#include "engine/handlers/token_logprob.hpp"

#include "engine/json_text.hpp"
#include "engine/utf8.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {
namespace {

std::vector<std::int64_t> byte_values(std::string_view bytes) {
  std::vector<std::int64_t> values;
  values.reserve(bytes.size());
  for (const char byte : bytes) values.push_back(static_cast<unsigned char>(byte));
  return values;
}

template <class Entry>
Entry to_entry(const LanguageModel& model, Token token, float logprob) {
  const auto bytes = model.token_bytes(token);
  Entry entry{.token = to_utf8(bytes), .logprob = static_cast<double>(logprob), .bytes = byte_values(bytes)};
  entry.extra.append("id", Json::raw(std::to_string(token)));
  return entry;
}

}  // namespace

TokenLogprob to_logprob(const LanguageModel& model, const Sample& sample) {
  auto entry = to_entry<TokenLogprob>(model, sample.token, sample.logprob);
  entry.top_logprobs.reserve(sample.top.size());
  for (const auto& [token, logprob] : sample.top) {
    entry.top_logprobs.push_back(to_entry<TopLogprob>(model, token, logprob));
  }
  return entry;
}

void use_code_points(TokenLogprob& entry) {
  const auto use = [](auto& one) {
    const auto characters = to_code_points(one.token);
    one.bytes = std::vector<std::int64_t>(characters.begin(), characters.end());
  };
  use(entry);
  for (auto& other : entry.top_logprobs) use(other);
}

Json in_lmi_0_29_chunk(const std::vector<TokenLogprob>& entries) {
  auto content = OrderedJson::array();
  for (const auto& entry : entries) {
    auto top = OrderedJson::array();
    for (const auto& other : entry.top_logprobs) {
      top.push_back({{"token", other.logprob}, {"logprob", other.logprob}, {"bytes", *other.bytes}});
    }
    content.push_back({{"token", entry.token},
                       {"logprob", entry.logprob},
                       {"bytes", *entry.bytes},
                       {"top_logprobs", std::move(top)}});
  }
  return Json::raw(print(OrderedJson::array({{{"content", std::move(content)}}})));
}

}  // namespace inferwire::inline v0_1::engine
