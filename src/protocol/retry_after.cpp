#include "protocol/retry_after.hpp"

#include "base/ascii.hpp"
#include "base/decimal.hpp"
#include "protocol/date.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace inferwire::inline v0_1::protocol {

namespace {

using std::chrono::milliseconds;
using std::chrono::system_clock;

std::optional<double> parse_count(std::string_view text) {
  const auto count = parse_decimal(text);
  return count && *count >= 0 ? count : std::nullopt;
}

/// Rounds up, so that no client retries too early; larger values become a thousand years.
milliseconds to_milliseconds(double count) noexcept {
  constexpr double limit = 1000.0 * 365 * 24 * 3600 * 1000;
  return milliseconds(static_cast<std::int64_t>(std::ceil(std::min(count, limit))));
}

}  // namespace

std::optional<milliseconds> parse_retry_after(std::string_view value, system_clock::time_point now) {
  value = ascii::trim(value);
  if (const auto count = parse_count(value)) {
    const double seconds = seconds_from(now, *count);
    return seconds >= 0 ? std::optional(to_milliseconds(seconds * 1000)) : std::nullopt;
  }
  const auto date = parse_http_date(value, now);
  if (!date || *date < now) return std::nullopt;
  return std::chrono::ceil<milliseconds>(*date - now);
}

std::optional<milliseconds> parse_retry_after_ms(std::string_view value) {
  const auto count = parse_count(ascii::trim(value));
  if (!count) return std::nullopt;
  return to_milliseconds(*count);
}

std::optional<milliseconds> retry_after(const Headers& headers, system_clock::time_point now) {
  if (const auto value = find_header(headers, "retry-after-ms")) {
    if (const auto wait = parse_retry_after_ms(*value)) return wait;
  }
  const auto value = find_header(headers, "retry-after");
  return value ? parse_retry_after(*value, answered_at(headers, now)) : std::nullopt;
}

}  // namespace inferwire::inline v0_1::protocol
