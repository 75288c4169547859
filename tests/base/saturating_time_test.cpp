#include "base/saturating_time.hpp"

#include "support/catch.hpp"

#include <chrono>

using namespace std::chrono_literals;
using inferwire::after;
using inferwire::Duration;
using inferwire::TimePoint;

TEST_CASE("after does not overflow") {
  constexpr TimePoint now{1h};
  for (const auto wait : {Duration::min(), Duration(-1), Duration(0)}) CHECK(after(now, wait) == now);
  CHECK(after(now, 1ms) == now + 1ms);
  CHECK(after(now, 1ns) == now + 1ns);
  CHECK(after(now, Duration::max()) == TimePoint::max());
  CHECK(after(now, std::chrono::nanoseconds::max()) == TimePoint::max());
  CHECK(after(TimePoint::max(), 1ns) == TimePoint::max());
  CHECK(after(TimePoint::min(), 1ns) == TimePoint::min() + 1ns);
}
