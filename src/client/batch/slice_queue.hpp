/// \file
/// Determines which slice of a batch is sent next, and how rejected slices are split.
#pragma once

#include "client/batch/slice.hpp"
#include "client/batch/verdict.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/error.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace inferwire::inline v0_1::client {

/// A slice that waits for its turn.
struct QueuedSlice {
  Slice slice;
  int refusals{};                    ///< how often the server refused it because of load
  std::unique_ptr<Error> refusal{};  ///< the last refusal; nullptr: none
  TimePoint refused_at{};
  /// An input that has its result, asked for again: if it is rejected too, the server rejects everything.
  bool is_probe{};
};

/// Pure logic: no clock, no thread.
class SliceQueue {
 public:
  /// `more` gives the slices of the batch in order; std::nullopt: there are no more. `sampled`: rejected
  /// inputs may be representative of all others. The verdict must outlive it.
  SliceQueue(std::function<std::optional<Slice>()> more, BatchVerdict& verdict, bool sampled)
      : more_(std::move(more)), verdict_(verdict), sampled_(sampled) {}

  /// The next slice: first those to be repeated, then new ones of the batch, then those set aside, unless the
  /// verdict is that all inputs are rejected. Where that is to be expected, a probe comes first.
  std::optional<QueuedSlice> next();
  /// Repeats a slice that was refused, after all others that wait to be repeated.
  void push_retry(QueuedSlice refused) { again_.push_back(std::move(refused)); }
  /// Whether a slice that failed is repeated in parts, which come next.
  bool split(const Slice& slice, const Error& error);
  /// The slice was answered, in this run or an earlier one.
  void on_answer(const QueuedSlice& answered);
  /// The probe has failed and is not repeated. If its error says nothing about its input, as a timeout
  /// does, there is another one, up to three in a row.
  void on_probe_failed(const Error& error);
  /// Removes all slices except those that the batch has not given yet.
  std::deque<QueuedSlice> take_rest();

 private:
  bool is_small_rest(std::size_t inputs) const;
  void thin_out();
  void sample(std::deque<QueuedSlice> slices, std::size_t count);
  void halve(const Slice& slice);
  void try_one_of(const Slice& slice);

  std::function<std::optional<Slice>()> more_;
  BatchVerdict& verdict_;
  bool sampled_;
  std::optional<Slice> answered_;         ///< one of the inputs that were
  bool probing_{};                        ///< the probe has not ended
  std::optional<std::size_t> probed_at_;  ///< BatchVerdict::answers at the last probe; std::nullopt: another
  int silent_probes_{};                   ///< those whose error said nothing, since an answer
  std::optional<std::size_t> thinned_out_at_;  ///< BatchVerdict::answers when the rest was last sampled
  std::deque<QueuedSlice> again_;
  std::deque<QueuedSlice> set_aside_;
};

}  // namespace inferwire::inline v0_1::client
