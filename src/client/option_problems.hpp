/// \file
/// Checks the options of clients and calls.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/fwd.hpp"
#include "inferwire/retry_policy.hpp"
#include "inferwire/timeouts.hpp"

#include <optional>

namespace inferwire::inline v0_1::client {

/// Why these timeouts cannot be used: one is zero or negative.
std::optional<Error> problem_with(const Timeouts& timeouts);
/// Why this policy cannot be used: a number is negative, or a fraction is above one.
std::optional<Error> problem_with(const RetryPolicy& policy);
/// Why these options, as the program gave them, cannot be used, or not together: one would keep another from
/// its effect.
std::optional<Error> problem_with(const ClientOptions& options);
/// Why a call with these options cannot be made. The client's options were checked before.
std::optional<Error> problem_with(const CallOptions& options);

}  // namespace inferwire::inline v0_1::client
