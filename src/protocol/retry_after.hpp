/// \file
/// The time that a server asks its client to wait.
#pragma once

#include "inferwire/transport.hpp"

#include <chrono>
#include <optional>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

/// Parses a Retry-After header: seconds, with or without a fraction, or a date in any of HTTP's three forms
/// (RFC 9110 5.6.7) or as a Unix time, from which `now` is subtracted. Nothing for malformed, negative and
/// past values.
std::optional<std::chrono::milliseconds> parse_retry_after(std::string_view value,
                                                           std::chrono::system_clock::time_point now);

/// Parses a retry-after-ms header: milliseconds, with or without a fraction.
std::optional<std::chrono::milliseconds> parse_retry_after_ms(std::string_view value);

/// The delay in an answer's headers: retry-after-ms if it is valid, else Retry-After, whose date counts from
/// the answer's own Date.
std::optional<std::chrono::milliseconds> retry_after(const Headers& headers,
                                                     std::chrono::system_clock::time_point now);

}  // namespace inferwire::inline v0_1::protocol
