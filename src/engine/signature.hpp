/// \file
/// Whether a request to SageMaker is signed as AWS requires.
#pragma once

#include "engine/refusal.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/transport.hpp"

#include <optional>

namespace inferwire::inline v0_1::engine {

/// Signs the request again, with the headers and scope that its Authorization names and the time of its
/// X-Amz-Date, and compares. The refusal never repeats what was sent.
std::optional<Refusal> check_signature(const HttpRequest& request, const AwsKeys& keys);

}  // namespace inferwire::inline v0_1::engine
