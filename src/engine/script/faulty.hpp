/// \file
/// Answers with scripted faults.
#pragma once

#include "engine/answer/stream_error.hpp"
#include "inferwire/engine/script.hpp"
#include "inferwire/engine/service.hpp"

#include <memory>

namespace inferwire::inline v0_1::engine {

/// `answer`, which began at `start`, with `fault`; unchanged if there is none. `error` ends its stream if the
/// fault requires it.
std::unique_ptr<Generation> with_fault(std::unique_ptr<Generation> answer, const Fault& fault,
                                       StreamError error, TimePoint start);

}  // namespace inferwire::inline v0_1::engine
