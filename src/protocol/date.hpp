/// \file
/// Dates as headers write them.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

/// A date in any of HTTP's three forms (RFC 9110 5.6.7). `now` tells the century of a year of two digits.
/// The end of 2200 stands for anything behind it.
std::optional<std::chrono::system_clock::time_point> parse_http_date(
    std::string_view text, std::chrono::system_clock::time_point now);

/// A date of RFC 3339, to the second: "2026-11-21T20:48:19Z", with a fraction or an offset if it likes.
std::optional<std::chrono::system_clock::time_point> parse_timestamp(std::string_view text);

}  // namespace inferwire::inline v0_1::protocol
