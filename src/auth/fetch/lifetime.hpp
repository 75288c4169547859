/// \file
/// The lifetime of a token.
#pragma once

#include "inferwire/credential.hpp"

#include <chrono>
#include <optional>

namespace inferwire::inline v0_1::auth {

/// The lifetime of a token, measured by two clocks; it is over once it has ended by one of them. The steady
/// clock may stop while the machine sleeps, and the wall clock may be set back.
class Lifetime {
 public:
  using WallTime = std::chrono::system_clock::time_point;

  /// Lasts forever if `expires_at` is absent.
  Lifetime(Instant obtained, std::optional<WallTime> expires_at);

  /// Whether the token must not be used any more: it has expired, or will so soon that a request might arrive
  /// too late.
  bool is_over(Instant now) const noexcept { return passed(end_, now); }
  /// Whether it is time to renew the token.
  bool is_old(Instant now) const noexcept { return passed(renewal_, now); }

 private:
  static bool passed(Instant moment, Instant now) noexcept {
    return now.steady >= moment.steady || now.wall >= moment.wall;
  }

  Instant renewal_{TimePoint::max(), WallTime::max()};
  Instant end_{TimePoint::max(), WallTime::max()};
};

}  // namespace inferwire::inline v0_1::auth
