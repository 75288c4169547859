/// \file
/// Classifies a server's error response by status, code, type and message, and says whether a retry can help.
#pragma once

#include "inferwire/error.hpp"

#include <optional>

namespace inferwire::inline v0_1::wire {

/// Sets `kind` and `retryable` of an error that came with `status`, from its code, type and message; if those
/// do not tell, from the status. `original_status` is that of the container behind SageMaker, as in
/// ErrorFacts.
void judge(Error& error, int status, std::optional<int> original_status);

/// Likewise for an error in an answer with a success status: only its code can give another status.
void judge_embedded(Error& error, std::optional<int> original_status = {});

}  // namespace inferwire::inline v0_1::wire
