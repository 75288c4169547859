/// \file
/// Answers with something wrong about them.
#pragma once

#include <memory>

#include "engine/answer/error_form.hpp"
#include "inferwire/engine/script.hpp"
#include "inferwire/engine/service.hpp"

namespace inferwire::inline v0_1::engine {

/// `answer`, which began at `start`, with `fault`; as it is when there is none. `form` is that of an error in
/// a stream.
std::unique_ptr<Generation> with_fault(std::unique_ptr<Generation> answer, const Fault& fault, ErrorForm form,
                                       TimePoint start);

}  // namespace inferwire::inline v0_1::engine
