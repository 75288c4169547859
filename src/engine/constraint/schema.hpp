/// \file
/// Compiles a JSON schema into the grammar of its instances.
#pragma once

#include "engine/constraint/grammar.hpp"
#include "engine/json_text.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace inferwire::inline v0_1::engine {

/// Keeps the order of members: properties are written in that order.
using Schema = OrderedJson;

enum class Strictness : std::uint8_t {
  lenient,  ///< unsupported keywords are ignored: instances need not satisfy them
  strict,   ///< unsupported keywords are faults
  openai,   ///< whatever OpenAI refuses is also a fault: see schema_subset.hpp
};

/// The most JSON values of a schema, to be checked before it is parsed: parsing more takes long, since each
/// member is compared with all members before it.
inline constexpr std::size_t most_schema_values = 10'000;
/// What is wrong with a schema that has more values, or exceeds any other limit.
inline constexpr std::string_view too_many_parts = "it has too many parts";

/// What is wrong with a schema.
struct SchemaFault {
  std::string context{};  ///< the path to it: "('properties', 'x')"
  std::string problem{};  ///< "'not' is not permitted"

  std::string message() const { return "In context=" + context + ", " + problem; }
};

/// A grammar whose texts are instances of `schema`, though not all of them: properties come in the schema's
/// order, undeclared ones only if they are required, and whatever has no limit gets one, such as 48
/// characters or 4 elements. However lenient, it refuses a schema that is malformed, contradicts itself,
/// recurs without end, is nested deeper than 64 or has more than some thousand parts.
///
/// Adds to `work` how much work it was: 1 for each limit that is reached, such as that of parts or of states
/// of patterns.
std::variant<std::shared_ptr<const Grammar>, SchemaFault> compile_schema(
    const Schema& schema, Strictness strictness, std::shared_ptr<const Vocabulary> vocabulary,
    double* work = nullptr);

}  // namespace inferwire::inline v0_1::engine
