// libFuzzer target: the engine answers or refuses any body at any endpoint, in JSON that can be read, in
// bounded steps. Seeds: tests/fixtures/wire/requests. Needs inferwire_internal, src/ and include/ on the
// path, and -fsanitize=fuzzer,address,undefined.
#include "inferwire/engine/engine.hpp"
#include "json/codec.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace inferwire;

namespace {

constexpr std::array<const char*, 17> paths{
    "/serving-endpoints/databricks-meta-llama-3-3-70b-instruct/invocations",
    "/serving-endpoints/databricks-llama-2-70b-chat/invocations",
    "/serving-endpoints/databricks-mpt-7b-instruct/invocations",
    "/serving-endpoints/databricks-bge-large-en/invocations",
    "/serving-endpoints/chat/completions",
    "/serving-endpoints/responses",
    "/serving-endpoints/open-responses",
    "/api/2.0/serving-endpoints",
    "/studio/v1/chat/completions",
    "/invocations",
    "/predictions/pt-completion",
    "/lmi/v1/chat/completions",
    "/endpoints/inferwire-toy/invocations-response-stream",
    "/v1/chat/completions",
    "/v1/completions",
    "/v1/embeddings",
    "/v1/responses"};

/// The number of steps that are read of an answer: its beginning depends on the body, its rest may be long.
constexpr int most_steps = 6;

void require(bool holds) {
  if (!holds) std::abort();
}

void ask(engine::Engine& engine, const char* path, std::string body) {
  const TimePoint now{std::chrono::hours(1)};
  const auto answer = engine.start({.url = std::string("http://engine") + path,
                                    .headers = {{"authorization", "Bearer key"}},
                                    .body = std::move(body)},
                                   now);
  const auto status = answer->head().status;
  require(status == 200 || (status >= 400 && status < 500));
  std::string text;
  for (int i = 0; i < most_steps; ++i) {
    const auto step = answer->step(now);
    require(step.kind != engine::Step::Kind::broken);
    text += step.bytes;
    if (step.kind == engine::Step::Kind::done) break;
  }
  if (status != 200) require(json::check(text).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  engine::Engine engine;  // a new one, since requests may create endpoints
  for (const auto* path : paths) ask(engine, path, std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
