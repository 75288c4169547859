#include "inferwire/clock.hpp"

#include "support/catch.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace inferwire;
using namespace std::chrono_literals;

TEST_CASE("Clock::system is one clock that never goes back") {
  auto& clock = Clock::system();
  CHECK(&clock == &Clock::system());
  const auto first = clock.now();
  CHECK(clock.now() >= first);
}

TEST_CASE("Clock::wait until a moment that has passed returns at once") {
  auto& clock = Clock::system();
  std::mutex mutex;
  std::condition_variable wakeup;
  std::unique_lock lock(mutex);
  clock.wait(lock, wakeup, clock.now() - 1h);
  CHECK(lock.owns_lock());
}

TEST_CASE("Clock::wait returns at its moment, or when it is notified") {
  auto& clock = Clock::system();
  std::mutex mutex;
  std::condition_variable wakeup;
  std::unique_lock lock(mutex);
  const auto until = clock.now() + 5ms;
  while (clock.now() < until) clock.wait(lock, wakeup, until);  // wait() may return early
  CHECK(clock.now() >= until);
}

TEST_CASE("Clock::wait until TimePoint::max() ends by a notification") {
  auto& clock = Clock::system();
  std::mutex mutex;
  std::condition_variable wakeup;
  bool told = false;
  std::thread teller([&] {
    std::lock_guard lock(mutex);
    told = true;
    wakeup.notify_all();
  });
  {
    std::unique_lock lock(mutex);
    while (!told) clock.wait(lock, wakeup, TimePoint::max());
  }
  teller.join();
  CHECK(told);
}
