#include "client/stream/callback_guard.hpp"

#include "support/catch.hpp"

#include <atomic>
#include <thread>

using inferwire::client::CallbackGuard;

TEST_CASE("CallbackGuard::close needs no wait while nothing is called, and ends the calls",
          "[callback_guard]") {
  CallbackGuard guard;
  CHECK(guard.begin(false));
  guard.end();
  CHECK_FALSE(guard.is_closed());
  CHECK_FALSE(guard.close());
  CHECK(guard.is_closed());
  CHECK_FALSE(guard.begin(false));
  CHECK_FALSE(guard.close());
}

TEST_CASE("CallbackGuard::close may be called from within a call", "[callback_guard]") {
  for (const bool stays : {false, true}) {
    CallbackGuard guard;
    REQUIRE(guard.begin(stays));
    CHECK_FALSE(guard.close());
    CHECK(guard.is_closed());
    if (stays) CHECK_FALSE(guard.begin(stays));
    if (stays) {
      guard.pause();
    } else {
      guard.end();
    }
    CHECK_FALSE(guard.begin(stays));
  }
}

TEST_CASE("CallbackGuard::begin(true) may be repeated until pause()", "[callback_guard]") {
  CallbackGuard guard;
  guard.pause();  // no call in progress yet
  REQUIRE(guard.begin(true));
  CHECK(guard.begin(true));
  guard.pause();
  guard.pause();
  CHECK_FALSE(guard.close());
}

TEST_CASE("CallbackGuard::wait waits for the call of another thread", "[callback_guard]") {
  CallbackGuard guard;
  REQUIRE(guard.begin(false));
  std::atomic<bool> gone{false};
  std::thread reader([&] {
    CHECK(guard.close());
    guard.wait();
    gone = true;
  });
  while (!guard.is_closed()) std::this_thread::yield();
  CHECK_FALSE(gone);
  guard.end();
  reader.join();
  CHECK(gone);
}

TEST_CASE("nothing is called after CallbackGuard::close, on any schedule of two threads",
          "[callback_guard]") {
  for (int round = 0; round < 100; ++round) {
    const bool stays = round % 2 == 0;
    CallbackGuard guard;
    std::atomic<bool> under_way{false};
    std::atomic<int> calls{0};
    std::thread caller([&] {
      while (guard.begin(stays)) {
        under_way = true;
        ++calls;
        under_way = false;
        if (!stays) guard.end();
        if (calls % 8 == 0) guard.pause();
      }
      guard.pause();
    });
    while (calls < round % 50) std::this_thread::yield();
    if (guard.close()) guard.wait();
    const bool while_gone = under_way;
    const int last = calls;
    caller.join();
    REQUIRE_FALSE(while_gone);
    REQUIRE(calls == last);
  }
}
