/// \file
/// The JSON schema features that OpenAI enforces under `strict`, for code that produces such schemas and code
/// that checks them.
#pragma once

#include "inferwire/json.hpp"

#include <array>
#include <string_view>

namespace inferwire::inline v0_1::json {

inline constexpr std::array<std::string_view, 9> strict_formats{
    "date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"};

/// Whether providers enforce a schema as it is: `strict_schema` changes nothing except what they accept,
/// which is `$schema` at the root and an object without properties that has no `required`. Other annotations
/// may be refused: OpenAI refuses `default` and `examples`.
bool is_strict(const Json& schema);

}  // namespace inferwire::inline v0_1::json
