#include "client/batch/slice_queue.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

/// How many inputs of a slice are asked for that was sent before the others were sampled.
constexpr std::size_t few = 4;
/// How many probes in a row may fail with an error that says nothing.
constexpr int most_silent_probes = 3;

/// Whether the error may be due to the inputs of a request; others say nothing about them.
bool is_about_inputs(const Error& error) noexcept {
  return may_be_for_one_input(error) || is_too_large(error) || error.kind == ErrorKind::permission_denied;
}

std::optional<QueuedSlice> pop(std::deque<QueuedSlice>& slices) {
  if (slices.empty()) return std::nullopt;
  auto front = std::move(slices.front());
  slices.pop_front();
  return front;
}

}  // namespace

std::optional<QueuedSlice> SliceQueue::next() {
  const bool all_rejected = verdict_.is_same_with_all();
  if (all_rejected && sampled_ && !probing_) {
    // Such inputs may be all in one part of the batch, however long.
    if (answered_ && probed_at_ != verdict_.answers()) {
      probed_at_ = verdict_.answers();
      probing_ = true;
      return QueuedSlice{.slice = *answered_, .is_probe = true};
    }
    if (thinned_out_at_ != verdict_.answers()) {
      thinned_out_at_ = verdict_.answers();
      thin_out();
    }
  }
  if (auto slice = pop(again_)) return slice;
  if (const auto slice = more_()) return QueuedSlice{*slice};
  return all_rejected && !is_small_rest(0) ? std::nullopt : pop(set_aside_);
}

bool SliceQueue::split(const Slice& slice, const Error& error) {
  if (!is_about_inputs(error)) return false;
  // Some gateways refuse single texts with 403, which otherwise is about the key or the model.
  if (error.kind == ErrorKind::permission_denied && !verdict_.answered_now()) return false;
  if (slice.count == 1) verdict_.on_rejected_alone(error);
  if (verdict_.why_over() || slice.count == 1) return false;
  // The size is not the cause if single inputs are rejected as well.
  const bool all_rejected = verdict_.is_same_with_all();
  if ((!all_rejected && (is_too_large(error) || verdict_.answered())) || is_small_rest(slice.count)) {
    halve(slice);
  } else if (verdict_.answered()) {
    std::deque<QueuedSlice> slices;
    slices.push_back({slice});
    sample(std::move(slices), few);
  } else {
    try_one_of(slice);
  }
  return true;
}

void SliceQueue::on_answer(const QueuedSlice& answered) {
  silent_probes_ = 0;
  if (answered.is_probe) {
    probing_ = false;
  } else {
    answered_ = Slice{answered.slice.first};
  }
}

void SliceQueue::on_probe_failed(const Error& error) {
  probing_ = false;
  if (!is_about_inputs(error) && ++silent_probes_ < most_silent_probes) probed_at_ = std::nullopt;
}

std::deque<QueuedSlice> SliceQueue::take_rest() {
  auto rest = std::exchange(again_, {});
  std::move(set_aside_.begin(), set_aside_.end(), std::back_inserter(rest));
  set_aside_.clear();
  return rest;
}

/// Whether these inputs and those set aside are so few that they are all asked for, since some inputs were
/// answered.
bool SliceQueue::is_small_rest(std::size_t inputs) const {
  constexpr std::size_t small = 256;
  if (!verdict_.answered()) return false;
  for (const auto& queued : set_aside_) {
    if ((inputs += queued.slice.count) > small) return false;
  }
  return inputs <= small;
}

/// The rejected inputs may all be from one part of the batch: samples what is left. Until an input was
/// answered, what was set aside is not sampled again: one input of each such slice was rejected.
void SliceQueue::thin_out() {
  auto rest = std::exchange(again_, {});
  while (const auto slice = more_()) rest.push_back({*slice});
  if (verdict_.answered()) {
    std::move(set_aside_.begin(), set_aside_.end(), std::back_inserter(rest));
    set_aside_.clear();
  }
  sample(std::move(rest), BatchVerdict::enough);
}

/// Asks for `count` of the inputs in `slices` alone, one from each of as many equal parts, and sets the
/// others aside. Inputs at equal distances might be alike.
void SliceQueue::sample(std::deque<QueuedSlice> slices, std::size_t count) {
  std::size_t inputs = 0;
  for (const auto& queued : slices) inputs += queued.slice.count;
  count = std::min(count, inputs);
  // The place of sampled input number i among all of them, somewhere in its part.
  const auto place = [&](std::size_t i) {
    const auto begin = i * inputs / count;
    const auto mixed = (std::uint64_t{i} + inputs) * 0x9E3779B97F4A7C15U;  // the golden ratio
    return begin + static_cast<std::size_t>(mixed >> 32U) % ((i + 1) * inputs / count - begin);
  };
  std::size_t sampled = 0;
  std::size_t before = 0;  // inputs in the slices before
  for (auto& queued : slices) {
    const auto [first, size] = queued.slice;
    if (sampled == count || place(sampled) >= before + size) {
      set_aside_.push_back(std::move(queued));
    } else if (size == 1) {
      again_.push_back(std::move(queued));
      ++sampled;
    } else {
      std::size_t done = 0;
      for (; sampled < count && place(sampled) < before + size; ++sampled) {
        const auto at = place(sampled) - before;
        if (at > done) set_aside_.push_back({{first + done, at - done}});
        again_.push_back({{first + at, 1}});
        done = at + 1;
      }
      if (size > done) set_aside_.push_back({{first + done, size - done}});
    }
    before += size;
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
