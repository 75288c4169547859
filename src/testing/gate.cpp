#include "inferwire/testing/gate.hpp"

#include "testing/gate_state.hpp"

#include <utility>

namespace inferwire::inline v0_1::testing {

Gate::Gate() : state_(std::make_shared<State>()) {}

void Gate::open() {
  std::vector<std::weak_ptr<Waiter>> waiters;
  {
    const std::lock_guard lock(state_->mutex);
    state_->open = true;
    waiters.swap(state_->waiters);
  }
  for (const auto& each : waiters) {
    if (const auto waiter = each.lock()) waiter->notify();
  }
}

bool Gate::is_open() const {
  const std::lock_guard lock(state_->mutex);
  return state_->open;
}

bool Gate::State::open_or_tell(const std::shared_ptr<Waiter>& waiter) {
  const std::lock_guard lock(mutex);
  if (open) return true;
  for (const auto& known : waiters) {
    if (!known.owner_before(waiter) && !waiter.owner_before(known)) return false;
  }
  waiters.push_back(waiter);
  return false;
}

}  // namespace inferwire::inline v0_1::testing
