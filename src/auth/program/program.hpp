/// \file
/// Runs other programs; nothing else in the library does.
#pragma once

#include "inferwire/cancel.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/result.hpp"

#include <string>
#include <vector>

namespace inferwire::inline v0_1::auth {

struct ProgramResult {
  int exit_status{};     ///< above 128: the signal that ended it, plus 128
  std::string output{};  ///< what it wrote to standard output, at most 1 MiB
};

/// Runs the program `command[0]`, looked up in PATH, with the rest as its arguments, without a shell. It gets
/// no input, and its standard error is discarded. Blocks the calling thread; at the deadline and on
/// cancellation the program is killed. Processes that it started continue: in a process group of its own,
/// which could be killed as a whole, it could not ask for a password at the terminal. Errors: config (no such
/// program), cancelled, timeout, too_large, unsupported (not a POSIX system).
Result<ProgramResult> run_program(const std::vector<std::string>& command, Clock& clock, TimePoint deadline,
                                  const CancelToken& cancel);

}  // namespace inferwire::inline v0_1::auth
