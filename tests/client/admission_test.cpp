#include "client/loop/admission.hpp"

#include <string>

#include "support/catch.hpp"

using inferwire::EventLoopOptions;
using inferwire::client::Admission;

namespace {

struct Caller {
  std::string name;
  const std::string& host() const noexcept { return name; }
};

constexpr auto anybody = [](const Caller&) { return true; };

}  // namespace

TEST_CASE("without limits everybody may begin, and nobody waits", "[admission]") {
  const EventLoopOptions options;
  Admission<Caller> admission(options);
  Caller caller{"a"};
  for (int i = 0; i < 100; ++i) CHECK(admission.enter(caller));
  admission.exit(caller);
  CHECK(admission.next(anybody) == nullptr);
}

TEST_CASE("who finds no room waits once, and is the next when there is some", "[admission]") {
  const EventLoopOptions options{.max_calls = 1};
  Admission<Caller> admission(options);
  Caller first{"a"};
  Caller second{"a"};
  Caller third{"b"};
  CHECK(admission.enter(first));
  CHECK_FALSE(admission.enter(second));
  CHECK_FALSE(admission.enter(second));
  CHECK_FALSE(admission.enter(third));
  CHECK(admission.next(anybody) == nullptr);
  admission.exit(first);
  CHECK(admission.next(anybody) == &second);
  CHECK(admission.next([&](const Caller& caller) { return &caller != &second; }) == &third);
  CHECK(admission.enter(second));
  admission.exit(second);
  CHECK(admission.next(anybody) == &third);
  CHECK(admission.forget(third));
  CHECK_FALSE(admission.forget(third));
  CHECK(admission.next(anybody) == nullptr);
}

TEST_CASE("who comes later does not begin before one that waits and may", "[admission]") {
  const EventLoopOptions options{.max_calls_per_host = 1, .max_calls = 2};
  Admission<Caller> admission(options);
  Caller running{"a"};
  Caller waiting{"a"};
  Caller same_host{"a"};
  Caller other_host{"b"};
  CHECK(admission.enter(running));
  CHECK_FALSE(admission.enter(waiting));
  admission.exit(running);
  CHECK_FALSE(admission.enter(same_host));
  CHECK_FALSE(admission.enter(other_host));
  CHECK(admission.gave_way());
  CHECK(admission.enter(waiting));
  CHECK(admission.next(anybody) == &other_host);
  CHECK(admission.enter(other_host));
  CHECK(admission.next(anybody) == nullptr);
  CHECK_FALSE(admission.gave_way());
}

TEST_CASE("nobody waits behind one whose host has no room", "[admission]") {
  const EventLoopOptions options{.max_calls_per_host = 1, .max_calls = 2};
  Admission<Caller> admission(options);
  Caller one{"a"};
  Caller same_host{"a"};
  Caller other_host{"b"};
  Caller third_host{"c"};
  CHECK(admission.enter(one));
  CHECK_FALSE(admission.enter(same_host));
  CHECK(admission.enter(other_host));
  CHECK_FALSE(admission.enter(third_host));
  admission.exit(other_host);
  CHECK(admission.next(anybody) == &third_host);
  admission.exit(one);
  CHECK(admission.next(anybody) == &same_host);
}
