// Numbers and booleans, and lists of numbers.
#include "base/little_endian.hpp"
#include "json/base64.hpp"
#include "json/walk.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::json {

namespace {

/// Checks all exponents at once: if all bits of one are set, the addition carries into the sign bit.
bool are_finite(const std::vector<float>& row) noexcept {
  constexpr std::uint32_t sign = 0x80000000U;
  constexpr std::uint32_t lowest_of_exponent = 0x00800000U;
  std::uint32_t seen = 0;
  for (const float number : row) seen |= (std::bit_cast<std::uint32_t>(number) & ~sign) + lowest_of_exponent;
  return (seen & sign) == 0;
}

}  // namespace

Outcome Walk::integer(ondemand::value& value, std::int64_t& out) {
  const std::string_view token = value.raw_json_token();
  if (value.get_int64().get(out) == simdjson::SUCCESS) {
    if (stencil_ != nullptr) stencil_->integer(without_space(token), out);
    return Outcome::taken;
  }
  if (shape_of(token.front()) != number_shape) return misfit("expected integer");
  const std::string_view digits = without_space(token);
  Scanner scanner(digits);
  if (!followed_properly(token) || !scanner.value() || !scanner.at_end()) return Outcome::malformed;
  const auto integer = integer_of(digits);  // 1.0e2 is one too
  if (!integer) return misfit("expected integer");
  out = *integer;
  return Outcome::taken;
}

Outcome Walk::number(ondemand::value& value, double& out) {
  if (value.get_double().get(out) == simdjson::SUCCESS) return Outcome::taken;
  const std::string_view token = value.raw_json_token();
  const bool is_null = token.front() == 'n';  // as most writers spell NaN
  if (is_null || shape_of(token.front()) != number_shape) return misfit("expected number");
  const std::string_view digits = without_space(token);
  Scanner scanner(digits);
  if (!followed_properly(token) || !scanner.value() || !scanner.at_end()) return Outcome::malformed;
  const auto number = number_of(digits);
  if (!number) return misfit("a number no double can hold");
  out = *number;
  return Outcome::taken;
}

Outcome Walk::boolean(ondemand::value& value, bool& out) {
  const std::string_view token = value.raw_json_token();
  if (shape_of(token.front()) != bool_shape) return misfit("expected boolean");
  if (value.get_bool().get(out) != simdjson::SUCCESS) return Outcome::malformed;
  return Outcome::taken;
}

/// Reads thousands of numbers into an array that has already grown, and copies them to a vector of exactly
/// their number.
Outcome Walk::floats(ondemand::value& value, std::vector<float>& out) {
  const std::string_view token = value.raw_json_token();
  if (token.front() == '"') return floats_in_base64(value, out);
  if (token.front() != '[') return misfit("expected array of numbers or base64");
  ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) return Outcome::malformed;
  std::vector<float>& numbers = shelf_.floats;
  numbers.clear();
  for (auto item : array) {
    ondemand::value element;
    if (std::move(item).get(element) != simdjson::SUCCESS) return Outcome::malformed;
    double number = 0;
    Outcome outcome = Outcome::taken;
    if (element.get_double().get(number) != simdjson::SUCCESS) outcome = this->number(element, number);
    const float narrow = static_cast<float>(number);
    if (outcome == Outcome::taken && !std::isfinite(narrow)) outcome = misfit("a number no float can hold");
    if (outcome != Outcome::taken) [[unlikely]] {
      return inside("[", std::to_string(numbers.size()) + ']', outcome);
    }
    numbers.push_back(narrow);
  }
  out.assign(numbers.begin(), numbers.end());
  return Outcome::taken;
}

Outcome Walk::floats_in_base64(ondemand::value& value, std::vector<float>& out) {
  ondemand::raw_json_string taken;
  std::string_view token = value.raw_json_token();
  if (value.get_raw_json_string().get(taken) != simdjson::SUCCESS) return Outcome::malformed;
  token = without_space(token);
  if (token.size() < 2 || token.back() != '"') return Outcome::malformed;
  std::string_view digits = token.substr(1, token.size() - 2);
  if (std::memchr(digits.data(), '\\', digits.size()) != nullptr) {  // a slash may be written as \/
    if (!unescape(digits, shelf_.scratch)) return Outcome::malformed;
    digits = shelf_.scratch;
  }
  const auto size = base64_size(digits);
  if (!size || *size % sizeof(float) != 0) return misfit("expected floats in base64");
  out.resize(*size / sizeof(float));
  auto* const bytes = reinterpret_cast<unsigned char*>(out.data());
  if (!base64_decode(digits, bytes)) return misfit("expected floats in base64");
  read_little_endian(out);
  if (are_finite(out)) [[likely]]
    return Outcome::taken;
  const auto at = std::ranges::find_if_not(out, [](float number) { return std::isfinite(number); });
  return inside("[", std::to_string(at - out.begin()) + ']', misfit("a number no float can hold"));
}

}  // namespace inferwire::inline v0_1::json
