/// \file
/// The JSON schema features that OpenAI enforces under `strict`, for code that produces such schemas and code
/// that checks them.
#pragma once

#include <array>
#include <string_view>

namespace inferwire::inline v0_1::json {

inline constexpr std::array<std::string_view, 9> strict_formats{
    "date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"};

}  // namespace inferwire::inline v0_1::json
