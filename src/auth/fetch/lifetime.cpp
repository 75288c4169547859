#include "auth/fetch/lifetime.hpp"

#include <algorithm>

namespace inferwire::inline v0_1::auth {

namespace {

using Seconds = std::chrono::duration<double>;

Instant after(Instant moment, Seconds time) {
  return {moment.steady + std::chrono::duration_cast<TimePoint::duration>(time),
          moment.wall + std::chrono::duration_cast<Lifetime::WallTime::duration>(time)};
}

}  // namespace

Lifetime::Lifetime(Instant obtained, std::optional<WallTime> expires_at) {
  if (!expires_at) return;
  constexpr auto longest_margin = Seconds(std::chrono::seconds(40));  // Azure refuses the last 30 seconds
  constexpr auto longest_lead = Seconds(std::chrono::minutes(20));
  constexpr auto longest_life = Seconds(std::chrono::hours(24 * 365));
  const auto left =
      std::max(*expires_at, obtained.wall) - obtained.wall;  // the expiry may be any time in the past
  const auto life = std::min(Seconds(left), longest_life);
  renewal_ = after(obtained, life - std::min(life / 2, longest_lead));
  end_ = after(obtained, life - std::min(life / 4, longest_margin));
}

}  // namespace inferwire::inline v0_1::auth
