#include "base/waker.hpp"

#include "support/catch.hpp"

#include <chrono>
#include <thread>

using namespace inferwire;
using namespace std::chrono_literals;

TEST_CASE("Waker lets every listener hear once of the wakes after it began") {
  Waker waker;
  waker.wake();
  Waker::Listener first(waker, Clock::system());
  Waker::Listener second(waker, Clock::system());
  CHECK_FALSE(first.hear());
  waker.wake();
  waker.wake();
  CHECK(first.hear());
  CHECK_FALSE(first.hear());
  CHECK(second.hear());
}

TEST_CASE("Waker::notify ends a wait without being heard as a wake") {
  Waker waker;
  Waker::Listener listener(waker, Clock::system());
  waker.notify();
  CHECK(listener.wait(TimePoint::max(), TimePoint::min()));
  CHECK_FALSE(listener.hear());
  CHECK_FALSE(listener.wait(TimePoint::max(), TimePoint::min()));
}

TEST_CASE("Waker::Listener waits until its moment, or until the deadline") {
  Waker waker;
  auto& clock = Clock::system();
  Waker::Listener listener(waker, clock);
  const auto soon = clock.now() + 5ms;
  CHECK(listener.wait(soon, TimePoint::max()));
  CHECK(clock.now() >= soon);
  CHECK_FALSE(listener.wait(TimePoint::max(), clock.now() + 5ms));
}

TEST_CASE("Waker::wake from another thread ends a wait") {
  Waker waker;
  Waker::Listener listener(waker, Clock::system());
  std::thread other([&] { waker.wake(); });
  CHECK(listener.wait(TimePoint::max(), TimePoint::max()));
  other.join();
  CHECK(listener.hear());
}
