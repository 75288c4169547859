/// \file
/// The inputs of a batch: which of them still need a request, and the checkpoint with the answers to others.
#pragma once

#include "client/batch/checkpoint.hpp"
#include "client/batch/slice.hpp"
#include "inferwire/error.hpp"
#include "inferwire/json.hpp"
#include "inferwire/result.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::client {

class BatchInputs {
 public:
  explicit BatchInputs(std::size_t size) : done_(size) {}

  /// Opens the checkpoint at `path`. `take` gets the answer to each slice in it that was not taken before,
  /// and returns whether it can use it. Errors: config, or that of `why_stopped`.
  Result<void> open(const std::string& path, const JobHash& job, const WhyStopped& why_stopped,
                    const std::function<bool(const Slice&, const Json&)>& take);

  std::size_t size() const noexcept { return done_.size(); }
  /// How many inputs have an answer from the checkpoint.
  std::size_t done_count() const noexcept { return done_count_; }
  /// The first of them.
  std::optional<Slice> first_done() const;

  /// The next slice of inputs without an answer; std::nullopt: there are no more. It grows by one input at a
  /// time for as long as it `fits`, which is asked about every size; a slice of one input is taken in any
  /// case.
  template <class Fits>
  std::optional<Slice> next(Fits&& fits) {
    while (at_ < size() && done_[at_]) ++at_;
    if (at_ == size()) return std::nullopt;
    Slice slice{at_, 0};
    while (at_ < size() && !done_[at_] && (fits(Slice{slice.first, slice.count + 1}) || slice.count == 0)) {
      ++slice.count;
      ++at_;
    }
    return slice;
  }

  /// Writes the answer to a slice into the checkpoint, if there is one: only then `text_of` is called, for
  /// the answer as JSON, whose error is returned. If the file cannot be written, see `unrecorded`.
  std::optional<Error> record(const Slice& slice, const std::function<Result<std::string>()>& text_of);
  /// Why an answer could not be written into the checkpoint, to which no further one is written; nullptr: all
  /// could.
  const Error* unrecorded() const noexcept { return unrecorded_ ? &*unrecorded_ : nullptr; }

 private:
  bool is_open(const Slice& slice) const;
  void mark(const Slice& slice);

  std::size_t at_{};
  std::vector<bool> done_;  ///< according to the checkpoint
  std::size_t done_count_{};
  std::optional<BatchCheckpoint> checkpoint_;
  std::optional<Error> unrecorded_;
};

}  // namespace inferwire::inline v0_1::client
