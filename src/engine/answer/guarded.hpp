/// \file
/// Answers whose steps may throw: there is no memory left, or a model of the program's own fails.
#pragma once

#include <memory>

#include "engine/answer/call_frame.hpp"
#include "inferwire/engine/service.hpp"

namespace inferwire::inline v0_1::engine {

/// Ends the answer where a step of it throws: as an error, 500, while nothing of it is out and it is not
/// streamed, broken otherwise. What the exception says stays here: it may hold a prompt.
std::unique_ptr<Generation> guarded(std::unique_ptr<Generation> answer, const CallFrame& frame);

}  // namespace inferwire::inline v0_1::engine
