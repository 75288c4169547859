/// \file
/// Tests which failures of a batch are taken for an outage, without sending requests.

#include "client/batch/outage.hpp"

#include "support/catch.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

using namespace inferwire;
using inferwire::client::is_as_in_outage;
using inferwire::client::OutageWatch;

namespace {

/// The time at which request number `number` began.
TimePoint begin_of(std::size_t number) { return TimePoint{} + std::chrono::seconds(number); }

/// Slice number `slice` failed after `begun` requests had begun, at its first attempt.
OutageWatch::Suspect failed(std::size_t slice, std::size_t begun) {
  return {.queued = {.slice = {slice}}, .begun = begun, .first_failed = begin_of(begun - 1)};
}

auto answer(OutageWatch& watch, std::size_t number) { return watch.on_answer(number, begin_of(number)); }

/// The first inputs of the slices, and whether they failed in an outage.
std::vector<std::pair<std::size_t, bool>> in_short(const std::deque<OutageWatch::Suspect>& suspects) {
  std::vector<std::pair<std::size_t, bool>> out;
  for (const auto& suspect : suspects) out.emplace_back(suspect.queued.slice.first, suspect.in_outage);
  return out;
}

}  // namespace

TEST_CASE("OutageWatch takes the failure of a single slice for its own when a later request is answered",
          "[batch]") {
  OutageWatch watch;
  watch.on_failure(failed(7, 10));
  CHECK(answer(watch, 9).empty());  // it began before, perhaps before an outage
  CHECK(in_short(answer(watch, 10)) == std::vector<std::pair<std::size_t, bool>>{{7, false}});
  CHECK_FALSE(watch.is_outage());
  watch.on_failure(failed(8, 20));
  CHECK(in_short(watch.take_all()) == std::vector<std::pair<std::size_t, bool>>{{8, false}});
  CHECK(watch.take_all().empty());
}

TEST_CASE("OutageWatch takes four failures in a row for an outage, until a later request is answered",
          "[batch]") {
  OutageWatch watch;
  for (std::size_t i = 0; i < OutageWatch::several; ++i) {
    CHECK_FALSE(watch.is_outage());
    watch.on_failure(failed(i, 10 + i));
  }
  CHECK(watch.is_outage());
  CHECK(in_short(answer(watch, 11)) == std::vector<std::pair<std::size_t, bool>>{{0, true}, {1, true}});
  CHECK(watch.is_outage());
  CHECK(in_short(watch.take_all()) == std::vector<std::pair<std::size_t, bool>>{{2, true}, {3, true}});
  CHECK(watch.is_outage());
  watch.on_failure(failed(2, 14));
  CHECK(in_short(answer(watch, 14)) == std::vector<std::pair<std::size_t, bool>>{{2, true}});
  CHECK_FALSE(watch.is_outage());
}

TEST_CASE("OutageWatch takes failures with answers in between for those of the slices", "[batch]") {
  OutageWatch watch;
  for (std::size_t i = 0; i < 5 * OutageWatch::several; ++i) {
    watch.on_failure(failed(i, 100 + i));
    // These requests began before all failures, so that they decide about none.
    if (i % (OutageWatch::several - 1) == 0) CHECK(answer(watch, i).empty());
    CHECK_FALSE(watch.is_outage());
  }
  const auto decided = in_short(answer(watch, 200));
  CHECK(decided.size() == 5 * OutageWatch::several);
  CHECK(decided.back() == std::pair<std::size_t, bool>{5 * OutageWatch::several - 1, false});
}

TEST_CASE("OutageWatch does not count slices that failed first before a request began that was answered",
          "[batch]") {
  OutageWatch watch;
  CHECK(answer(watch, 63).empty());
  for (std::size_t i = 0; i < 2 * OutageWatch::several; ++i) {
    auto retried = failed(i, 64);
    retried.first_failed = begin_of(62);
    watch.on_failure(std::move(retried));
  }
  CHECK_FALSE(watch.is_outage());
  for (std::size_t i = 0; i < OutageWatch::several; ++i) watch.on_failure(failed(i, 64));
  CHECK(watch.is_outage());
}

TEST_CASE("is_as_in_outage holds for errors that do not depend on the request", "[batch]") {
  for (const auto kind : {ErrorKind::connection, ErrorKind::tls, ErrorKind::overloaded, ErrorKind::server}) {
    CHECK(is_as_in_outage({.kind = kind}, true));
  }
  for (const bool alike : {false, true}) {
    CHECK(is_as_in_outage({.kind = ErrorKind::timeout, .timer = "connect"}, alike));
    CHECK(is_as_in_outage({.kind = ErrorKind::connection}, alike));
    CHECK(is_as_in_outage({.kind = ErrorKind::tls}, alike));
  }
  CHECK_FALSE(is_as_in_outage({.kind = ErrorKind::overloaded}, false));  // perhaps that of one model
  CHECK_FALSE(is_as_in_outage({.kind = ErrorKind::server}, false));
  for (const auto kind :
       {ErrorKind::timeout, ErrorKind::rate_limit, ErrorKind::decode, ErrorKind::not_found}) {
    CHECK_FALSE(is_as_in_outage({.kind = kind}, true));
  }
}
