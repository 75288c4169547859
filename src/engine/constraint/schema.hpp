/// \file
/// From a JSON schema to the grammar of its instances.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "engine/constraint/grammar.hpp"
#include "engine/json_text.hpp"

namespace inferwire::inline v0_1::engine {

/// Keeps the order of members, which is the order in which properties are written.
using Schema = OrderedJson;

enum class Strictness : std::uint8_t {
  lenient,  ///< what is not supported is left out of the grammar: instances need not keep it
  strict,   ///< what is not supported is a fault
  openai,   ///< what OpenAI refuses is a fault, too: see schema_subset.hpp
};

/// JSON values that a schema may have. To read more takes long: of every member those before it are looked
/// through.
inline constexpr std::size_t most_schema_values = 10'000;
/// What is wrong with a schema that has more, or takes more than it may in any other respect.
inline constexpr std::string_view too_many_parts = "it has too many parts";

/// What is wrong with a schema.
struct SchemaFault {
  std::string context{};  ///< the way to it: "('properties', 'x')"
  std::string problem{};  ///< "'not' is not permitted"

  std::string message() const { return "In context=" + context + ", " + problem; }
};

/// A grammar whose texts are all instances of `schema`, but not all of its instances: properties come in the
/// schema's order and undeclared ones only where they are required, and what has no limit gets one, such as
/// 48 characters and 4 elements. Never lenient about what no instance can be made of: a schema that is
/// malformed, contradicts itself, leads back to itself without end, is nested deeper than 64 or has more than
/// some thousand parts.
///
/// Adds to `work` how much it was: 1 is what a schema may be at most in one respect, such as its parts or the
/// states of its patterns.
std::variant<std::shared_ptr<const Grammar>, SchemaFault> compile_schema(
    const Schema& schema, Strictness strictness, std::shared_ptr<const Vocabulary> vocabulary,
    double* work = nullptr);

}  // namespace inferwire::inline v0_1::engine
