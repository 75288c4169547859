#include "client/stream/handover.hpp"

#include "support/catch.hpp"

#include <atomic>
#include <initializer_list>
#include <thread>

using inferwire::client::Handover;
using inferwire::client::Waiter;

TEST_CASE("Handover::hand_over leaves nobody but a fold waiting", "[handover]") {
  for (const auto who : {Waiter::reader, Waiter::looker, Waiter::listener, Waiter::fold}) {
    Handover handover;
    CHECK_FALSE(handover.is_awaited());
    handover.ask_for(who);
    CHECK(handover.is_awaited());
    CHECK(handover.hand_over() == who);
    CHECK(handover.is_awaited() == (who == Waiter::fold));
    handover.clear();
    CHECK(handover.waiter() == Waiter::nobody);
  }
}

TEST_CASE("a looker is replaced until it is told", "[handover]") {
  Handover handover;
  handover.ask_for(Waiter::looker);
  CHECK(handover.replace_looker(Waiter::fold));
  CHECK(handover.waiter() == Waiter::fold);
  CHECK_FALSE(handover.replace_looker(Waiter::listener));
  handover.ask_for(Waiter::looker);
  CHECK(handover.hand_over() == Waiter::looker);
  CHECK_FALSE(handover.replace_looker(Waiter::listener));
  CHECK(handover.waiter() == Waiter::nobody);
}

TEST_CASE("a reader is resumed once by a task, and only when it is due", "[handover]") {
  Handover handover;
  CHECK_FALSE(handover.take_resumption());
  handover.ask_for(Waiter::reader);
  CHECK_FALSE(handover.take_resumption());
  CHECK(handover.hand_over() == Waiter::reader);
  CHECK(handover.waiter() == Waiter::resuming);
  CHECK(handover.take_resumption());
  CHECK_FALSE(handover.take_resumption());
  handover.resume_by_task();
  CHECK_FALSE(handover.is_awaited());
  CHECK(handover.take_resumption());
}

TEST_CASE("a reader that has withdrawn is not resumed", "[handover]") {
  Handover handover;
  handover.ask_for(Waiter::reader);
  CHECK(handover.withdraw_reader());
  CHECK(handover.hand_over() == Waiter::looker);
  CHECK_FALSE(handover.take_resumption());
  handover.ask_for(Waiter::reader);
  CHECK(handover.hand_over() == Waiter::reader);
  CHECK_FALSE(handover.withdraw_reader());
  CHECK_FALSE(handover.take_resumption());
  CHECK(handover.waiter() == Waiter::nobody);
}

TEST_CASE("a reader that withdraws after another waiter has taken its place leaves that one", "[handover]") {
  Handover handover;
  handover.ask_for(Waiter::reader);
  handover.ask_for(Waiter::listener);
  CHECK_FALSE(handover.withdraw_reader());
  CHECK(handover.waiter() == Waiter::listener);
}

TEST_CASE("a reader that withdraws leaves a looker or an element, on any schedule of two threads",
          "[handover]") {
  for (int round = 0; round < 200; ++round) {
    Handover handover;
    handover.ask_for(Waiter::reader);
    auto told = Waiter::nobody;
    std::atomic<bool> begun{false};
    std::thread loop([&] {
      begun = true;
      told = handover.hand_over();
    });
    while (!begun) std::this_thread::yield();
    const bool looks = handover.withdraw_reader();
    loop.join();
    REQUIRE(told == (looks ? Waiter::looker : Waiter::reader));
    REQUIRE(handover.waiter() == Waiter::nobody);
  }
}
