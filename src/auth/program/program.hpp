/// \file
/// Running another program: the one door to it.
#pragma once

#include <string>
#include <vector>

#include "inferwire/cancel.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/result.hpp"

namespace inferwire::inline v0_1::auth {

struct ProgramResult {
  int exit_status{};     ///< above 128: the signal that ended it, plus 128
  std::string output{};  ///< what it wrote to standard output, at most 1 MiB
};

/// Runs the program `command[0]`, looked up in PATH, with the rest as its arguments; no shell comes between.
/// It gets no input, and what it writes to standard error is dropped. Waits on the calling thread; at the
/// deadline and on cancellation the program is killed. What it has started itself goes on: a group of its
/// own, which could be killed whole, could not ask at the terminal for a password. Errors: config (there is
/// no such program), cancelled, timeout, too_large, unsupported (not a POSIX system).
Result<ProgramResult> run_program(const std::vector<std::string>& command, Clock& clock, TimePoint deadline,
                                  const CancelToken& cancel);

}  // namespace inferwire::inline v0_1::auth
