#include "client/stream/telling.hpp"

#include <atomic>
#include <thread>

#include "support/catch.hpp"

using inferwire::client::Telling;

TEST_CASE("whoever leaves while nobody tells need not wait, and nobody is told any more", "[telling]") {
  Telling telling;
  CHECK(telling.begin(false));
  telling.end();
  CHECK_FALSE(telling.is_left());
  CHECK_FALSE(telling.leave());
  CHECK(telling.is_left());
  CHECK_FALSE(telling.begin(false));
  CHECK_FALSE(telling.leave());
}

TEST_CASE("a listener may leave from within what it is told", "[telling]") {
  for (const bool stays : {false, true}) {
    Telling telling;
    REQUIRE(telling.begin(stays));
    CHECK_FALSE(telling.leave());
    CHECK(telling.is_left());
    if (stays) CHECK_FALSE(telling.begin(stays));
    if (stays) {
      telling.pause();
    } else {
      telling.end();
    }
    CHECK_FALSE(telling.begin(stays));
  }
}

TEST_CASE("one that stays tells more until it pauses", "[telling]") {
  Telling telling;
  telling.pause();  // nobody tells yet
  REQUIRE(telling.begin(true));
  CHECK(telling.begin(true));
  telling.pause();
  telling.pause();
  CHECK_FALSE(telling.leave());
}

TEST_CASE("whoever leaves waits for what another thread is telling", "[telling]") {
  Telling telling;
  REQUIRE(telling.begin(false));
  std::atomic<bool> gone{false};
  std::thread reader([&] {
    CHECK(telling.leave());
    telling.wait();
    gone = true;
  });
  while (!telling.is_left()) std::this_thread::yield();
  CHECK_FALSE(gone);
  telling.end();
  reader.join();
  CHECK(gone);
}

TEST_CASE("nothing is told to one that has left, whenever it leaves", "[telling]") {
  for (int round = 0; round < 500; ++round) {
    const bool stays = round % 2 == 0;
    Telling telling;
    std::atomic<bool> telling_now{false};
    std::atomic<int> told{0};
    std::thread teller([&] {
      while (telling.begin(stays)) {
        telling_now = true;
        ++told;
        telling_now = false;
        if (!stays) telling.end();
        if (told % 8 == 0) telling.pause();
      }
      telling.pause();
    });
    while (told < round % 50) std::this_thread::yield();
    if (telling.leave()) telling.wait();
    const bool while_gone = telling_now;
    const int last = told;
    teller.join();
    REQUIRE_FALSE(while_gone);
    REQUIRE(told == last);
  }
}
