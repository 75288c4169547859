/// \file
/// Writes texts of a grammar without a model: any that it allows, however odd.
#pragma once

#include "engine/constraint/constraint.hpp"
#include "engine/constraint/schema.hpp"
#include "engine/model/random.hpp"
#include "inferwire/engine/language_model.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace inferwire_test {

using Compiled =
    std::variant<std::shared_ptr<const inferwire::engine::Grammar>, inferwire::engine::SchemaFault>;

inline Compiled compile(const inferwire::engine::Schema& schema, inferwire::engine::Strictness strictness) {
  using namespace inferwire::engine;
  return compile_schema(schema, strictness, vocabulary_of(toy_model()));
}

struct ConstrainedText {
  std::string text{};
  int tokens{};
  bool ended{};  ///< whether the text ended by itself, within its budget
};

/// Chooses among the allowed tokens by `seed`, all with the same probability.
inline ConstrainedText random_text(std::shared_ptr<const inferwire::engine::Grammar> grammar, int budget,
                                   std::uint64_t seed) {
  using namespace inferwire::engine;
  const auto& model = *toy_model();
  Constraint constraint(std::move(grammar), budget);
  Random random(seed);
  ConstrainedText out;
  while (!constraint.has_to_end() && out.tokens < budget) {
    std::vector<Token> tokens;
    const auto allowed = constraint.allowed();
    for (std::size_t at = 0; at < allowed.size(); ++at) {
      if (allowed[at] != 0) tokens.push_back(static_cast<Token>(at));
    }
    if (tokens.empty()) return out;
    const auto token = tokens[static_cast<std::size_t>(random.uniform() * static_cast<float>(tokens.size()))];
    if (model.is_end(token)) break;
    constraint.advance(token);
    out.text += model.token_bytes(token);
    ++out.tokens;
  }
  out.ended = constraint.may_end();
  return out;
}

/// Whether `text` is a text of the grammar.
inline bool accepts(std::shared_ptr<const inferwire::engine::Grammar> grammar, std::string_view text) {
  inferwire::engine::Machine machine(std::move(grammar));
  auto now = machine.start();
  inferwire::engine::Frames next;
  for (const char byte : text) {
    machine.step(now, byte, next);
    std::swap(now, next);
  }
  return machine.may_end(now);
}

}  // namespace inferwire_test
