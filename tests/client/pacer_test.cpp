/// \file
/// Tests when the next request of a batch may be sent, at simulated times.

#include "client/batch/pacer.hpp"

#include "inferwire/batch.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

using namespace std::chrono_literals;
using namespace inferwire;
using inferwire::client::Pacer;

namespace {

constexpr TimePoint start{1h};

RateLimits room_left(std::int64_t requests, Duration reset) {
  return {.requests = {.remaining = requests, .reset = reset}};
}

RateLimits tokens_left(std::int64_t tokens, Duration reset) {
  return {.tokens = {.remaining = tokens, .reset = reset}};
}

/// Begins as many requests as may begin at `now`.
int fill(Pacer& pacer, TimePoint now) {
  int begun = 0;
  for (; pacer.next(now) == now; ++begun) pacer.on_start(now);
  return begun;
}

}  // namespace

TEST_CASE("Pacer::next allows most_in_flight requests at a time, and at least one", "[pacer]") {
  Pacer pacer(3, {});
  CHECK(fill(pacer, start) == 3);
  CHECK_FALSE(pacer.next(start));
  pacer.on_success({}, start + 1s);
  CHECK(pacer.next(start + 1s) == start + 1s);
  pacer.on_other_end();
  CHECK(fill(pacer, start + 1s) == 2);

  Pacer least(0, {});
  CHECK(fill(least, start) == 1);
}

TEST_CASE("Pacer::on_refusal halves what ran, whatever has ended before it", "[pacer]") {
  for (const int ended : {0, 8, 15}) {
    Pacer pacer(16, {});
    const auto epoch = pacer.on_start(start);
    CHECK(fill(pacer, start) == 15);
    for (int i = 0; i < ended; ++i) pacer.on_success({}, start);
    pacer.on_refusal(epoch, 1s, start);
    CHECK(pacer.allowed() == 8);
  }
}

TEST_CASE("Pacer::on_refusal holds requests back until the time that the server names", "[pacer]") {
  Pacer pacer(4, {});
  const auto epoch = pacer.on_start(start);
  CHECK(fill(pacer, start) == 3);
  pacer.on_refusal(epoch, 20s, start + 1s);
  CHECK(pacer.allowed() == 2);
  for (int i = 0; i < 3; ++i) pacer.on_other_end();
  CHECK(pacer.next(start + 2s) == start + 21s);
  CHECK(pacer.next(start + 21s) == start + 21s);
  CHECK(pacer.next(start + 30s) == start + 30s);
}

TEST_CASE("refusals of one epoch count once, and the longest wait holds", "[pacer]") {
  Pacer pacer(8, {});
  const auto epoch = pacer.on_start(start);
  for (int i = 1; i < 8; ++i) CHECK(pacer.on_start(start) == epoch);
  for (int i = 0; i < 7; ++i) pacer.on_refusal(epoch, 1s, start);
  CHECK(pacer.allowed() == 4);
  pacer.on_refusal(epoch, 5s, start);
  CHECK(pacer.allowed() == 4);
  CHECK(pacer.next(start) == start + 5s);

  const auto next = pacer.on_start(start + 5s);
  CHECK(next != epoch);
  CHECK(fill(pacer, start + 5s) == 3);
  pacer.on_refusal(next, 1s, start + 5s);
  CHECK(pacer.allowed() == 2);
}

TEST_CASE("a refusal halves the number that runs, where more are allowed", "[pacer]") {
  for (const std::size_t most : {std::size_t{100}, std::numeric_limits<std::size_t>::max()}) {
    Pacer pacer(most, {});
    const auto epoch = pacer.on_start(start);
    for (int i = 1; i < 8; ++i) pacer.on_start(start);
    for (int i = 0; i < 8; ++i) pacer.on_refusal(epoch, 1s, start);
    CHECK(pacer.allowed() == 4);
  }
}

TEST_CASE("Pacer::on_outage allows one request after each delay until one is answered", "[pacer]") {
  Pacer pacer(8, {.first_delay = 1s, .max_delay = 2s});
  const auto epoch = pacer.on_start(start);
  for (int i = 1; i < 8; ++i) pacer.on_start(start);
  for (int i = 0; i < 8; ++i) pacer.on_outage(epoch, start);
  CHECK(pacer.refusals() == 1);
  CHECK(pacer.next(start) == start + 1s);
  CHECK(fill(pacer, start + 1s) == 1);
  pacer.on_success({}, start + 1s);
  CHECK(pacer.refusals() == 0);
  CHECK(fill(pacer, start + 1s) == 2);
}

TEST_CASE("Pacer doubles the delay with each refusal that names no time", "[pacer]") {
  Pacer pacer(1, {.first_delay = 500ms, .max_delay = 2s});
  for (const auto delay : {500ms, 1000ms, 2000ms, 2000ms}) {
    pacer.on_refusal(pacer.on_start(start), std::nullopt, start);
    CHECK(pacer.next(start) == start + delay);
  }
  pacer.on_start(start);
  pacer.on_success({}, start);
  pacer.on_refusal(pacer.on_start(start + 10s), std::nullopt, start + 10s);
  CHECK(pacer.next(start + 10s) == start + 10s + 500ms);
}

TEST_CASE("Pacer doubles the delay when the wait that the server named was too short", "[pacer]") {
  for (const Duration named : {Duration::zero(), Duration(1ms)}) {
    Pacer pacer(1, {.first_delay = 500ms, .max_delay = 2s});
    for (const Duration delay : {named, Duration(1s), Duration(2s), Duration(2s)}) {
      pacer.on_refusal(pacer.on_start(start), named, start);
      CHECK(pacer.next(start) == start + delay);
    }
  }
  // A longer wait that the service names is kept as it is.
  Pacer named(1, {});
  for (const auto at : {start, start + 20s, start + 40s}) {
    named.on_refusal(named.on_start(at), 20s, at);
    CHECK(named.next(at) == at + 20s);
  }
}

TEST_CASE("the delays of max_refusals refusals last longer than a minute", "[pacer]") {
  Pacer pacer(8, {});
  auto now = start;
  for (int i = 0; i < inferwire::BatchOptions{}.max_refusals; ++i) {
    pacer.on_refusal(pacer.on_start(now), std::nullopt, now);
    now = pacer.next(now).value_or(now);
  }
  CHECK(now - start > 60s);
}

TEST_CASE("Pacer::allowed grows by one after as many successes as are allowed", "[pacer]") {
  Pacer pacer(4, {});
  const auto epoch = pacer.on_start(start);
  REQUIRE(fill(pacer, start) == 3);
  pacer.on_refusal(epoch, Duration::zero(), start);
  REQUIRE(pacer.allowed() == 2);
  for (int i = 0; i < 3; ++i) pacer.on_other_end();
  const auto succeed = [&pacer] {
    pacer.on_start(start);
    pacer.on_success({}, start);
  };
  succeed();
  CHECK(pacer.allowed() == 2);
  succeed();
  CHECK(pacer.allowed() == 3);
  for (int i = 0; i < 3; ++i) succeed();
  CHECK(pacer.allowed() == 4);
  for (int i = 0; i < 20; ++i) succeed();
  CHECK(pacer.allowed() == 4);
}

TEST_CASE("Pacer spaces the requests that are left over the rest of the window", "[pacer]") {
  Pacer pacer(2, {});
  pacer.on_start(start);
  pacer.on_success(room_left(50, 10s), start);
  CHECK(pacer.next(start) == start);

  pacer.on_start(start);
  pacer.on_success(room_left(3, 12s), start);
  CHECK(pacer.next(start) == start + 3s);
  pacer.on_start(start + 3s);
  CHECK(pacer.next(start + 3s) == start + 6s);
  // The window is full again.
  CHECK(pacer.next(start + 12s) == start + 12s);

  // One of the two remaining requests is already in progress.
  pacer.on_start(start + 20s);
  pacer.on_success(room_left(2, 12s), start + 20s);
  CHECK(pacer.next(start + 20s) == start + 26s);
}

TEST_CASE("Pacer spaces requests where any number may run", "[pacer]") {
  for (const std::size_t most :
       {std::numeric_limits<std::size_t>::max() / 2, std::numeric_limits<std::size_t>::max()}) {
    Pacer pacer(most, {});
    pacer.on_start(start);
    pacer.on_success(room_left(3, 12s), start);
    CHECK(pacer.next(start) == start + 3s);
  }
}

TEST_CASE("Pacer sends nothing into a window that is used up", "[pacer]") {
  Pacer pacer(2, {});
  pacer.on_start(start);
  pacer.on_success(room_left(0, 8s), start + 1s);
  CHECK(pacer.next(start + 1s) == start + 8s);
  CHECK(pacer.next(start + 9s) == start + 9s);
  // `remaining` means nothing without the time at which the window ends.
  pacer.on_start(start + 9s);
  pacer.on_success({.requests = {.remaining = 0}}, start + 9s);
  CHECK(pacer.next(start + 9s) == start + 9s);
}

TEST_CASE("Pacer ignores a window that lasts longer than max_server_delay", "[pacer]") {
  for (const Duration long_wait : {Duration(3h), Duration(1h) * 24 * 365 * 55, Duration::max()}) {
    for (const std::int64_t left : {0, 1}) {
      Pacer pacer(1, {});
      pacer.on_start(start);
      pacer.on_success(room_left(left, long_wait), start + 1s);
      CHECK(pacer.next(start + 1s) == start + 1s);
    }
  }
  Pacer patient(1, {.max_server_delay = 3h});
  patient.on_start(start);
  patient.on_success(room_left(0, 3h), start + 1s);
  CHECK(patient.next(start + 1s) == start + 3h);
  Pacer refused(1, {});
  refused.on_refusal(refused.on_start(start), Duration::max(), start);
  CHECK(refused.next(start) == TimePoint::max());
}

TEST_CASE("Pacer takes the largest number of tokens without overflow", "[pacer]") {
  Pacer pacer(2, {});
  pacer.on_start(start);
  pacer.on_success(tokens_left(std::numeric_limits<std::int64_t>::max(), 50s), start, 1);
  CHECK(pacer.next(start) == start);
}

TEST_CASE("Pacer spaces requests by the tokens that are left and what a request takes", "[pacer]") {
  Pacer pacer(2, {});
  pacer.on_start(start);
  pacer.on_success(tokens_left(10'000, 12s), start, 100);  // suffices for a hundred
  CHECK(pacer.next(start) == start);

  pacer.on_start(start);
  pacer.on_success(tokens_left(350, 12s), start, 100);  // suffices for three
  CHECK(pacer.next(start) == start + 3s);
  pacer.on_start(start + 3s);
  CHECK(pacer.next(start + 3s) == start + 6s);
  CHECK(pacer.next(start + 12s) == start + 12s);

  // The tokens suffice for two requests, of which one is already in progress.
  pacer.on_start(start + 20s);
  pacer.on_success(tokens_left(200, 12s), start + 20s, 100);
  CHECK(pacer.next(start + 20s) == start + 26s);

  pacer.on_start(start + 40s);
  pacer.on_success(tokens_left(99, 8s), start + 40s, 100);  // does not suffice for any
  CHECK(pacer.next(start + 40s) == start + 48s);
}

TEST_CASE("without token counts, requests wait only when no tokens are left", "[pacer]") {
  Pacer pacer(2, {});
  pacer.on_start(start);
  pacer.on_success(tokens_left(1, 8s), start);
  CHECK(pacer.next(start) == start);
  pacer.on_start(start);
  pacer.on_success(tokens_left(0, 8s), start + 1s);
  CHECK(pacer.next(start + 1s) == start + 8s);
}

TEST_CASE("Pacer learns what a request takes from recent ones", "[pacer]") {
  Pacer pacer(1, {});
  const auto answer = [&pacer](std::int64_t tokens) {
    pacer.on_start(start);
    pacer.on_success(tokens_left(1'000, 10s), start, tokens);
  };
  answer(100);
  CHECK(pacer.next(start) == start);
  for (int i = 0; i < 40; ++i) answer(1'000);  // an unknown count changes nothing
  answer(0);
  CHECK(pacer.next(start) == start + 5s);
  for (int i = 0; i < 40; ++i) answer(100);
  CHECK(pacer.next(start) == start);
}

TEST_CASE("Pacer waits for requests or tokens, whichever is later", "[pacer]") {
  Pacer pacer(1, {});
  RateLimits limits = tokens_left(100, 10s);
  limits.requests = {.remaining = 0, .reset = 3s};
  pacer.on_start(start);
  pacer.on_success(limits, start, 100);
  CHECK(pacer.next(start) == start + 5s);
  limits.requests.reset = 30s;
  pacer.on_start(start);
  pacer.on_success(limits, start, 100);
  CHECK(pacer.next(start) == start + 30s);
}
