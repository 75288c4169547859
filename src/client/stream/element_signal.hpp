/// \file
/// Signals the next element of a stream to a thread that waits or polls.
#pragma once

#include "inferwire/optional.hpp"
#include "inferwire/timeouts.hpp"

#include <condition_variable>
#include <mutex>

namespace inferwire::inline v0_1::client {

/// Reusable for the next element once one was taken.
class ElementSignal {
 public:
  /// Signals an element.
  void notify();
  /// Takes the signal, waiting for it at most for `limit`, if given. False: there is none.
  bool take(const Optional<Duration>& limit);

 private:
  std::mutex mutex_;  // guards what follows
  std::condition_variable notified_;
  bool there_{};
};

}  // namespace inferwire::inline v0_1::client
