/// \file
/// An element of a stream that a thread waits for, or looks for from time to time.
#pragma once

#include <condition_variable>
#include <mutex>

#include "inferwire/executor.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1::client {

/// Used again for the next element once one has been taken.
class Arrival {
 public:
  /// It is there. Returns who goes on now instead of one who looks.
  Task tell();
  /// Takes it; waits for it no longer than `limit` where there is one. False: it is not there.
  bool take(const Optional<Duration>& limit);
  /// Has `tell` return `reader`. False: it is there, and is taken by this.
  bool hand_over(Task& reader);

 private:
  std::mutex mutex_;  // guards what follows
  std::condition_variable told_;
  bool there_{};
  Task reader_;
};

}  // namespace inferwire::inline v0_1::client
