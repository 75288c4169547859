#include "client/batch/slice_queue.hpp"

#include <cstddef>
#include <iterator>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

std::optional<QueuedSlice> pop(std::deque<QueuedSlice>& slices) {
  if (slices.empty()) return std::nullopt;
  auto front = std::move(slices.front());
  slices.pop_front();
  return front;
}

}  // namespace

std::optional<QueuedSlice> SliceQueue::next() {
  const bool all_rejected = verdict_.is_same_with_all();
  if (all_rejected && sampled_ && !std::exchange(thinned_out_, true)) thin_out();
  if (auto slice = pop(again_)) return slice;
  if (const auto slice = more_()) return QueuedSlice{*slice};
  return all_rejected ? std::nullopt : pop(set_aside_);
}

bool SliceQueue::split(const Slice& slice, const Error& error) {
  if (!is_too_large(error) && !may_be_for_one_input(error)) return false;
  if (slice.count == 1) verdict_.on_rejected_alone(error);
  if (verdict_.why_over() || slice.count == 1) return false;
  // The size is not the cause if single inputs are rejected as well.
  const bool for_size = is_too_large(error) && !verdict_.is_same_with_all();
  if (for_size || verdict_.answered()) {
    halve(slice);
  } else {
    try_one_of(slice);
  }
  return true;
}

std::deque<QueuedSlice> SliceQueue::take_rest() {
  auto rest = std::exchange(again_, {});
  std::move(set_aside_.begin(), set_aside_.end(), std::back_inserter(rest));
  set_aside_.clear();
  return rest;
}

/// The rejected inputs may all be from the beginning. Keeps as many of the remaining slices, at equal
/// distances, as suffice to judge all inputs, and sets the others aside.
void SliceQueue::thin_out() {
  auto rest = std::exchange(again_, {});
  while (const auto slice = more_()) rest.push_back({*slice});
  constexpr std::size_t enough = BatchVerdict::enough;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const bool asked = rest.size() <= enough || i * enough / rest.size() != (i + 1) * enough / rest.size();
    (asked ? again_ : set_aside_).push_back(std::move(rest[i]));
  }
}

void SliceQueue::halve(const Slice& slice) {
  const auto half = slice.count / 2;
  again_.push_front({{slice.first + half, slice.count - half}});
  again_.push_front({{slice.first, half}});
}

/// Until an input was answered, the error may affect all of them: asks for one from the middle of the slice
/// alone, and sets the rest aside.
void SliceQueue::try_one_of(const Slice& slice) {
  const auto half = slice.count / 2;
  again_.push_front({{slice.first + half, 1}});
  set_aside_.push_back({{slice.first, half}});
  const auto behind = slice.count - half - 1;
  if (behind > 0) set_aside_.push_back({{slice.first + half + 1, behind}});
}

}  // namespace inferwire::inline v0_1::client
