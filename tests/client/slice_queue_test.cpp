/// \file
/// Tests the order in which slices are requested, without sending requests.

#include "client/batch/slice_queue.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

using namespace inferwire;
using inferwire::client::BatchVerdict;
using inferwire::client::QueuedSlice;
using inferwire::client::Slice;
using inferwire::client::SliceQueue;

namespace {

using Slices = std::vector<std::pair<std::size_t, std::size_t>>;  // the first input, and how many

const Error rejected_input{.kind = ErrorKind::invalid_request};
const Error too_large{.kind = ErrorKind::too_large};

/// Slices of `count` inputs each, of `inputs` in all.
class Corpus {
 public:
  Corpus(std::size_t inputs, std::size_t count) : inputs_(inputs), count_(count) {}
  std::optional<Slice> operator()() {
    if (at_ == inputs_) return std::nullopt;
    const Slice slice{at_, std::min(count_, inputs_ - at_)};
    at_ += slice.count;
    return slice;
  }

 private:
  std::size_t inputs_;
  std::size_t count_;
  std::size_t at_{};
};

/// All slices that the queue gives.
Slices drain(SliceQueue& queue) {
  Slices slices;
  while (const auto next = queue.next()) slices.emplace_back(next->slice.first, next->slice.count);
  return slices;
}

Slices rest_of(SliceQueue& queue) {
  Slices slices;
  for (const auto& queued : queue.take_rest()) slices.emplace_back(queued.slice.first, queued.slice.count);
  return slices;
}

/// Rejects enough single inputs to judge all others.
void reject_all(BatchVerdict& verdict) {
  for (int i = 0; i < BatchVerdict::enough; ++i) verdict.on_rejected_alone(rejected_input);
}

struct SimulatedBatch {
  std::size_t requests{};
  std::vector<bool> answered;  // by input
};

/// A batch whose requests end in the order in which they began; `error_of`: why one is rejected; `answered`:
/// whether an earlier run has an answered input, which is not known.
template <class ErrorOf>
SimulatedBatch simulate(std::size_t inputs, std::size_t slice_inputs, std::size_t in_flight, ErrorOf error_of,
                        bool answered = false) {
  SimulatedBatch batch{.answered = std::vector<bool>(inputs)};
  BatchVerdict verdict(answered, true);
  SliceQueue queue(Corpus(inputs, slice_inputs), verdict, true);
  std::deque<QueuedSlice> under_way;
  for (;;) {
    for (; under_way.size() < in_flight; ++batch.requests) {
      auto next = queue.next();
      if (!next) break;
      under_way.push_back(*std::move(next));
    }
    if (under_way.empty()) return batch;
    const auto ended = std::move(under_way.front());
    const auto slice = ended.slice;
    under_way.pop_front();
    const std::optional<Error> error = error_of(slice);
    if (error && ended.is_probe) {
      queue.on_probe_failed(*error);
    } else if (error) {
      queue.split(slice, *error);
    } else {
      verdict.on_answer();
      queue.on_answer(ended);
      std::fill_n(batch.answered.begin() + static_cast<std::ptrdiff_t>(slice.first), slice.count, true);
    }
  }
}

}  // namespace

TEST_CASE("SliceQueue::next gives what is asked again, then new slices, then those set aside", "[batch]") {
  BatchVerdict verdict(false, true);
  SliceQueue queue(Corpus(12, 4), verdict, true);
  const auto first = queue.next();
  REQUIRE(first);
  REQUIRE(queue.split(first->slice, rejected_input));
  const auto second = queue.next();
  REQUIRE(second);
  CHECK(second->slice.first == 2);
  queue.push_retry({second->slice, 1, std::make_unique<Error>(rejected_input)});
  queue.push_retry({Slice{20, 3}, 2});
  const auto retried = queue.next();
  REQUIRE(retried);
  CHECK(retried->slice.first == 2);
  CHECK(retried->refusals == 1);
  CHECK(*retried->refusal == rejected_input);
  CHECK(drain(queue) == Slices{{20, 3}, {4, 4}, {8, 4}, {0, 2}, {3, 1}});
}

TEST_CASE("SliceQueue::split halves a slice, or asks for one input while none was answered", "[batch]") {
  struct Row {
    const Error& error;
    bool answered;
    Slice slice;
    Slices expected;
  };
  const Row rows[] = {
      {rejected_input, true, {10, 5}, {{10, 2}, {12, 3}}},
      {rejected_input, true, {10, 2}, {{10, 1}, {11, 1}}},
      {too_large, false, {10, 4}, {{10, 2}, {12, 2}}},
      {rejected_input, false, {10, 5}, {{12, 1}, {10, 2}, {13, 2}}},
      {rejected_input, false, {10, 2}, {{11, 1}, {10, 1}}},
  };
  for (const auto& row : rows) {
    CAPTURE(row.error.kind, row.answered, row.slice.count);
    BatchVerdict verdict(row.answered, true);
    SliceQueue queue(Corpus(0, 1), verdict, true);
    CHECK(queue.split(row.slice, row.error));
    CHECK(drain(queue) == row.expected);
  }
  // The size is not the cause if single inputs are rejected as well.
  BatchVerdict verdict(false, true);
  reject_all(verdict);
  SliceQueue queue(Corpus(0, 1), verdict, true);
  CHECK(queue.split({10, 4}, too_large));
  CHECK(drain(queue) == Slices{{12, 1}});
  CHECK(rest_of(queue) == Slices{{10, 2}, {13, 1}});
}

TEST_CASE("SliceQueue::split splits a slice that gets 403 as soon as an input was answered", "[batch]") {
  const Error forbidden{.kind = ErrorKind::permission_denied};
  BatchVerdict verdict(true, true);  // an answer of an earlier run says nothing about this one's key
  SliceQueue queue(Corpus(0, 1), verdict, true);
  CHECK_FALSE(queue.split({0, 4}, forbidden));
  verdict.on_answer();
  CHECK(queue.split({0, 4}, forbidden));
  CHECK(drain(queue) == Slices{{0, 2}, {2, 2}});
}

TEST_CASE("SliceQueue::split refuses single inputs, other errors, and a batch that is over", "[batch]") {
  BatchVerdict verdict(true, true);
  SliceQueue queue(Corpus(0, 1), verdict, true);
  CHECK_FALSE(queue.split({0, 1}, rejected_input));
  CHECK_FALSE(queue.split({0, 1}, too_large));
  CHECK_FALSE(queue.split({0, 9}, {.kind = ErrorKind::server}));
  CHECK_FALSE(queue.split({0, 9}, {.kind = ErrorKind::not_found}));
  verdict.end({.kind = ErrorKind::auth});
  CHECK_FALSE(queue.split({0, 9}, rejected_input));
  CHECK(drain(queue).empty());
}

TEST_CASE("SliceQueue::next gives a sample of 32 slices where single inputs are rejected", "[batch]") {
  BatchVerdict verdict(false, true);
  SliceQueue queue(Corpus(100, 1), verdict, true);
  reject_all(verdict);
  const auto sample = drain(queue);
  REQUIRE(sample.size() == 32);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    CAPTURE(i);
    CHECK(sample[i].first >= i * 100 / 32);
    CHECK(sample[i].first < (i + 1) * 100 / 32);
  }

  SECTION("and the others as soon as an input is answered") {
    verdict.on_answer();
    CHECK(drain(queue).size() == 100 - 32);
    CHECK(rest_of(queue).empty());
  }
  SECTION("and leaves the others to take_rest") {
    const auto rest = rest_of(queue);
    CHECK(rest.size() == 100 - 32);
    CHECK(std::ranges::is_sorted(rest));
    CHECK(rest_of(queue).empty());
  }
  SECTION("and all of them where the batch is not sampled") {
    SliceQueue whole(Corpus(100, 1), verdict, false);
    CHECK(drain(whole).size() == 100);
  }
}

TEST_CASE("SliceQueue::next gives another sample if others were rejected after an answer", "[batch]") {
  BatchVerdict verdict(false, true);
  SliceQueue queue(Corpus(1000, 1), verdict, true);
  reject_all(verdict);
  CHECK(drain(queue).size() == 32);
  verdict.on_answer();
  reject_all(verdict);  // before the queue was asked again
  CHECK(drain(queue).size() == 32);
  CHECK(drain(queue).empty());
}

TEST_CASE("SliceQueue::take_rest gives what waits, without new slices", "[batch]") {
  BatchVerdict verdict(false, true);
  SliceQueue queue(Corpus(12, 4), verdict, true);
  queue.push_retry({Slice{20, 3}});
  REQUIRE(queue.split({0, 4}, rejected_input));
  CHECK(rest_of(queue) == Slices{{2, 1}, {20, 3}, {0, 2}, {3, 1}});
  CHECK(drain(queue) == Slices{{0, 4}, {4, 4}, {8, 4}});
}

TEST_CASE("SliceQueue isolates the inputs that are rejected, however many and wherever", "[batch]") {
  struct Inputs {
    std::size_t all;
    std::size_t bad_in_front;
    std::size_t bad_every;  // among the others, one in so many
  };
  const auto& inputs =
      GENERATE(Inputs{400, 0, 10}, Inputs{150, 12, 1000}, Inputs{600, 300, 10}, Inputs{2000, 1000, 10});
  const std::size_t in_flight = GENERATE(std::size_t{1}, std::size_t{8});
  const bool answered = GENERATE(false, true);
  CAPTURE(inputs.all, inputs.bad_in_front, in_flight, answered);
  std::vector<bool> good(inputs.all);
  for (std::size_t i = 0; i < good.size(); ++i) {
    good[i] = i >= inputs.bad_in_front && i % inputs.bad_every != 7;
  }
  const auto error_of = [&good](const Slice& slice) {
    const auto begin = good.begin() + static_cast<std::ptrdiff_t>(slice.first);
    const auto end = begin + static_cast<std::ptrdiff_t>(slice.count);
    return std::find(begin, end, false) == end ? std::nullopt : std::optional(rejected_input);
  };
  const auto batch = simulate(inputs.all, 20, in_flight, error_of, answered);
  CHECK(batch.answered == good);
  CHECK(batch.requests < 2 * inputs.all);
}

TEST_CASE("SliceQueue finds the one good input among few, if an earlier run had an answer", "[batch]") {
  const std::size_t good = GENERATE(std::size_t{0}, std::size_t{40}, std::size_t{199});
  const auto batch = simulate(
      200, 200, 8,
      [good](const Slice& slice) {
        return slice.first == good && slice.count == 1 ? std::nullopt : std::optional(rejected_input);
      },
      true);
  CHECK(batch.answered[good]);
}

TEST_CASE("SliceQueue asks for few inputs alone where all are rejected after an answer", "[batch]") {
  const std::size_t slice_inputs = GENERATE(std::size_t{1}, std::size_t{512}, std::size_t{2048});
  const std::size_t in_flight = GENERATE(std::size_t{1}, std::size_t{8});
  CAPTURE(slice_inputs, in_flight);
  // An earlier run has the first 512, and this one gets an answer to the next 512.
  bool retired = false;
  const auto batch = simulate(
      8192 - 512, slice_inputs, in_flight,
      [&retired](const Slice& slice) {
        retired = retired || slice.first + slice.count > 512;
        return retired ? std::optional(rejected_input) : std::nullopt;
      },
      true);
  CHECK(batch.requests < (slice_inputs == 1 ? 512U : 0U) + 300);
}

TEST_CASE("SliceQueue::next asks for an answered input again after 32 rejections in a row", "[batch]") {
  BatchVerdict verdict(false, true);
  SliceQueue queue(Corpus(100, 1), verdict, true);
  const auto reject_others = [&] {
    reject_all(verdict);
    const auto probe = queue.next();
    REQUIRE(probe);
    CHECK(probe->is_probe);
    CHECK(probe->slice.first == 7);
    CHECK(probe->slice.count == 1);
    const auto other = queue.next();  // the queue goes on meanwhile, with one probe at a time
    REQUIRE(other);
    CHECK_FALSE(other->is_probe);
    return QueuedSlice{.slice = probe->slice, .is_probe = true};
  };
  verdict.on_answer();
  queue.on_answer({Slice{7, 5}});

  SECTION("and goes on if it is answered") {
    for (int i = 0; i < 3; ++i) {
      const auto probe = reject_others();
      verdict.on_answer();
      queue.on_answer(probe);
    }
    CHECK(drain(queue).size() == 100 - 3);
  }
  SECTION("and otherwise samples the rest") {
    reject_others();
    queue.on_probe_failed(rejected_input);
    CHECK(drain(queue).size() == 99);  // so few that all are asked for
    CHECK(rest_of(queue).empty());
  }
  SECTION("and up to three times while its error says nothing about it") {
    reject_others();
    for (const bool is_probe : {true, true, false}) {
      queue.on_probe_failed({.kind = ErrorKind::server});
      const auto next = queue.next();
      REQUIRE(next);
      CHECK(next->is_probe == is_probe);
    }
  }
}

TEST_CASE("SliceQueue finds every good input beside a long block of rejected ones", "[batch]") {
  const std::size_t in_flight = GENERATE(std::size_t{1}, std::size_t{8});
  const std::size_t block = GENERATE(std::size_t{1000}, std::size_t{4000});
  CAPTURE(in_flight, block);
  // The first block is bad, and of the others one in 500.
  const auto is_good = [block](std::size_t i) { return i >= block && i % 500 != 499; };
  const auto batch = simulate(5000, 2048, in_flight, [&is_good](const Slice& slice) {
    for (std::size_t i = slice.first; i < slice.first + slice.count; ++i) {
      if (!is_good(i)) return std::optional(rejected_input);
    }
    return std::optional<Error>();
  });
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < 5000; ++i) wrong += batch.answered[i] != is_good(i) ? 1 : 0;
  CHECK(wrong == 0);
  CHECK(batch.requests < 3 * block);
}

TEST_CASE("SliceQueue asks for few inputs alone while all are rejected", "[batch]") {
  struct Row {
    const Error& error;
    std::size_t slice_inputs;
  };
  for (const auto& [error, slice_inputs] :
       {Row{rejected_input, 1}, Row{rejected_input, 500}, Row{too_large, 500}}) {
    CAPTURE(error.kind, slice_inputs);
    const auto batch =
        simulate(3000, slice_inputs, 4, [&error](const Slice&) { return std::optional(error); });
    CHECK(batch.requests < 200);
  }
}
