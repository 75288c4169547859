/// \file
/// Answers with scripted faults.
#pragma once

#include "engine/answer/call_frame.hpp"
#include "inferwire/engine/service.hpp"

#include <memory>

namespace inferwire::inline v0_1::engine {

/// Applies the scripted fault, if any, to the answer.
std::unique_ptr<Generation> with_scripted_fault(std::unique_ptr<Generation> answer, const CallFrame& frame);

/// Applies only the delay of the scripted fault: nothing is sent earlier, not even a head.
std::unique_ptr<Generation> with_scripted_delay(std::unique_ptr<Generation> answer, const CallFrame& frame);

}  // namespace inferwire::inline v0_1::engine
