/// \file
/// A trampoline: callbacks that would nest run one after another, to keep the stack small.
#pragma once

#include "inferwire/executor.hpp"

namespace inferwire::inline v0_1::client {

/// Runs `task`, the continuation of a result that was already available: at once, or, inside another task of
/// this thread's trampoline, after that one returns. Results that are available at once, each requested by
/// the callback of the one before, would otherwise overflow the stack. Exceptions from `task` are lost.
void run_on_trampoline(Executor::Task task) noexcept;

/// Runs the tasks that wait on this thread's trampoline. Must be called before the thread blocks until a
/// callback runs.
void drain_trampoline() noexcept;

}  // namespace inferwire::inline v0_1::client
