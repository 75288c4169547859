/// \file
/// Where time comes from, so that tests need not wait for it.
#pragma once

#include <condition_variable>
#include <mutex>

#include "inferwire/export.hpp"
#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1 {

/// A steady clock that can be waited on. Safe from any thread. `testing::ManualClock` is one without real
/// time.
class INFERWIRE_API Clock {
 public:
  virtual ~Clock();

  virtual TimePoint now() const noexcept = 0;
  /// Waits on `wakeup`, whose mutex `lock` holds, until it is notified or `until` has come; may return early.
  virtual void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& wakeup, TimePoint until) = 0;

  /// The machine's steady clock.
  static Clock& system() noexcept;
};

}  // namespace inferwire::inline v0_1
