/// \file
/// Answers that may fail on their way: a step throws, or they take too long.
#pragma once

#include "engine/answer/call_frame.hpp"
#include "inferwire/engine/service.hpp"

#include <memory>

namespace inferwire::inline v0_1::engine {

/// `answer`, or an error instead of it.
///
/// If a step throws, since memory is exhausted or the program's own model fails, an answer that is not
/// streamed becomes a 500 unless something has been sent, and others are broken off. The exception's message
/// is not passed on: it may contain a prompt.
///
/// At `deadline`, which may be TimePoint::max(), an answer that is not streamed becomes a 504 unless
/// something has been sent; a stream ends with an error event and without its end mark, unless only that is
/// left.
std::unique_ptr<Generation> guarded(std::unique_ptr<Generation> answer, TimePoint deadline,
                                    const CallFrame& frame);

}  // namespace inferwire::inline v0_1::engine
