#include "testing/playback.hpp"

#include "support/catch.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using Next = Playback::Next;

namespace {

class CountingWaiter final : public Waiter {
 public:
  void notify() noexcept override { ++told; }
  int told{};
};

/// A reply that was asked for at the beginning of time.
struct Played {
  explicit Played(Reply reply) : playback(std::move(reply), TimePoint{}) {}

  /// What comes after this much time.
  Next next(std::chrono::milliseconds after = 0ms) { return playback.next(TimePoint{} + after, waiter); }
  /// Plays it, and says what it was.
  Next play(std::chrono::milliseconds after = 0ms) {
    const auto what = next(after);
    playback.played(TimePoint{} + after);
    return what;
  }

  std::shared_ptr<CountingWaiter> waiter = std::make_shared<CountingWaiter>();
  Playback playback;
};

}  // namespace

TEST_CASE("Playback gives head, pieces as often as `times`, and end") {
  Reply reply{.body = {{.bytes = "x", .times = 0},
                       {.bytes = "a", .times = 2},
                       {.bytes = "b"},
                       {.bytes = "x", .times = 0}}};
  Played played(reply);
  CHECK(played.play() == Next::head);
  for (const std::string bytes : {"a", "a", "b"}) {
    CHECK(played.next() == Next::piece);
    CHECK(played.playback.piece().bytes == bytes);
    CHECK(played.play() == Next::piece);
  }
  CHECK(played.next() == Next::end);
}

TEST_CASE("Playback::next stays the same until it was played") {
  Played played(Reply{});
  CHECK(played.next() == Next::head);
  CHECK(played.play() == Next::head);
  CHECK(played.next() == Next::end);
  CHECK(played.next() == Next::end);
}

TEST_CASE("Playback counts a delay from the part before it") {
  Reply reply{.body = {{.bytes = "a", .delay = 20ms}}, .head_delay = 10ms};
  Played played(reply);
  CHECK(played.next(9ms) == Next::not_yet);
  CHECK(played.playback.due() == TimePoint{} + 10ms);
  CHECK(played.play(15ms) == Next::head);
  CHECK(played.next(34ms) == Next::not_yet);
  CHECK(played.playback.due() == TimePoint{} + 35ms);
  CHECK(played.playback.last() == TimePoint{} + 15ms);
  CHECK_FALSE(played.playback.gated());
  CHECK(played.play(35ms) == Next::piece);
  CHECK_FALSE(played.playback.due());
}

TEST_CASE("Playback limits an endless delay to a year") {
  Played played(Reply{.head_delay = std::chrono::milliseconds::max()});
  CHECK(played.next() == Next::not_yet);
  CHECK(played.playback.due() == TimePoint{} + 24h * 365);
}

TEST_CASE("Playback waits for a Gate without a time, and is told when it opens") {
  Gate gate;
  Played played(Reply{.head_gate = gate, .head_delay = 10ms});
  CHECK(played.next(20ms) == Next::not_yet);
  CHECK(played.playback.gated());
  CHECK_FALSE(played.playback.due());
  CHECK(played.waiter->told == 0);
  gate.open();
  CHECK(played.waiter->told == 1);
  CHECK(played.next(5ms) == Next::not_yet);
  CHECK_FALSE(played.playback.gated());
  CHECK(played.next(20ms) == Next::head);
}

TEST_CASE("Ending::silence never ends a Playback") {
  Played played(Reply{.ending = Ending::silence});
  CHECK(played.play() == Next::head);
  CHECK(played.next(24h) == Next::not_yet);
  CHECK_FALSE(played.playback.due());
  CHECK_FALSE(played.playback.gated());
}
