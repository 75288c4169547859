/// \file
/// Answers whose steps may throw: out of memory, or the program's own model fails.
#pragma once

#include "engine/answer/call_frame.hpp"
#include "inferwire/engine/service.hpp"

#include <memory>

namespace inferwire::inline v0_1::engine {

/// Ends the answer if a step of it throws: with an error 500 if it is not streamed and nothing has been sent,
/// broken off otherwise. The exception's message is not passed on: it may contain a prompt.
std::unique_ptr<Generation> guarded(std::unique_ptr<Generation> answer, const CallFrame& frame);

}  // namespace inferwire::inline v0_1::engine
