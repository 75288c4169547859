/// \file
/// Refusals because of load: whether the call waits, or the batch that it belongs to.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/retry_policy.hpp"

namespace inferwire::inline v0_1::client {

/// Whether the error is a refusal because of load, which concerns the whole batch. An error about an input is
/// a rejection (BatchVerdict) instead. In an answer with a success status it counts only if the policy checks
/// those.
bool is_refusal(const Error& error, const RetryPolicy& policy) noexcept;

/// The caller's policy for the requests of a batch, without refusals, which the batch handles. For the log,
/// its judge says which refusals the batch repeats, as far as the error shows: not those that ask for a
/// longer wait than the policy allows, and none if `max_refusals` (BatchOptions) is below 1. It cannot know
/// how often a request has been refused, when the batch ends, and what the caller's judge will decide.
RetryPolicy without_refusals(RetryPolicy policy, int max_refusals);

}  // namespace inferwire::inline v0_1::client
