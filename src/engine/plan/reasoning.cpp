#include "engine/plan/reasoning.hpp"

#include "engine/model/random.hpp"
#include "inferwire/data_uri.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace inferwire::inline v0_1::engine {
namespace {

struct Effort {
  std::string_view name;
  int tokens;
};

constexpr std::array efforts{Effort{"minimal", 8}, Effort{"low", 16},   Effort{"medium", 32},
                             Effort{"high", 64},   Effort{"xhigh", 96}, Effort{"max", 128}};

/// The bundled model does not reason: longer thoughts would not improve its answers.
constexpr int longest_thought = 128;

}  // namespace

std::optional<Part> reasoning_part(std::string_view effort) {
  if (effort == "none") return std::nullopt;
  const auto found = std::ranges::find(efforts, effort.empty() ? "medium" : effort, &Effort::name);
  return reasoning_part(found == efforts.end() ? longest_thought : found->tokens);
}

Part reasoning_part(int budget) {
  return {.kind = Part::Kind::reasoning,
          .lead = "Let me think about that. ",
          .most_tokens = std::min(budget, longest_thought)};
}

std::string signature_of(std::string_view thought) {
  std::uint64_t state = thought.size();
  for (const char c : thought) state = mix(state, static_cast<unsigned char>(c));
  std::string bytes;
  for (int i = 0; i < 4; ++i) {
    state = mix(state, 256);
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(state >> shift & 0xFF);
  }
  return to_base64(bytes);
}

}  // namespace inferwire::inline v0_1::engine
