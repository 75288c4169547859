/// \file
/// Conversion between numbers and text.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace inferwire::inline v0_1 {

/// Parses all of `text` as a number: `12`, `-.5`, `1e3`, independent of the locale. nullopt if it is not a
/// number, or too large for a double; a number too small for a double becomes 0.
std::optional<double> parse_decimal(std::string_view text);
/// Parses `text` likewise, as the nearest float; not by way of a double, which would round twice.
std::optional<float> parse_float(std::string_view text);

/// Parses all of `text` as an integer: digits of the base, after a `-` if T is signed. nullopt if it is none,
/// or does not fit.
template <std::integral T>
std::optional<T> parse_integer(std::string_view text, int base = 10) noexcept {
  T number{};
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number, base);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

/// The shortest text that parses to the same number; an integer has no exponent as long as all its digits are
/// significant.
std::string print_decimal(double number);
std::string print_decimal(float number);
/// Appends what `print_decimal` returns.
void append_decimal(std::string& out, double number);

}  // namespace inferwire::inline v0_1
