/// \file
/// How much work compiling a schema may be.
#pragma once

#include <cstddef>
#include <cstdint>

namespace inferwire::inline v0_1::engine {

/// A limit on one quantity, and how much of it is spent.
class Allowance {
 public:
  explicit constexpr Allowance(std::size_t most) noexcept : most_(most) {}

  /// Returns whether there was enough; once there was not, all further calls return false.
  bool spend(std::uint64_t amount) noexcept {
    spent_ += amount;
    return !is_exceeded();
  }
  bool is_exceeded() const noexcept { return spent_ > most_; }
  std::size_t most() const noexcept { return most_; }
  std::size_t left() const noexcept { return is_exceeded() ? 0 : most_ - static_cast<std::size_t>(spent_); }
  /// 1 if all of it is spent.
  double share() const noexcept { return static_cast<double>(spent_) / static_cast<double>(most_); }

 private:
  std::size_t most_;
  std::uint64_t spent_{};
};

/// The most states of one pattern.
inline constexpr std::size_t most_states_of_pattern = 2'000;

/// The limits for one schema.
struct SchemaBudget {
  /// Nodes of its grammar.
  Allowance nodes{5'000};
  /// States of all its patterns.
  Allowance states{4'000};
  /// Values that are copied and compared where keywords are combined: repeating that with a large part for
  /// every property of a schema would take forever.
  Allowance copies{2'000'000};
  /// Characters of all listed texts.
  Allowance characters{1'000'000};

  /// The sum of the shares: 1 for each limit that is reached.
  double spent() const noexcept {
    return nodes.share() + states.share() + copies.share() + characters.share();
  }
};

}  // namespace inferwire::inline v0_1::engine
