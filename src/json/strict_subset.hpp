/// \file
/// What OpenAI enforces of JSON schemas under `strict`, for those who bring schemas there and who hold them
/// to it.
#pragma once

#include <array>
#include <string_view>

namespace inferwire::inline v0_1::json {

inline constexpr std::array<std::string_view, 9> strict_formats{
    "date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"};

}  // namespace inferwire::inline v0_1::json
