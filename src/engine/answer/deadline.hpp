/// \file
/// Answers that may not take longer than a time.
#pragma once

#include <memory>

#include "engine/answer/call_frame.hpp"
#include "inferwire/engine/service.hpp"

namespace inferwire::inline v0_1::engine {

/// `answer`, or at `deadline` an error: a whole answer becomes 504, a stream ends with an event that says so,
/// and without its end mark, unless nothing else is left of it.
std::unique_ptr<Generation> until(TimePoint deadline, std::unique_ptr<Generation> answer,
                                  const CallFrame& frame);

}  // namespace inferwire::inline v0_1::engine
