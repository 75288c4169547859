#include "base/ascii.hpp"
#include "base/decimal.hpp"
#include "inferwire/response_info.hpp"
#include "protocol/date.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1 {

namespace {

using std::chrono::milliseconds;
using std::chrono::system_clock;

constexpr double most_milliseconds = 1e15;  // thirty thousand years

std::optional<std::int64_t> read_count(std::string_view text) {
  const auto count = parse_integer<std::int64_t>(ascii::trim(text));
  return count && *count >= 0 ? count : std::nullopt;
}

std::optional<milliseconds> rounded_up(double count) {
  if (!(count >= 0) || count > most_milliseconds) return std::nullopt;
  return milliseconds(static_cast<std::int64_t>(std::ceil(count)));
}

/// A duration in Go's format: "6m0s", "1h2m3.5s", "120ms".
std::optional<milliseconds> read_duration(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 7> units{
      {{"ns", 1e-6}, {"us", 1e-3}, {"\xC2\xB5s", 1e-3}, {"ms", 1}, {"s", 1e3}, {"m", 60e3}, {"h", 3600e3}}};
  if (text.empty()) return std::nullopt;
  double sum = 0;
  while (!text.empty()) {
    const auto digits = text.substr(0, text.find_first_not_of("0123456789."));
    const auto count = parse_decimal(digits);
    if (!count) return std::nullopt;
    text.remove_prefix(digits.size());
    const auto unit = std::ranges::find_if(units, [&](const auto& u) { return text.starts_with(u.first); });
    if (unit == units.end()) return std::nullopt;
    text.remove_prefix(unit->first.size());
    sum += *count * unit->second;
  }
  return rounded_up(sum);
}

std::optional<milliseconds> read_reset(std::string_view text, system_clock::time_point answered) {
  text = ascii::trim(text);
  if (const auto duration = read_duration(text)) return duration;
  if (const auto date = protocol::parse_timestamp(text)) {
    return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(*date - answered));
  }
  const auto number = parse_decimal(text);
  if (!number || *number < 0) return std::nullopt;
  return rounded_up(std::max(protocol::seconds_from(answered, *number), 0.0) * 1000);
}

/// The names of the headers for one limit.
struct LimitNames {
  std::string_view limit;
  std::string_view remaining;
  std::string_view reset;
};
constexpr LimitNames request_limits[] = {
    {"x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"},
    {"anthropic-ratelimit-requests-limit", "anthropic-ratelimit-requests-remaining",
     "anthropic-ratelimit-requests-reset"},
    {"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"},  // OpenRouter and many gateways
};
constexpr LimitNames token_limits[] = {
    {"x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"},
    {"anthropic-ratelimit-tokens-limit", "anthropic-ratelimit-tokens-remaining",
     "anthropic-ratelimit-tokens-reset"},
};

/// The limit in the first headers that have one.
RateLimit read(const Headers& headers, std::span<const LimitNames> rows, system_clock::time_point answered) {
  RateLimit out;
  for (const auto& names : rows) {
    if (const auto value = find_header(headers, names.limit)) out.limit = read_count(*value);
    if (const auto value = find_header(headers, names.remaining)) out.remaining = read_count(*value);
    if (const auto value = find_header(headers, names.reset)) out.reset = read_reset(*value, answered);
    if (out != RateLimit{}) break;
  }
  return out;
}

}  // namespace

bool operator==(const RateLimit&, const RateLimit&) = default;
bool operator==(const RateLimits&, const RateLimits&) = default;

RateLimits ResponseInfo::rate_limits() const {
  const auto answered = protocol::answered_at(head.headers, system_clock::now());
  return {.requests = read(head.headers, request_limits, answered),
          .tokens = read(head.headers, token_limits, answered)};
}

}  // namespace inferwire::inline v0_1
