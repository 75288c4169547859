#include "client/loop/timers.hpp"

#include "support/catch.hpp"

#include <string>

using namespace std::chrono_literals;
using namespace inferwire;
using inferwire::client::Timers;

namespace {

struct Owner {
  char name{};
  Timers<Owner>::Timer own{};
  Timers<Owner>::Timer& timer() noexcept { return own; }
};

/// The owners whose timers fire, in order.
std::string fired(Timers<Owner>& timers, TimePoint now) {
  std::string names;
  timers.fire(now, [&names](const Owner& owner) { names += owner.name; });
  return names;
}

}  // namespace

TEST_CASE("Timers fire once, in the order of their times, when those have come", "[timers]") {
  Timers<Owner> timers;
  Owner a{'a'};
  Owner b{'b'};
  Owner c{'c'};
  CHECK(timers.earliest() == TimePoint::max());
  timers.set(a, TimePoint(3s));
  timers.set(b, TimePoint(1s));
  timers.set(c, TimePoint(2s));
  CHECK(timers.earliest() == TimePoint(1s));
  CHECK(fired(timers, TimePoint(999ms)).empty());
  CHECK(fired(timers, TimePoint(2s)) == "bc");
  CHECK(timers.earliest() == TimePoint(3s));
  CHECK(fired(timers, TimePoint(9s)) == "a");
  CHECK(fired(timers, TimePoint(9s)).empty());
  CHECK(timers.earliest() == TimePoint::max());
}

TEST_CASE("A timer that was postponed fires at its later time only", "[timers]") {
  Timers<Owner> timers;
  Owner a{'a'};
  timers.set(a, TimePoint(1s));
  timers.set(a, TimePoint(4s));
  timers.set(a, TimePoint(5s));
  CHECK(timers.earliest() <= TimePoint(5s));
  CHECK(fired(timers, TimePoint(4s)).empty());
  CHECK(timers.earliest() == TimePoint(5s));
  CHECK(fired(timers, TimePoint(5s)) == "a");
}

TEST_CASE("A timer that was brought forward fires at its earlier time only", "[timers]") {
  Timers<Owner> timers;
  Owner a{'a'};
  timers.set(a, TimePoint(5s));
  timers.set(a, TimePoint(1s));
  CHECK(timers.earliest() == TimePoint(1s));
  CHECK(fired(timers, TimePoint(1s)) == "a");
  CHECK(fired(timers, TimePoint(9s)).empty());
}

TEST_CASE("A timer set to TimePoint::max() does not fire", "[timers]") {
  Timers<Owner> timers;
  Owner a{'a'};
  timers.set(a, TimePoint::max());
  CHECK(timers.earliest() == TimePoint::max());
  timers.set(a, TimePoint(1s));
  timers.set(a, TimePoint::max());
  CHECK(fired(timers, TimePoint(9s)).empty());
  CHECK(timers.earliest() == TimePoint::max());
}

TEST_CASE("A timer that was cancelled does not fire, and can be set again", "[timers]") {
  Timers<Owner> timers;
  Owner a{'a'};
  Owner b{'b'};
  timers.cancel(a);
  timers.set(a, TimePoint(1s));
  timers.set(b, TimePoint(1s));
  timers.cancel(a);
  CHECK(fired(timers, TimePoint(1s)) == "b");
  timers.set(a, TimePoint(3s));
  CHECK(fired(timers, TimePoint(3s)) == "a");
}

TEST_CASE("A timer that has fired can be set by what it calls", "[timers]") {
  Timers<Owner> timers;
  Owner a{'a'};
  timers.set(a, TimePoint(1s));
  timers.fire(TimePoint(2s), [&](Owner& owner) { timers.set(owner, TimePoint(3s)); });
  CHECK(timers.earliest() == TimePoint(3s));
  CHECK(fired(timers, TimePoint(3s)) == "a");
}
