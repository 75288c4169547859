/// \file
/// Numbers between two bounds, written digit by digit.
#pragma once

#include "engine/constraint/cost.hpp"

#include <cstdint>
#include <optional>

namespace inferwire::inline v0_1::engine {

/// The limits that a schema sets for a number.
struct NumberBounds {
  std::optional<double> minimum{};
  std::optional<double> maximum{};
  std::optional<double> above{};  ///< exclusiveMinimum
  std::optional<double> below{};  ///< exclusiveMaximum
  std::optional<int> decimals{};  ///< the most, up to 9; 0: integers; absent: as the bounds require
  std::int64_t step{1};           ///< multipleOf, in units of 10^-decimals
};

/// A partly written number.
struct Digits {
  enum class Phase : std::uint8_t { start, minus, whole, fraction };

  Phase phase{};
  bool negative{};
  std::uint8_t decimals{};  ///< digits after the point
  std::int64_t value{};     ///< all digits, ignoring the point

  friend bool operator==(const Digits&, const Digits&) = default;
};

/// Exact: a digit is accepted if and only if it can lead to a number between the bounds. Numbers have no
/// exponents, and at most three decimals unless the bounds require more or fewer. A missing bound is at
/// least a million away from the other one.
class NumberRange {
 public:
  /// Nothing if there is no such number, or none below 9e15.
  static std::optional<NumberRange> between(const NumberBounds& bounds);

  /// The digits with one more byte; nothing if that cannot lead to such a number.
  std::optional<Digits> next(Digits digits, char byte) const noexcept;
  bool may_end(const Digits& digits) const noexcept;
  /// The fewest bytes that complete the number; 0 if it may end here.
  Cost left(const Digits& digits) const noexcept;

 private:
  static std::optional<NumberRange> with(int decimals, const NumberBounds& bounds);
  NumberRange(std::int64_t low, std::int64_t high, int decimals, std::int64_t step)
      : low_(low), high_(high), step_(step), decimals_(decimals) {}

  struct Interval {
    std::int64_t from;
    std::int64_t to;
  };
  Interval magnitudes(bool negative) const noexcept;
  Cost whole_left(const Digits& digits) const noexcept;
  Cost fraction_left(const Digits& digits) const noexcept;
  Cost decimals_between(Interval wanted, Interval reached, int least, int written) const noexcept;

  // In units of 10^-decimals_.
  std::int64_t low_;
  std::int64_t high_;
  std::int64_t step_;
  int decimals_;
};

}  // namespace inferwire::inline v0_1::engine
