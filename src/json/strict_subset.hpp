/// \file
/// The JSON schema features that OpenAI enforces under `strict`, for code that produces such schemas and code
/// that checks them.
#pragma once

#include "inferwire/json.hpp"

#include <array>
#include <string_view>

namespace inferwire::inline v0_1::json {

/// The keywords that are enforced, or that inform the model. OpenAI refuses all others except annotations.
inline constexpr std::array<std::string_view, 24> strict_keywords{"$defs",
                                                                  "$ref",
                                                                  "additionalProperties",
                                                                  "anyOf",
                                                                  "const",
                                                                  "definitions",
                                                                  "description",
                                                                  "enum",
                                                                  "exclusiveMaximum",
                                                                  "exclusiveMinimum",
                                                                  "format",
                                                                  "items",
                                                                  "maxItems",
                                                                  "maxLength",
                                                                  "maximum",
                                                                  "minItems",
                                                                  "minLength",
                                                                  "minimum",
                                                                  "multipleOf",
                                                                  "pattern",
                                                                  "properties",
                                                                  "required",
                                                                  "title",
                                                                  "type"};

/// The annotations that OpenAI refuses. It accepts "examples" (openai/openai-python#3732).
inline constexpr std::array<std::string_view, 1> refused_annotations{"default"};

inline constexpr std::array<std::string_view, 9> strict_formats{
    "date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"};

/// Whether OpenAI permits a keyword in a strict schema.
bool is_permitted(std::string_view keyword);

/// Whether providers enforce a schema as it is: `strict_schema` changes nothing except what they accept,
/// which is `$schema` at the root and an object without properties that has no `required`. Other annotations
/// may be refused.
bool is_strict(const Json& schema);

}  // namespace inferwire::inline v0_1::json
