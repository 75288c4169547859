/// \file
/// Which slice of a batch is asked for next, and how slices that are rejected are cut smaller.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "client/batch/slice.hpp"
#include "client/batch/verdict.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/error.hpp"

namespace inferwire::inline v0_1::client {

/// A slice that waits for its turn.
struct QueuedSlice {
  Slice slice;
  int refusals{};                    ///< how often the server had enough when it came
  std::unique_ptr<Error> refusal{};  ///< the last of them; nullptr: none
  TimePoint refused_at{};
};

/// Decides alone: no clock, no thread.
class SliceQueue {
 public:
  /// `more` gives the slices of the batch in order; nothing: there are no more. `sampled`: inputs that are
  /// rejected may stand for all others. Borrows the verdict for its life.
  SliceQueue(std::function<std::optional<Slice>()> more, BatchVerdict& verdict, bool sampled)
      : more_(std::move(more)), verdict_(verdict), sampled_(sampled) {}

  /// What is to be asked again comes first, then what the batch has not given yet, then what was set aside.
  /// While the verdict is that all inputs are rejected, those set aside stay where they are.
  std::optional<QueuedSlice> next();
  /// Asks again for a slice that was refused, behind all that wait for it.
  void push_retry(QueuedSlice refused) { again_.push_back(std::move(refused)); }
  /// Whether a slice that ended in an error is asked for in parts, which come next.
  bool split(const Slice& slice, const Error& error);
  /// Takes out all but what the batch has not given yet.
  std::deque<QueuedSlice> take_rest();

 private:
  void thin_out();
  void halve(const Slice& slice);
  void try_one_of(const Slice& slice);

  std::function<std::optional<Slice>()> more_;
  BatchVerdict& verdict_;
  bool sampled_;
  bool thinned_out_{};
  std::deque<QueuedSlice> again_;
  std::deque<QueuedSlice> set_aside_;
};

}  // namespace inferwire::inline v0_1::client
