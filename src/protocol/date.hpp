/// \file
/// The date formats of headers.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

/// Parses a date in any of HTTP's three forms (RFC 9110 5.6.7). `now` determines the century of a two-digit
/// year. Later years than 2200 give the end of 2200.
std::optional<std::chrono::system_clock::time_point> parse_http_date(
    std::string_view text, std::chrono::system_clock::time_point now);

/// Parses a date of RFC 3339, to the second: "2026-11-21T20:48:19Z", optionally with a fraction or an offset.
std::optional<std::chrono::system_clock::time_point> parse_timestamp(std::string_view text);

}  // namespace inferwire::inline v0_1::protocol
