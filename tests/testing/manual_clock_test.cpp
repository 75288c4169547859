#include "inferwire/testing/manual_clock.hpp"

#include "support/catch.hpp"

#include <chrono>

using namespace std::chrono_literals;
using inferwire::TimePoint;
using inferwire::testing::ManualClock;

TEST_CASE("ManualClock::advance never goes back, whatever the duration") {
  ManualClock clock;
  const auto begin = clock.now();
  clock.advance(-1s);
  CHECK(clock.now() == begin);
  clock.advance(1ns);
  CHECK(clock.now() == begin + 1ns);
  for (int i = 0; i < 2; ++i) {
    clock.advance(std::chrono::nanoseconds::max());
    CHECK(clock.now() > begin + std::chrono::hours(24 * 365 * 200));
    CHECK(clock.now() < TimePoint::max());
  }
}
