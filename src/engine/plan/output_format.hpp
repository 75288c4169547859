/// \file
/// The output format that a request asks for.
#pragma once

#include "engine/constraint/schema.hpp"
#include "engine/dialect.hpp"
#include "engine/refusal.hpp"
#include "inferwire/json.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// Chat's `response_format` and the Responses API's `text.format`.
struct OutputFormat {
  std::string_view type{};  ///< "text", "json_object" or "json_schema"
  std::string_view name{};  ///< the name of the schema
  const Json* schema{};     ///< nullptr: none is given, and any object is valid
  bool strict{};
};

/// The grammar of an output format, nullptr for free text; or why there is none.
using MadeGrammar = OrRefusal<std::shared_ptr<const Grammar>>;

/// `param` is the member that holds the format. Objects without a schema get words of `question` as keys.
MadeGrammar grammar_of(const OutputFormat& format, std::string_view param, std::string_view question,
                       const Dialect& dialect, const std::shared_ptr<const LanguageModel>& model);

/// How a schema is read in a dialect, given its `strict`.
Strictness strictness_of(bool strict, const Dialect& dialect);

}  // namespace inferwire::inline v0_1::engine
