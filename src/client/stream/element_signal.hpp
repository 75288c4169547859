/// \file
/// Tells a thread, which waits for it or looks from time to time, that an element of a stream is there.
#pragma once

#include <condition_variable>
#include <mutex>

#include "inferwire/optional.hpp"
#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1::client {

/// Used again for the next element once one has been taken.
class ElementSignal {
 public:
  /// An element is there.
  void notify();
  /// Takes it; waits for it no longer than `limit` where there is one. False: it is not there.
  bool take(const Optional<Duration>& limit);

 private:
  std::mutex mutex_;  // guards what follows
  std::condition_variable notified_;
  bool there_{};
};

}  // namespace inferwire::inline v0_1::client
