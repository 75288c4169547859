/// \file
/// Answers with a deadline.
#pragma once

#include "engine/answer/call_frame.hpp"
#include "inferwire/engine/service.hpp"

#include <memory>

namespace inferwire::inline v0_1::engine {

/// `answer`, or an error at `deadline`: a whole answer becomes a 504, a stream ends with an error event and
/// without its end mark, unless only that is left.
std::unique_ptr<Generation> until(TimePoint deadline, std::unique_ptr<Generation> answer,
                                  const CallFrame& frame);

}  // namespace inferwire::inline v0_1::engine
