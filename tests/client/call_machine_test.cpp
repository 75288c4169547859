#include "client/call_machine.hpp"

#include <string>

#include "support/catch.hpp"

using namespace std::chrono_literals;
using inferwire::Duration;
using inferwire::ErrorKind;
using inferwire::RetryPolicy;
using inferwire::Timeouts;
using inferwire::TimePoint;
using inferwire::client::CallMachine;
using inferwire::client::Shape;

namespace {

const TimePoint start{1000s};

const Timeouts short_timeouts{.connect = 10ms, .first_byte = 20ms, .idle = 30ms, .total = 100ms};

const RetryPolicy no_retries = RetryPolicy::none();

std::string timer_at(const CallMachine& machine, TimePoint now) {
  const auto error = machine.expired(now);
  return error ? error->timer : "";
}

}  // namespace

TEST_CASE("each phase of a call has its own timer") {
  CallMachine machine(short_timeouts, no_retries, Shape::stream);
  CHECK(machine.next_deadline() == TimePoint::max());

  machine.on_attempt(start);
  CHECK(machine.next_deadline() == start + 10ms);
  CHECK(timer_at(machine, start + 9ms) == "");
  CHECK(timer_at(machine, start + 10ms) == "connect");

  machine.on_connected(start + 5ms);
  CHECK(timer_at(machine, start + 24ms) == "");
  CHECK(timer_at(machine, start + 25ms) == "first_byte");

  machine.on_sent(start + 8ms);
  CHECK(machine.next_deadline() == start + 28ms);
  CHECK(timer_at(machine, start + 28ms) == "first_byte");

  machine.on_head(200);
  machine.on_bytes(3, start + 20ms);
  CHECK(machine.next_deadline() == start + 50ms);
  CHECK(timer_at(machine, start + 50ms) == "idle");
}

TEST_CASE("a head alone does not stop the timer of the first byte") {
  CallMachine machine(short_timeouts, no_retries, Shape::stream);
  machine.on_attempt(start);
  machine.on_connected(start);
  machine.on_sent(start);
  machine.on_head(200);
  machine.on_bytes(0, start + 1ms);
  CHECK(timer_at(machine, start + 20ms) == "first_byte");
}

TEST_CASE("the total timer is for answers that are not streams") {
  CallMachine whole(short_timeouts, no_retries, Shape::whole);
  CallMachine stream(short_timeouts, no_retries, Shape::stream);
  for (auto* machine : {&whole, &stream}) {
    machine->on_attempt(start);
    machine->on_connected(start);
    machine->on_bytes(1, start + 99ms);
  }
  CHECK(timer_at(whole, start + 100ms) == "total");
  CHECK(timer_at(stream, start + 100ms) == "");
  CHECK(timer_at(stream, start + 129ms) == "idle");
}

TEST_CASE("any byte restarts the idle timer, only an event restarts idle_event") {
  auto timeouts = short_timeouts;
  timeouts.idle_event = 50ms;
  CallMachine machine(timeouts, no_retries, Shape::stream);
  machine.on_attempt(start);
  machine.on_connected(start);
  for (auto at = 0ms; at < 50ms; at += 10ms) machine.on_bytes(1, start + at);
  CHECK(timer_at(machine, start + 49ms) == "");
  CHECK(timer_at(machine, start + 50ms) == "idle_event");
  machine.on_reader_left(start + 49ms);
  machine.on_event();
  machine.on_reader_back(start + 49ms);
  machine.on_bytes(1, start + 70ms);
  CHECK(timer_at(machine, start + 98ms) == "");
  CHECK(timer_at(machine, start + 99ms) == "idle_event");
}

TEST_CASE("time in which nobody reads is not the server's") {
  CallMachine machine(short_timeouts, no_retries, Shape::stream);
  machine.on_attempt(start);
  machine.on_connected(start);
  machine.on_bytes(1, start);
  machine.on_reader_left(start + 10ms);
  machine.on_reader_back(start + 5s);
  CHECK(timer_at(machine, start + 5s + 19ms) == "");
  CHECK(timer_at(machine, start + 5s + 20ms) == "idle");
}

TEST_CASE("the overall timer bounds the call whatever its phase, reading or not") {
  Timeouts timeouts{.overall = 40ms};
  CallMachine machine(timeouts, no_retries, Shape::stream);
  machine.on_attempt(start);
  machine.on_connected(start);
  machine.on_bytes(1, start);
  machine.on_reader_left(start);
  machine.on_reader_back(start + 39ms);
  CHECK(timer_at(machine, start + 39ms) == "");
  CHECK(timer_at(machine, start + 40ms) == "overall");
}

TEST_CASE("no limit means none") {
  const Timeouts none{
      .connect = {}, .first_byte = {}, .idle = {}, .idle_event = {}, .total = {}, .overall = {}};
  CallMachine machine(none, no_retries, Shape::whole);
  machine.on_attempt(start);
  CHECK(machine.next_deadline() == TimePoint::max());
  machine.on_connected(start);
  machine.on_bytes(1, start);
  CHECK(timer_at(machine, start + 1000h) == "");
}

TEST_CASE("the error of a timer says which, how long, and what had arrived") {
  CallMachine machine(short_timeouts, no_retries, Shape::stream);
  machine.on_attempt(start);
  machine.on_connected(start);
  machine.on_head(200);
  machine.on_bytes(42, start);
  machine.on_event();
  const auto error = machine.expired(start + 1s);
  REQUIRE(error);
  CHECK(error->kind == ErrorKind::timeout);
  CHECK(error->timer == "idle");
  CHECK_THAT(error->detail, inferwire_test::contains("idle fired after 30 ms"));
  CHECK_THAT(error->detail, inferwire_test::contains("status 200, 42 bytes, 1 events"));
  CHECK_THAT(error->message(), inferwire_test::contains("timeout (idle)"));
}

TEST_CASE("a zero or negative timeout is refused by name") {
  CHECK_FALSE(CallMachine::problem_with(Timeouts{}));
  const auto zero = CallMachine::problem_with(Timeouts{.idle = 0ms});
  REQUIRE(zero);
  CHECK(zero->kind == ErrorKind::config);
  CHECK_THAT(zero->detail, inferwire_test::contains("timeout idle is 0 ms"));
  CHECK(CallMachine::problem_with(Timeouts{.overall = -1ms}));
}

TEST_CASE("a failure is noted among the attempts") {
  CallMachine machine(short_timeouts, no_retries, Shape::whole);
  machine.on_attempt(start);
  inferwire::Error error{.kind = ErrorKind::connection, .detail = "connection refused"};
  CHECK_FALSE(machine.on_failure(error, {.headers = {}}, start + 7ms));
  REQUIRE(error.attempts.size() == 1);
  CHECK(error.attempts[0].elapsed == 7ms);
  CHECK(error.attempts[0].failure == "connection: connection refused");
}
