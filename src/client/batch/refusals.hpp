/// \file
/// Who waits when a server asks for less: the call, or the batch that it belongs to.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/retry_policy.hpp"

namespace inferwire::inline v0_1::client {

/// Whether the server asks for less, of everybody: a matter of the whole batch. An input that it does not
/// like is rejected (BatchVerdict), which is no refusal. In an answer with a good status the policy has to
/// look for it.
bool is_refusal(const Error& error, const RetryPolicy& policy) noexcept;

/// The caller's policy for the requests of a batch: refusals are left to the batch.
RetryPolicy without_refusals(RetryPolicy policy);

}  // namespace inferwire::inline v0_1::client
