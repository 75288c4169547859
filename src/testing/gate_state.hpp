/// \file
/// The inside of a gate: who is to be told when it opens, and how long a delay may be.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include "inferwire/testing/gate.hpp"

namespace inferwire::inline v0_1::testing {

/// Somebody with a loop that a gate may set going again. `notify` comes from any thread.
class Waiter {
 public:
  virtual ~Waiter() = default;
  virtual void notify() noexcept = 0;
};

/// No script waits longer for one part: a clock has no end so near.
inline constexpr std::chrono::milliseconds longest_delay = std::chrono::hours(24 * 365);

struct INFERWIRE_PRIVATE Gate::State {
  static State& of(const Gate& gate) { return *gate.state_; }
  /// Whether the gate is open; if it is not, `waiter` will be told.
  bool open_or_tell(const std::shared_ptr<Waiter>& waiter);

  std::mutex mutex;  // guards what follows
  bool open{};
  std::vector<std::weak_ptr<Waiter>> waiters;
};

}  // namespace inferwire::inline v0_1::testing
