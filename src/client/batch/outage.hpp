/// \file
/// Recognises an outage of the service in the middle of a batch.
#pragma once

#include "client/batch/slice_queue.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/error.hpp"
#include "inferwire/response_info.hpp"

#include <cstddef>
#include <deque>
#include <memory>

namespace inferwire::inline v0_1::client {

/// Whether every request may fail in this way during an outage: no connection, or a 5xx; `alike`: all
/// requests name the same model. A 5xx for one model says nothing about others.
bool is_as_in_outage(const Error& error, bool alike) noexcept;

/// Keeps the slices that failed as in an outage until it is known whether there is one: a single slice may
/// fail because of its inputs. Several that fail in a row, without any answer meanwhile, are the sign of an
/// outage, except those whose first attempt failed before a request began that was answered: their retries
/// take time, so that they are often the last of a batch. Pure logic: no clock, no thread.
class OutageWatch {
 public:
  /// How many slices in a row are the sign of an outage.
  static constexpr std::size_t several = 4;

  struct Suspect {
    QueuedSlice queued{};  ///< the slice, and its failure as `refusal`
    std::shared_ptr<const ResponseInfo> info{};
    std::size_t begun{};       ///< how many requests had begun when it failed
    TimePoint first_failed{};  ///< when the first attempt of its last call failed
    bool in_outage{};          ///< the decision: it is not its own failure
  };

  void on_failure(Suspect failed);
  /// Request number `number`, from 0, which began at `begun`, was answered. Returns the slices that failed
  /// before it began, with the decision. If it began after all failures, the outage is over.
  std::deque<Suspect> on_answer(std::size_t number, TimePoint begun);
  /// Returns all slices, with the decision, when no request is left that might bring an answer.
  std::deque<Suspect> take_all();

  bool is_outage() const noexcept { return is_outage_; }

 private:
  std::deque<Suspect> suspects_;
  std::size_t last_begun_{};                    ///< the greatest `begun`
  std::size_t in_a_row_{};                      ///< failures that count, since the last answer to any request
  TimePoint answered_begun_{TimePoint::min()};  ///< the last begin of an answered request
  bool is_outage_{};
};

}  // namespace inferwire::inline v0_1::client
