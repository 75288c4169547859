/// \file
/// Callbacks that follow each other in place of nesting.
#pragma once

#include "inferwire/executor.hpp"

namespace inferwire::inline v0_1::client {

/// Calls `task`, which has somebody called who asked for what is there already: at once, or, inside another
/// call of this function on the same thread, when that has returned. Answers that are there at once, each
/// asked for by the callback of the one before, would otherwise fill the stack. What it throws is lost.
void call_in_succession(Executor::Task task) noexcept;

/// Calls what has to wait on this thread. Whoever is about to block it until something is called, does so
/// before.
void call_successors() noexcept;

}  // namespace inferwire::inline v0_1::client
