#include "engine/constraint/number_range.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace inferwire::inline v0_1::engine {
namespace {

using Phase = Digits::Phase;

/// A double represents every integer up to this.
constexpr std::int64_t largest_number = 9'000'000'000'000'000;
/// The least distance of a bound that the schema does not set from the other one.
constexpr std::int64_t usual = 1'000'000;

constexpr auto powers = [] {
  std::array<std::int64_t, 19> out{1};
  for (std::size_t i = 1; i < out.size(); ++i) out[i] = out[i - 1] * 10;
  return out;
}();
constexpr std::int64_t power(int exponent) { return powers[static_cast<std::size_t>(exponent)]; }

/// The value that a JSON parser reads for `units`: dividend and divisor are exact, so the quotient is the
/// double nearest to the decimal.
double value_of(std::int64_t units, int decimals) {
  return static_cast<double>(units) / static_cast<double>(power(decimals));
}

/// The start of the search for a bound; at most two units off.
std::int64_t units_near(double value, int decimals) {
  const double limit = static_cast<double>(largest_number);
  return static_cast<std::int64_t>(
      std::clamp(std::floor(value * static_cast<double>(power(decimals))), -limit, limit));
}

/// The smallest number of units that satisfies the lower bounds.
std::optional<std::int64_t> lowest(const NumberBounds& bounds, int decimals) {
  if (!bounds.minimum && !bounds.above) return std::nullopt;
  const double none = -std::numeric_limits<double>::infinity();
  const double least = bounds.minimum.value_or(none), above = bounds.above.value_or(none);
  auto units = units_near(std::max(least, above), decimals) - 2;
  while (value_of(units, decimals) < least || value_of(units, decimals) <= above) {
    if (++units > largest_number) break;
  }
  return units;
}

std::optional<std::int64_t> highest(const NumberBounds& bounds, int decimals) {
  const auto negated = [](std::optional<double> value) { return value ? std::optional(-*value) : value; };
  const auto mirrored =
      lowest({.minimum = negated(bounds.maximum), .above = negated(bounds.below)}, decimals);
  return mirrored ? std::optional(-*mirrored) : std::nullopt;
}

bool has_multiple(std::int64_t from, std::int64_t to, std::int64_t step) {
  return from <= to && (from + step - 1) / step * step <= to;
}

/// The least common multiple; if it is too large, a number of which only 0 is a multiple in range.
std::int64_t common_multiple(std::int64_t a, std::int64_t b) {
  const auto more = a / std::gcd(a, b);
  return more > largest_number / b ? largest_number + 1 : more * b;
}

}  // namespace

std::optional<NumberRange> NumberRange::between(const NumberBounds& bounds) {
  if (bounds.decimals) return with(*bounds.decimals, bounds);
  // Three decimals, more for bounds that are close together, fewer for large numbers.
  for (const int decimals : {3, 6, 9, 2, 1, 0}) {
    if (auto range = with(decimals, bounds)) return range;
  }
  return std::nullopt;
}

std::optional<NumberRange> NumberRange::with(int decimals, const NumberBounds& bounds) {
  auto low = lowest(bounds, decimals), high = highest(bounds, decimals);
  const auto reach = std::max(usual * power(decimals), bounds.step);
  if (!low) low = high ? std::min(-reach, *high - reach) : -reach;
  if (!high) high = std::max(reach, *low + reach);
  const NumberRange range(std::max(*low, -largest_number), std::min(*high, largest_number), decimals,
                          bounds.step);
  return range.low_ <= range.high_ && range.left({}) < unreachable ? std::optional(range) : std::nullopt;
}

NumberRange::Interval NumberRange::magnitudes(bool negative) const noexcept {
  if (negative) return {std::max<std::int64_t>(1, -high_), -low_};  // there is no "-0"
  return {std::max<std::int64_t>(0, low_), high_};
}

std::optional<Digits> NumberRange::next(Digits digits, char byte) const noexcept {
  const bool digit = byte >= '0' && byte <= '9';
  const bool begun = digits.phase == Phase::whole || digits.phase == Phase::fraction;
  if (digits.phase == Phase::start && byte == '-') {
    digits.negative = true;
    digits.phase = Phase::minus;
  } else if (digits.phase == Phase::whole && byte == '.') {
    digits.phase = Phase::fraction;
  } else if (digit && !begun) {
    digits.phase = Phase::whole;
    digits.value = byte - '0';
  } else if (digit && digits.value <= largest_number / 10) {
    if (digits.phase == Phase::whole && digits.value == 0) return std::nullopt;
    if (digits.phase == Phase::fraction && ++digits.decimals > decimals_) return std::nullopt;
    digits.value = digits.value * 10 + (byte - '0');
  } else {
    return std::nullopt;
  }
  return left(digits) < unreachable ? std::optional(digits) : std::nullopt;
}

bool NumberRange::may_end(const Digits& digits) const noexcept {
  if (digits.phase != Phase::whole && (digits.phase != Phase::fraction || digits.decimals == 0)) return false;
  const auto units = digits.value * power(decimals_ - digits.decimals);
  const auto wanted = magnitudes(digits.negative);
  return units >= wanted.from && units <= wanted.to && units % step_ == 0;
}

Cost NumberRange::left(const Digits& digits) const noexcept {
  switch (digits.phase) {
    case Phase::start:
      return std::min(whole_left(digits), plus(1, whole_left({.phase = Phase::minus, .negative = true})));
    case Phase::minus:
    case Phase::whole: return whole_left(digits);
    case Phase::fraction: break;
  }
  return fraction_left(digits);
}

/// How many more decimals after the `written` ones, at least `least`, give a number in both intervals.
Cost NumberRange::decimals_between(Interval wanted, Interval reached, int least, int written) const noexcept {
  const Interval both{std::max(wanted.from, reached.from), std::min(wanted.to, reached.to)};
  for (int more = least; written + more <= decimals_; ++more) {
    const auto step = common_multiple(step_, power(decimals_ - written - more));
    if (has_multiple(both.from, both.to, step)) return static_cast<Cost>(more);
  }
  return unreachable;
}

Cost NumberRange::whole_left(const Digits& digits) const noexcept {
  const auto wanted = magnitudes(digits.negative);
  const auto unit = power(decimals_);
  const bool begun = digits.phase == Phase::whole;
  Cost best = unreachable;
  for (int more = begun ? 0 : 1; more <= 16 && static_cast<Cost>(more) < best; ++more) {
    if (begun && digits.value == 0 && more > 0) break;
    if (digits.value > wanted.to / unit / power(more)) break;
    const auto from = begun ? digits.value * power(more) : more == 1 ? 0 : power(more - 1);
    const auto to = begun ? from + power(more) - 1 : power(more) - 1;
    if (from > wanted.to / unit) break;
    const Interval reached{from * unit, std::min(to, wanted.to / unit) * unit + unit - 1};
    const auto decimals = decimals_between(wanted, reached, 0, 0);
    const auto point = decimals > 0 ? 1U : 0U;
    best = std::min(best, plus(static_cast<Cost>(more) + point, decimals));
  }
  return best;
}

Cost NumberRange::fraction_left(const Digits& digits) const noexcept {
  const auto unit = power(decimals_ - digits.decimals);
  if (digits.value > largest_number / unit) return unreachable;
  const Interval reached{digits.value * unit, digits.value * unit + unit - 1};
  return decimals_between(magnitudes(digits.negative), reached, digits.decimals == 0 ? 1 : 0,
                          digits.decimals);
}

}  // namespace inferwire::inline v0_1::engine
