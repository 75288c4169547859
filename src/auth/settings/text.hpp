/// \file
/// Text as people write it into files and variables.
#pragma once

#include <string_view>

namespace inferwire::inline v0_1::auth {

/// Cuts off the white space around a text, line breaks included.
constexpr std::string_view trim(std::string_view text) noexcept {
  constexpr std::string_view space = " \t\r\n";
  const auto begin = text.find_first_not_of(space);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

}  // namespace inferwire::inline v0_1::auth
