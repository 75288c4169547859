/// \file
/// What a call in progress waits for.
#pragma once

#include "auth/program/program.hpp"
#include "inferwire/cancel.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/transport.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::client {

/// A program that a credential needs to run. Shared with the thread that runs it.
struct Program {
  std::vector<std::string> command{};
  TimePoint until{};
  CancelSource stop{};
  std::optional<Result<auth::ProgramResult>> result{};
  std::atomic<bool> over{false};  ///< the result is available
};

/// Runs `program` on the calling thread, to its end.
[[gnu::cold]] inline void run_to_end(Program& program, Clock& clock, const CancelToken& cancel) {
  program.result = auth::run_program(program.command, clock, program.until, cancel);
  program.over.store(true, std::memory_order_release);
}

/// What a call waits for. When it has happened, or may have, the call takes its next step.
struct Need {
  Exchange* exchange{};                ///< to be driven
  Sink* sink{};                        ///< receives the exchange's events
  std::shared_ptr<Program> program{};  ///< to be run, if it is not running yet
  CancelToken event{};                 ///< a token that fires
  TimePoint until{TimePoint::max()};   ///< the latest time for the next step
};

}  // namespace inferwire::inline v0_1::client
