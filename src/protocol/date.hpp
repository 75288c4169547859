/// \file
/// The date formats of headers.
#pragma once

#include "inferwire/headers.hpp"

#include <chrono>
#include <optional>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

/// Parses a date in any of HTTP's three forms (RFC 9110 5.6.7). `now` determines the century of a two-digit
/// year. Later years than 2200 give the end of 2200.
std::optional<std::chrono::system_clock::time_point> parse_http_date(
    std::string_view text, std::chrono::system_clock::time_point now);

/// The time of an answer by its own Date, from which its other dates count: the two clocks may differ. `now`
/// if it has none.
std::chrono::system_clock::time_point answered_at(const Headers& headers,
                                                  std::chrono::system_clock::time_point now);

/// Parses a date of RFC 3339, to the second: "2026-11-21T20:48:19Z", optionally with a fraction or an offset.
std::optional<std::chrono::system_clock::time_point> parse_timestamp(std::string_view text);

/// The seconds from `now` that a header's number means. Some services send a time in place of a duration:
/// 1e9 and more are seconds, and 1e12 and more milliseconds, since 1970. Negative for a time in the past.
double seconds_from(std::chrono::system_clock::time_point now, double number) noexcept;

}  // namespace inferwire::inline v0_1::protocol
