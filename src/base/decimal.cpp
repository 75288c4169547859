#include "base/decimal.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <locale>
#include <sstream>
#include <system_error>

namespace inferwire::inline v0_1 {

namespace {

/// Streams and from_chars accept more than this, and differ in what they accept.
bool is_decimal(std::string_view text) noexcept {
  const auto take = [&text](std::size_t size) {
    text.remove_prefix(size);
    return size != 0;
  };
  const auto one_of = [&](std::string_view any) {
    return take(!text.empty() && any.find(text.front()) != any.npos ? 1 : 0);
  };
  const auto digits = [&] { return take(std::min(text.find_first_not_of("0123456789"), text.size())); };
  one_of("-");
  const bool whole = digits();
  const bool fraction = one_of(".") && digits();
  if (!whole && !fraction) return false;
  if (!one_of("eE")) return text.empty();
  one_of("+-");
  return digits() && text.empty();
}

template <class T>
void append(std::string& out, T number) {
  char text[32];
  // Some readers do not accept 1.7e+09 as an integer.
  constexpr auto most_exact = static_cast<T>(std::uint64_t{1} << std::numeric_limits<T>::digits);
  const bool whole = std::trunc(number) == number && std::fabs(number) < most_exact;
  const auto end = whole ? std::to_chars(text, text + sizeof text, number, std::chars_format::fixed)
                         : std::to_chars(text, text + sizeof text, number);
  out.append(text, end.ptr);
}

template <class T>
std::string print(T number) {
  std::string text;
  append(text, number);
  return text;
}

template <class T>
std::optional<T> parse(std::string_view text) {
  if (!is_decimal(text)) return std::nullopt;
  T number = 0;
#if defined(__cpp_lib_to_chars)
  if (std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc()) return number;
#endif
  // Too large or too small (or a library that reads integers only): a stream distinguishes the two.
  std::istringstream in{std::string(text)};
  in.imbue(std::locale::classic());
  in >> number;
  const bool too_large =
      !std::isfinite(number) || (in.fail() && std::fabs(number) > 1);  // also fails on underflow
  return too_large ? std::nullopt : std::optional(number);
}

}  // namespace

std::optional<double> parse_decimal(std::string_view text) { return parse<double>(text); }
std::optional<float> parse_float(std::string_view text) { return parse<float>(text); }

std::string print_decimal(double number) { return print(number); }
std::string print_decimal(float number) { return print(number); }
void append_decimal(std::string& out, double number) { append(out, number); }

}  // namespace inferwire::inline v0_1
