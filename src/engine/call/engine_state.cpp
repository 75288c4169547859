#include "engine/call/engine_state.hpp"

#include "engine/model/random.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {
namespace {

std::string hex(std::uint64_t value) {
  std::string out(16, '0');
  for (auto digit = out.rbegin(); value != 0; value >>= 4) *digit++ = "0123456789abcdef"[value & 15];
  return out;
}

/// Formats 128 bits as a UUID, the form of request ids.
std::string uuid(std::uint64_t high, std::uint64_t low) {
  auto digits = hex(high) + hex(low);
  for (const std::size_t at : {8U, 13U, 18U, 23U}) digits.insert(at, "-");
  return digits;
}

std::int64_t unix_time() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

EngineState::EngineState(EngineOptions the_options)
    : options(std::move(the_options)),
      dialects(options),
      director(options.script, options.seed),
      journal(options.journal_entries),
      memory{.prompts = std::make_shared<const std::vector<PromptTemplate>>(options.prompts),
             .keeper = std::make_shared<KeptResponses>(options.kept_responses)},
      endpoints(options.endpoints) {}

CallFrame EngineState::next_frame(Mount mount, TimePoint now) {
  const auto number = requests.fetch_add(1, std::memory_order_relaxed);
  const auto drawn = mix(options.seed, number);
  return {.request_id = uuid(drawn, mix(drawn, number)),
          .id_suffix = hex(drawn),
          .request_number = number,
          .created = options.created.value_or(unix_time()),
          .start = now,
          .pacing = options.pacing,
          .jitter_seed = mix(drawn, number),
          .dialect = dialects.at(mount)};
}

}  // namespace inferwire::inline v0_1::engine
