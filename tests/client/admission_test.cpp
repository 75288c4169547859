#include "client/loop/admission.hpp"

#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace inferwire;
using inferwire::client::Admission;

namespace {

struct Caller {
  std::string name;
  mutable int asked{};
  const std::string& host() const noexcept {
    ++asked;
    return name;
  }
};

}  // namespace

TEST_CASE("Admission without limits lets every call enter at once", "[admission]") {
  const EventLoopOptions options;
  Admission<Caller> admission(options);
  Caller caller{"a"};
  for (int i = 0; i < 100; ++i) CHECK(admission.enter(caller));
  admission.leave(caller);
  CHECK(admission.next() == nullptr);
}

TEST_CASE("Admission::next gives the calls that found no room, once each, in order", "[admission]") {
  const EventLoopOptions options{.max_calls = 1};
  Admission<Caller> admission(options);
  Caller first{"b"};
  Caller second{"b"};
  Caller third{"a"};
  Caller fourth{"c"};
  CHECK(admission.enter(first));
  CHECK_FALSE(admission.enter(second));
  CHECK_FALSE(admission.enter(second));
  CHECK_FALSE(admission.enter(third));
  CHECK_FALSE(admission.enter(fourth));
  CHECK(admission.next() == nullptr);
  admission.leave(first);
  CHECK(admission.next() == &second);
  CHECK(admission.next() == nullptr);
  CHECK_FALSE(admission.enter(third));
  CHECK(admission.enter(second));
  admission.leave(second);
  admission.leave(second);
  CHECK(admission.next() == &third);
  CHECK(admission.next() == nullptr);
  admission.leave(third);
  CHECK(admission.next() == &fourth);
}

TEST_CASE("Admission::leave frees the room of a call that next() had chosen", "[admission]") {
  const EventLoopOptions options{.max_calls_per_host = 1};
  Admission<Caller> admission(options);
  std::vector<Caller> callers(4, Caller{"a"});
  CHECK(admission.enter(callers[0]));
  for (std::size_t i = 1; i < callers.size(); ++i) CHECK_FALSE(admission.enter(callers[i]));
  admission.leave(callers[0]);
  CHECK(admission.next() == &callers[1]);
  admission.leave(callers[2]);
  admission.leave(callers[1]);
  CHECK(admission.next() == &callers[3]);
  admission.leave(callers[3]);
  CHECK(admission.next() == nullptr);
  CHECK(admission.enter(callers[1]));
}

TEST_CASE("Admission::leave of a call that waits leaves the room of its host taken", "[admission]") {
  const EventLoopOptions options{.max_calls_per_host = 1};
  Admission<Caller> admission(options);
  Caller running{"a"};
  Caller waiting{"a"};
  CHECK(admission.enter(running));
  CHECK_FALSE(admission.enter(waiting));
  admission.leave(waiting);
  CHECK_FALSE(admission.enter(waiting));
}

TEST_CASE("Admission::enter lets no call overtake one that may begin", "[admission]") {
  const EventLoopOptions options{.max_calls_per_host = 1, .max_calls = 2};
  Admission<Caller> admission(options);
  Caller running{"a"};
  Caller waiting{"a"};
  Caller same_host{"a"};
  Caller other_host{"b"};
  CHECK(admission.enter(running));
  CHECK_FALSE(admission.enter(waiting));
  admission.leave(running);
  CHECK_FALSE(admission.enter(same_host));
  CHECK_FALSE(admission.enter(other_host));
  CHECK(admission.next() == &waiting);
  CHECK(admission.next() == &other_host);
  CHECK(admission.next() == nullptr);
  CHECK(admission.enter(waiting));
  CHECK(admission.enter(other_host));
}

TEST_CASE("a call to another host overtakes one whose host is full", "[admission]") {
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
  admission.leave(other_host);
  CHECK(admission.next() == &third_host);
  admission.leave(one);
  CHECK(admission.next() == &same_host);
}

TEST_CASE("Admission does not look through waiting calls when others enter and leave", "[admission]") {
  const EventLoopOptions options{.max_calls_per_host = 1};
  Admission<Caller> admission(options);
  std::vector<Caller> callers(1000, Caller{"slow"});
  for (auto& caller : callers) admission.enter(caller);
  Caller other{"quick"};
  for (int i = 0; i < 10; ++i) {
    CHECK(admission.enter(other));
    admission.leave(other);
    CHECK(admission.next() == nullptr);
  }
  for (std::size_t i = callers.size(); i-- > 1;) {
    admission.leave(callers[i]);
    CHECK(admission.next() == nullptr);
  }
  for (const auto& caller : callers) CHECK(caller.asked == 1);
}
