/// \file
/// The inside of a gate: who is notified when it opens, and the longest possible delay.
#pragma once

#include "inferwire/testing/gate.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

namespace inferwire::inline v0_1::testing {

/// An object with a loop that continues when a gate opens. `notify` is called from any thread.
class Waiter {
 public:
  virtual ~Waiter() = default;
  virtual void notify() noexcept = 0;
};

/// No script waits longer for one part, and no test for a script, so that times do not overflow the clock.
inline constexpr std::chrono::milliseconds longest_delay = std::chrono::hours(24 * 365);

struct INFERWIRE_PRIVATE Gate::State {
  static State& of(const Gate& gate) { return *gate.state_; }
  /// Whether the gate is open; if not, `waiter` will be notified.
  bool open_or_tell(const std::shared_ptr<Waiter>& waiter);

  std::mutex mutex;  // guards what follows
  bool open{};
  std::vector<std::weak_ptr<Waiter>> waiters;
};

}  // namespace inferwire::inline v0_1::testing
