/// \file
/// A trampoline: callbacks that would nest run one after another, and do not fill the stack.
#pragma once

#include "inferwire/executor.hpp"

namespace inferwire::inline v0_1::client {

/// Runs `task`, which has somebody called who asked for what is there already: at once, or, inside another
/// task of this thread's trampoline, when that has returned. Answers that are there at once, each asked for
/// by the callback of the one before, would otherwise fill the stack. What it throws is lost.
void run_on_trampoline(Executor::Task task) noexcept;

/// Runs the tasks that wait on this thread's trampoline. Whoever is about to block the thread until something
/// is called, does so before.
void drain_trampoline() noexcept;

}  // namespace inferwire::inline v0_1::client
