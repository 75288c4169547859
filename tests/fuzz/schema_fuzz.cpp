// libFuzzer target: a schema is refused in bounded time, or its texts are JSON and end within their budget.
#include "engine/constrained_text.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <variant>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace inferwire::engine;
  const auto schema = Schema::parse(bytes, bytes + size, nullptr, false);
  if (schema.is_discarded()) return 0;
  for (const auto strictness : {Strictness::lenient, Strictness::strict, Strictness::openai}) {
    const auto compiled = inferwire_test::compile(schema, strictness);
    const auto* grammar = std::get_if<0>(&compiled);
    if (grammar == nullptr || (*grammar)->cost() > 2'000) continue;
    const int budget = static_cast<int>((*grammar)->cost()) + static_cast<int>(size % 32);
    const auto [text, tokens, ended] = inferwire_test::random_text(*grammar, budget, size);
    if (!ended || tokens > budget || !nlohmann::json::accept(text)) std::abort();
  }
  return 0;
}
