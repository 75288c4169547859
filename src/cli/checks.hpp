/// \file
/// Checks option values more strictly than CLI11 does.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace inferwire::inline v0_1::cli {

/// Rejects an empty value: an unset shell variable, for example, must not count as an option that was not
/// given.
inline std::string not_empty(const std::string& text) { return text.empty() ? "it is empty" : std::string(); }

/// Rejects what is not a decimal integer, or does not fit into a Number. CLI11 2.1 reads 010 as eight, and
/// clamps numbers that are too large.
template <class Number>
std::string decimal(const std::string& text) {
  const auto digits = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
  const char* const end = text.data() + text.size();
  Number number{};
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec == std::errc::result_out_of_range) return text + " is out of range";
  if (read.ec != std::errc() || read.ptr != end || (digits.size() > 1 && digits.starts_with('0'))) {
    return "'" + text + "' is no whole number in decimal digits";
  }
  return {};
}

/// Rejects a decimal integer that is 0.
inline std::string not_zero(const std::string& text) { return text == "0" ? "it is 0" : std::string(); }

/// Rejects infinities and nan, which CLI11's ranges accept.
inline std::string finite_number(const std::string& text) {
  return std::isfinite(std::strtod(text.c_str(), nullptr)) ? std::string()
                                                           : "'" + text + "' is no finite number";
}

/// Whether both names refer to the same file, which may not exist yet.
inline bool same_file(const std::string& one, const std::string& other) {
  std::error_code unknown;
  return std::filesystem::equivalent(one, other, unknown) ||
         std::filesystem::absolute(one).lexically_normal() ==
             std::filesystem::absolute(other).lexically_normal();
}

}  // namespace inferwire::inline v0_1::cli
