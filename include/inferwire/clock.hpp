/// \file
/// The source of time, which tests can replace so that they need not wait.
#pragma once

#include "inferwire/duration.hpp"
#include "inferwire/export.hpp"

#include <condition_variable>
#include <mutex>

namespace inferwire::inline v0_1 {

/// A steady clock that can be waited on. Safe from any thread; its functions must not throw.
/// `testing::ManualClock` is one for tests, independent of real time.
class INFERWIRE_API Clock {
 public:
  virtual ~Clock();

  virtual TimePoint now() const noexcept = 0;
  /// Waits on `wakeup`, whose mutex `lock` holds, until it is notified or the time `until` is reached; may
  /// return early.
  virtual void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& wakeup, TimePoint until) = 0;

  /// The machine's steady clock.
  static Clock& system() noexcept;
};

}  // namespace inferwire::inline v0_1
