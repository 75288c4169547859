#include "json/whole_number.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>

namespace inferwire::inline v0_1::json {

std::optional<inferwire::detail::WholeNumber> whole_number(std::string_view token) {
  inferwire::detail::WholeNumber number{.negative = token.starts_with('-')};
  const auto power = std::min(token.find_first_of("eE"), token.size());
  std::string digits(token.substr(0, power));
  if (digits.find_first_not_of("-0.") == digits.npos) return inferwire::detail::WholeNumber{};
  std::int32_t written = 0;
  if (power < token.size()) {
    const auto text = token.substr(power + (token.substr(power + 1).starts_with('+') ? 2 : 1));
    if (std::from_chars(text.data(), text.data() + text.size(), written).ec != std::errc{}) return {};
  }
  std::int64_t exponent = written;
  if (const auto point = digits.find('.'); point != digits.npos) {
    digits.erase(point, 1);
    exponent -= static_cast<std::int64_t>(digits.size() - point);
  }
  for (; exponent < 0 && digits.ends_with('0'); ++exponent) digits.pop_back();
  if (exponent < 0 || exponent > 19) return std::nullopt;
  digits.append(static_cast<std::size_t>(exponent), '0');
  const char* const end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data() + (number.negative ? 1 : 0), end, number.magnitude);
  return read.ec == std::errc{} && read.ptr == end ? std::optional(number) : std::nullopt;
}

}  // namespace inferwire::inline v0_1::json
