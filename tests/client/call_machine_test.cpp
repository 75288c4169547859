#include "client/call/call_machine.hpp"

#include "support/catch.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using inferwire::client::AnswerForm;
using inferwire::client::CallMachine;

namespace {

const TimePoint start{1000s};

const Timeouts short_timeouts{.connect = 10ms, .first_byte = 20ms, .idle = 30ms, .total = 100ms};

const RetryPolicy no_retries = RetryPolicy::none();

const inferwire::Error refused{
    .kind = ErrorKind::connection, .detail = "connection refused", .retryable = true};

std::string timer_at(const CallMachine& machine, TimePoint now) {
  const auto error = machine.expired(now);
  return error ? error->timer : "";
}

/// The time of the next attempt, after one that failed at `now`.
std::optional<TimePoint> retry_at(CallMachine& machine, inferwire::Error& error, TimePoint now) {
  machine.on_failure(error, now);
  return machine.next_attempt(error, {.headers = {}}, now);
}

}  // namespace

TEST_CASE("CallMachine::failed_at is when a connection last broke or stayed silent", "[call_machine]") {
  const RetryPolicy policy;
  CallMachine machine({}, policy, AnswerForm::whole);
  auto limited = inferwire::Error{.kind = ErrorKind::rate_limit, .retryable = true};
  auto broken = refused;
  machine.on_attempt(start);
  REQUIRE(retry_at(machine, limited, start + 1ms));
  CHECK_FALSE(machine.failed_at());
  machine.on_attempt(start + 2ms);
  REQUIRE(retry_at(machine, broken, start + 3ms));
  CHECK(machine.failed_at() == start + 3ms);
}

TEST_CASE("each phase of a call has its own timer", "[call_machine]") {
  CallMachine machine(short_timeouts, no_retries, AnswerForm::stream);
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

  machine.on_head(200, start + 20ms);
  machine.on_bytes(3, start + 20ms);
  CHECK(machine.next_deadline() == start + 50ms);
  CHECK(timer_at(machine, start + 50ms) == "idle");
}

TEST_CASE("a request that takes long to send may do so for as long as it moves", "[call_machine]") {
  CallMachine machine(short_timeouts, no_retries, AnswerForm::stream);
  machine.on_attempt(start);
  machine.on_connected(start);
  machine.on_sending(start + 15ms);
  machine.on_sending(start + 30ms);
  CHECK(timer_at(machine, start + 49ms) == "");
  CHECK(timer_at(machine, start + 50ms) == "first_byte");
  machine.on_bytes(1, start + 35ms);  // the answer begins before the request has been sent
  machine.on_sending(start + 40ms);
  CHECK(machine.next_deadline() == start + 65ms);
}

TEST_CASE("first_byte goes on after the head, until a byte of the body", "[call_machine]") {
  CallMachine machine(short_timeouts, no_retries, AnswerForm::stream);
  machine.on_attempt(start);
  machine.on_connected(start);
  machine.on_sent(start);
  machine.on_head(200, start + 1ms);
  machine.on_bytes(0, start + 1ms);
  CHECK(timer_at(machine, start + 20ms) == "first_byte");
}

TEST_CASE("total limits whole answers, not streams", "[call_machine]") {
  CallMachine whole(short_timeouts, no_retries, AnswerForm::whole);
  CallMachine stream(short_timeouts, no_retries, AnswerForm::stream);
  for (auto* machine : {&whole, &stream}) {
    machine->on_attempt(start);
    machine->on_connected(start);
    machine->on_bytes(1, start + 99ms);
  }
  CHECK(timer_at(whole, start + 100ms) == "total");
  CHECK(timer_at(stream, start + 100ms) == "");
  CHECK(timer_at(stream, start + 129ms) == "idle");
}

TEST_CASE("total, or ten seconds, limits an error status of a stream from its head", "[call_machine]") {
  struct Row {
    Optional<Duration> total;
    Duration limit;
  };
  for (const auto& [total, limit] : {Row{2s, 2s}, Row{600s, 10s}, Row{std::nullopt, 10s}}) {
    CAPTURE(limit.count());
    const Timeouts timeouts{.total = total};
    CallMachine machine(timeouts, no_retries, AnswerForm::stream);
    machine.on_attempt(start);
    machine.on_connected(start);
    machine.on_head(503, start + 100s);
    for (auto now = start + 100s; now < start + 100s + limit; now += 300ms) {
      machine.on_bytes(1, now);
      CHECK(timer_at(machine, now) == "");
    }
    CHECK(machine.next_deadline() == start + 100s + limit);
    CHECK(timer_at(machine, start + 100s + limit) == "total");
    machine.on_attempt(start + 200s);
    machine.on_connected(start + 200s);
    machine.on_head(200, start + 200s);
    machine.on_bytes(1, start + 200s);
    CHECK(timer_at(machine, start + 200s + limit) == "");
  }
}

TEST_CASE("any byte restarts the idle timer, only an event restarts idle_event", "[call_machine]") {
  auto timeouts = short_timeouts;
  timeouts.idle_event = 50ms;
  CallMachine machine(timeouts, no_retries, AnswerForm::stream);
  machine.on_attempt(start);
  machine.on_connected(start);
  for (auto at = 0ms; at < 50ms; at += 10ms) machine.on_bytes(1, start + at);
  CHECK(timer_at(machine, start + 49ms) == "");
  CHECK(timer_at(machine, start + 50ms) == "idle_event");
  machine.on_event();
  machine.on_reader_waiting(start + 49ms);
  machine.on_bytes(1, start + 70ms);
  CHECK(timer_at(machine, start + 98ms) == "");
  CHECK(timer_at(machine, start + 99ms) == "idle_event");
}

TEST_CASE("bytes that are no event do not restart idle where only the end is missing", "[call_machine]") {
  CallMachine machine(short_timeouts, no_retries, AnswerForm::stream);
  const auto idle = *short_timeouts.idle;
  machine.on_attempt(start);
  machine.on_connected(start);
  machine.on_bytes(1, start);
  machine.expect_end(true);
  machine.on_bytes(1, start + idle / 2);
  CHECK(machine.next_deadline() == start + idle);
  machine.on_event();
  machine.on_reader_waiting(start + idle / 2);
  CHECK(machine.next_deadline() == start + idle / 2 + idle);
  machine.on_bytes(1, start + idle);
  machine.expect_end(false);
  CHECK(machine.next_deadline() == start + idle + idle);
}

TEST_CASE("idle starts again when the reader waits for the next element", "[call_machine]") {
  CallMachine machine(short_timeouts, no_retries, AnswerForm::stream);
  machine.on_attempt(start);
  machine.on_connected(start);
  machine.on_bytes(1, start);
  machine.on_event();
  machine.on_bytes(1, start + 4s);  // no reader at this time
  machine.on_reader_waiting(start + 5s);
  CHECK(timer_at(machine, start + 5s + 29ms) == "");
  CHECK(timer_at(machine, start + 5s + 30ms) == "idle");
  machine.on_reader_waiting(start + 5s + 20ms);  // the reader waits for the same element
  CHECK(timer_at(machine, start + 5s + 30ms) == "idle");
}

TEST_CASE("the overall timer bounds the call whatever its phase, reading or not", "[call_machine]") {
  Timeouts timeouts{.overall = 40ms};
  CallMachine machine(timeouts, no_retries, AnswerForm::stream);
  machine.on_attempt(start);
  machine.on_connected(start);
  machine.on_bytes(1, start);
  machine.on_event();
  machine.on_reader_waiting(start + 39ms);
  CHECK(timer_at(machine, start + 39ms) == "");
  CHECK(timer_at(machine, start + 40ms) == "overall");
}

TEST_CASE("a deadline ends the overall timer at its time", "[call_machine]") {
  CallMachine machine({.overall = 40ms}, no_retries, AnswerForm::stream, start + 30ms);
  CHECK(machine.next_deadline() == TimePoint::max());
  machine.on_preparing(start + 10ms);
  CHECK(machine.ends_at() == start + 30ms);
  CHECK(timer_at(machine, start + 29ms) == "");
  CHECK(timer_at(machine, start + 30ms) == "overall");
  CHECK_THAT(machine.expired(start + 30ms)->detail, inferwire_test::contains("fired after 20 ms"));

  CallMachine sooner({.overall = 5ms}, no_retries, AnswerForm::whole, start + 30ms);
  sooner.on_attempt(start);
  CHECK(sooner.ends_at() == start + 5ms);
}

TEST_CASE("a deadline that has passed fires overall before the first attempt", "[call_machine]") {
  for (const auto deadline : {start, start - 1h, TimePoint::min()}) {
    CallMachine late({}, no_retries, AnswerForm::whole, deadline);
    late.on_preparing(start);
    CHECK(timer_at(late, start) == "overall");
    CHECK(late.attempts() == 0);
  }
  CallMachine endless({}, no_retries, AnswerForm::stream, TimePoint::max());
  endless.on_attempt(start);
  CHECK(timer_at(endless, start + 9s) == "");
}

TEST_CASE("overall begins with on_preparing, the other timers with on_attempt", "[call_machine]") {
  auto timeouts = short_timeouts;
  timeouts.overall = 40ms;
  CallMachine machine(timeouts, no_retries, AnswerForm::whole);
  CHECK(machine.next_deadline() == TimePoint::max());
  machine.on_preparing(start);
  CHECK(machine.next_deadline() == start + 40ms);
  CHECK(machine.ends_at() == start + 40ms);
  machine.on_attempt(start + 35ms);
  CHECK(machine.next_deadline() == start + 40ms);
  CHECK(timer_at(machine, start + 1s) == "overall");  // the first of the timers that have fired
  CHECK(machine.attempts() == 1);
}

TEST_CASE("the timer that fired first is told, however late the clock is asked", "[call_machine]") {
  auto timeouts = short_timeouts;
  timeouts.overall = 200ms;
  CallMachine machine(timeouts, no_retries, AnswerForm::whole);
  machine.on_attempt(start);
  CHECK(timer_at(machine, start + 1s) == "connect");
  machine.on_connected(start + 5ms);
  CHECK(timer_at(machine, start + 1s) == "first_byte");
  machine.on_sent(start + 90ms);
  CHECK(timer_at(machine, start + 1s) == "total");
  CHECK(machine.out_of_time(start + 1s)->timer == "overall");
  CHECK_FALSE(machine.out_of_time(start + 199ms));
  timeouts.overall = 100ms;
  CallMachine even(timeouts, no_retries, AnswerForm::whole);
  CHECK_FALSE(even.out_of_time(start));
  even.on_attempt(start);
  even.on_bytes(1, start);
  CHECK(timer_at(even, start + 1s) == "overall");
}

TEST_CASE("only overall runs between two attempts", "[call_machine]") {
  auto timeouts = short_timeouts;
  timeouts.overall = 10s;
  const RetryPolicy policy{.jitter = 0};
  CallMachine machine(timeouts, policy, AnswerForm::whole);
  machine.on_attempt(start);
  machine.on_connected(start);
  machine.on_bytes(7, start);
  auto error = refused;
  const auto next = retry_at(machine, error, start + 1ms);
  REQUIRE(next);
  CHECK(machine.next_deadline() == start + 10s);
  CHECK(timer_at(machine, *next) == "");
  machine.on_preparing(*next);
  CHECK(machine.next_deadline() == start + 10s);
  machine.on_attempt(*next);
  CHECK(machine.next_deadline() == *next + 10ms);
  CHECK(machine.attempts() == 2);
  machine.on_head(200, *next);
  CHECK_THAT(machine.expired(start + 10s)->detail, inferwire_test::contains("status 200, 0 bytes"));
}

TEST_CASE("a byte of the answer starts its timers before the request has left", "[call_machine]") {
  CallMachine machine(short_timeouts, no_retries, AnswerForm::stream);
  machine.on_attempt(start);
  machine.on_connected(start);
  machine.on_bytes(1, start + 15ms);
  machine.on_sent(start + 18ms);
  CHECK(timer_at(machine, start + 44ms) == "");
  CHECK(timer_at(machine, start + 45ms) == "idle");
}

TEST_CASE("on_reader_waiting without a new event restarts no timer", "[call_machine]") {
  auto timeouts = short_timeouts;
  timeouts.idle = std::nullopt;
  timeouts.idle_event = 50ms;
  CallMachine machine(timeouts, no_retries, AnswerForm::stream);
  machine.on_attempt(start);
  machine.on_connected(start);
  machine.on_reader_waiting(start + 7ms);
  CHECK(machine.next_deadline() == start + 20ms);
  machine.on_bytes(1, start + 8ms);
  machine.on_event();
  machine.on_reader_waiting(start + 10ms);
  CHECK(machine.next_deadline() == start + 60ms);
  machine.on_bytes(1, start + 20ms);
  machine.on_reader_waiting(start + 25ms);
  CHECK(machine.next_deadline() == start + 60ms);
  CHECK(machine.events() == 1);
}

TEST_CASE("the timings of an attempt count from the beginning of the call", "[call_machine]") {
  const RetryPolicy policy{.first_delay = 0ms, .jitter = 0};
  CallMachine machine(short_timeouts, policy, AnswerForm::stream);
  machine.on_preparing(start);
  machine.on_attempt(start + 1ms);
  machine.on_connected(start + 2ms);
  machine.on_sent(start + 3ms);
  machine.on_sent(start + 4ms);  // sent again, as after a redirect
  machine.on_bytes(1, start + 5ms);
  machine.on_bytes(1, start + 6ms);
  machine.on_first_event(start + 7ms);
  const auto first = machine.timings(start + 8ms);
  CHECK(first.connected == 2ms);
  CHECK(first.sent == 3ms);
  CHECK(first.first_byte == 5ms);
  CHECK(first.first_event == 7ms);
  CHECK(first.end == 8ms);

  auto error = refused;
  REQUIRE(retry_at(machine, error, start + 8ms));
  machine.on_attempt(start + 8ms);
  const auto second = machine.timings(start + 9ms);
  CHECK_FALSE(second.connected);
  CHECK_FALSE(second.sent);
  CHECK_FALSE(second.first_byte);
  CHECK_FALSE(second.first_event);
  CHECK(second.end == 9ms);
}

TEST_CASE("a timer without a value never fires", "[call_machine]") {
  const Timeouts none{
      .connect = {}, .first_byte = {}, .idle = {}, .idle_event = {}, .total = {}, .overall = {}};
  CallMachine machine(none, no_retries, AnswerForm::whole);
  machine.on_attempt(start);
  CHECK(machine.next_deadline() == TimePoint::max());
  machine.on_connected(start);
  machine.on_bytes(1, start);
  CHECK(timer_at(machine, start + 1000h) == "");
}

TEST_CASE("the error of a timer says which, how long, and what had arrived", "[call_machine]") {
  CallMachine machine(short_timeouts, no_retries, AnswerForm::stream);
  machine.on_attempt(start);
  machine.on_connected(start);
  machine.on_head(200, start);
  machine.on_bytes(42, start);
  machine.on_event();
  const auto error = machine.expired(start + 1s);
  REQUIRE(error);
  CHECK(error->kind == ErrorKind::timeout);
  CHECK(error->timer == "idle");
  CHECK_THAT(error->detail, inferwire_test::contains("idle fired after 30 ms"));
  CHECK_THAT(error->detail, inferwire_test::contains("status 200, 42 bytes, 1 event"));
  CHECK_THAT(error->message(), inferwire_test::contains("timeout (idle)"));
}

TEST_CASE("the error of a timer says in which attempt it fired, and that nothing had come",
          "[call_machine]") {
  const RetryPolicy policy{.first_delay = 0ms, .jitter = 0};
  CallMachine machine(short_timeouts, policy, AnswerForm::whole);
  machine.on_attempt(start);
  machine.on_connected(start);
  machine.on_head(503, start);
  auto error = refused;
  REQUIRE(retry_at(machine, error, start));
  machine.on_attempt(start);
  const auto timeout = machine.expired(start + 10ms);
  REQUIRE(timeout);
  CHECK(timeout->timer == "connect");
  CHECK(timeout->status == 0);
  CHECK(timeout->retryable);
  CHECK_THAT(timeout->detail,
             inferwire_test::contains("after 10 ms in attempt 2; received by then: nothing"));
}

TEST_CASE("a limit beyond the end of the clock never fires", "[call_machine]") {
  const auto ages = Duration::max();
  const Timeouts endless{.connect = ages, .first_byte = ages, .total = ages, .overall = ages};
  const RetryPolicy patient{.budget = ages};
  CallMachine machine(endless, patient, AnswerForm::whole);
  machine.on_preparing(start);
  machine.on_attempt(start);
  CHECK(machine.next_deadline() == TimePoint::max());
  CHECK(machine.ends_at() == TimePoint::max());
  CHECK_FALSE(machine.expired(start + 1h));
  auto error = refused;
  CHECK(retry_at(machine, error, start + 1h));
}

TEST_CASE("timeouts are given in any unit and rounded up", "[call_machine]") {
  const auto total = [](auto limit) { return *inferwire::TimeoutChanges{.total = limit}.over({}).total; };
  CHECK(total(1500us) == 2ms);
  CHECK(total(std::chrono::nanoseconds(1)) == 1ms);
  CHECK(total(std::chrono::duration<double>(0.25)) == 250ms);
  CHECK(total(-1500us) == -1ms);
  CHECK(total(std::chrono::duration<double>(1e300)) == Duration::max());
  CHECK(total(std::chrono::duration<double>(-1e300)) == Duration::min());
  CHECK(total(std::chrono::hours::max()) == Duration::max());
}

TEST_CASE("an error in a 200 is not retried, the same error of another status is", "[call_machine]") {
  const RetryPolicy policy{.jitter = 0};
  for (const auto& [status, again] : {std::pair(199, true), {200, false}, {299, false}, {300, true}}) {
    CAPTURE(status);
    CallMachine machine(short_timeouts, policy, AnswerForm::whole);
    machine.on_attempt(start);
    inferwire::Error error{.kind = ErrorKind::server, .status = status, .retryable = true};
    CHECK(retry_at(machine, error, start).has_value() == again);
  }
}

TEST_CASE("a negative wait of a RetryJudge is none", "[call_machine]") {
  struct Eager final : inferwire::RetryJudge {
    inferwire::Optional<Duration> judge(const inferwire::FailedAttempt&) noexcept override { return -5ms; }
  };
  const RetryPolicy policy{.judge = std::make_shared<Eager>()};
  CallMachine machine(short_timeouts, policy, AnswerForm::whole);
  machine.on_attempt(start);
  auto error = refused;
  CHECK(retry_at(machine, error, start + 3ms) == start + 3ms);
  machine.on_attempt(start + 3ms);
  auto second = refused;
  machine.on_failure(second, start + 4ms);
  CHECK(second.attempts.at(1).waited == 0ms);
}

TEST_CASE("FailedAttempt::wait is empty where budget or overall leave no time for it", "[call_machine]") {
  std::vector<inferwire::Optional<Duration>> told;
  const auto judge = inferwire::RetryJudge::of([&told](const inferwire::FailedAttempt& failed) {
    told.push_back(failed.wait);
    return failed.wait;
  });
  for (const auto& [budget, overall] : {std::pair(100ms, 1000ms), {1000ms, 100ms}, {1000ms, 1000ms}}) {
    const RetryPolicy policy{.first_delay = 200ms, .jitter = 0, .budget = budget, .judge = judge};
    CallMachine machine({.overall = overall}, policy, AnswerForm::whole);
    machine.on_attempt(start);
    auto error = refused;
    const auto at = retry_at(machine, error, start);
    CHECK(at.has_value() == told.back().has_value());
  }
  CHECK(told == std::vector<inferwire::Optional<Duration>>{std::nullopt, std::nullopt, 200ms});
}

TEST_CASE("after the longest delay of a RetryPolicy there is no retry", "[call_machine]") {
  for (const auto& [jitter, asked] :
       {std::pair(0.0, inferwire::Optional<Duration>()), {0.0, Duration::max()}, {1.0, Duration::max()}}) {
    const RetryPolicy policy{.first_delay = Duration::max(),
                             .max_delay = Duration::max(),
                             .jitter = jitter,
                             .max_server_delay = Duration::max()};
    CallMachine machine({}, policy, AnswerForm::whole);
    machine.on_attempt(start);
    auto error = refused;
    error.retry_after = asked;
    machine.on_failure(error, start);
    CHECK_FALSE(machine.next_attempt(error, {.headers = {}, .chance = 0.5}, start));
  }
}

TEST_CASE("on_failure adds the attempt to Error::attempts", "[call_machine]") {
  CallMachine machine(short_timeouts, no_retries, AnswerForm::whole);
  machine.on_attempt(start);
  inferwire::Error error{.kind = ErrorKind::connection, .detail = "connection refused"};
  machine.on_failure(error, start + 7ms);
  REQUIRE(error.attempts.size() == 1);
  CHECK(error.attempts[0].kind == ErrorKind::connection);
  CHECK(error.attempts[0].elapsed == 7ms);
  CHECK(error.attempts[0].failure == "connection: connection refused");
}
