#include "engine/script/expression.hpp"

#include <cstddef>
#include <regex>

namespace inferwire::inline v0_1::engine {
namespace {

/// std::regex_search needs stack for every character: up to 3.5 KB of it under AddressSanitizer.
constexpr std::size_t longest_searched = 1024;

}  // namespace

bool is_expression(const std::string& text) {
  try {
    const std::regex compiled(text);
    return true;
  } catch (const std::regex_error&) {
    return false;
  }
}

bool finds(const std::string& expression, std::string_view text) {
  const auto searched = text.substr(0, longest_searched);
  // A text that was cut does not end there.
  const auto flags = searched.size() < text.size() ? std::regex_constants::match_not_eol
                                                   : std::regex_constants::match_default;
  try {
    return std::regex_search(searched.begin(), searched.end(), std::regex(expression), flags);
  } catch (const std::regex_error&) {  // parse_script refuses it; in a program's own rule it matches nothing
    return false;
  }
}

}  // namespace inferwire::inline v0_1::engine
