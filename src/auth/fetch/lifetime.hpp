/// \file
/// How long a token serves.
#pragma once

#include <chrono>
#include <optional>

#include "inferwire/credential.hpp"

namespace inferwire::inline v0_1::auth {

/// The life of a token, measured by two clocks: what either says has passed has passed. The steady one stands
/// still while a machine sleeps, the wall's may be set back.
class Lifetime {
 public:
  using WallTime = std::chrono::system_clock::time_point;

  /// Makes one that lasts for ever if it has no end.
  Lifetime(Instant obtained, std::optional<WallTime> expires_at);

  /// It serves no more: its end has come, or is so near that a request might arrive too late.
  bool is_over(Instant now) const noexcept { return passed(end_, now); }
  /// It still serves, and it is time for the next one.
  bool is_old(Instant now) const noexcept { return passed(renewal_, now); }

 private:
  static bool passed(Instant moment, Instant now) noexcept {
    return now.steady >= moment.steady || now.wall >= moment.wall;
  }

  Instant renewal_{TimePoint::max(), WallTime::max()};
  Instant end_{TimePoint::max(), WallTime::max()};
};

}  // namespace inferwire::inline v0_1::auth
