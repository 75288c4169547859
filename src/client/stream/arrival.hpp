/// \file
/// An element of a stream that a thread waits for, or looks for from time to time.
#pragma once

#include <condition_variable>
#include <mutex>

#include "inferwire/optional.hpp"
#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1::client {

/// Used again for the next element once one has been taken.
class Arrival {
 public:
  /// It is there.
  void tell();
  /// Takes it; waits for it no longer than `limit` where there is one. False: it is not there.
  bool take(const Optional<Duration>& limit);

 private:
  std::mutex mutex_;  // guards what follows
  std::condition_variable told_;
  bool there_{};
};

}  // namespace inferwire::inline v0_1::client
