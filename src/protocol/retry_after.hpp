/// \file
/// How long a server asks its client to wait.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::protocol {

/// The value of a Retry-After header: seconds, with a fraction or without, or a date in any of HTTP's three
/// forms (RFC 9110 5.6.7), of which `now` is taken away. Malformed, negative and past values are nothing.
std::optional<std::chrono::milliseconds> parse_retry_after(std::string_view value,
                                                           std::chrono::system_clock::time_point now);

/// The value of a retry-after-ms header: milliseconds, with a fraction or without.
std::optional<std::chrono::milliseconds> parse_retry_after_ms(std::string_view value);

/// What the headers of an answer ask for: retry-after-ms where it can be read, else Retry-After.
std::optional<std::chrono::milliseconds> retry_after(const Headers& headers,
                                                     std::chrono::system_clock::time_point now);

}  // namespace inferwire::inline v0_1::protocol
