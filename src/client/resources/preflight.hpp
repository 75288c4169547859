/// \file
/// Checks of a request before it is sent.
#pragma once

#include "client/core.hpp"
#include "inferwire/result.hpp"
#include "protocol/rules/rules.hpp"

#include <span>
#include <string_view>

namespace inferwire::inline v0_1::client {

/// Checks a body against the provider's documentation and reports problems to the log or as
/// Error{invalid_request}, according to ClientOptions::preflight. Changes nothing, and does nothing if there
/// are no rules.
Result<void> preflight(const detail::Core& core, std::string_view body, std::span<const protocol::Rule> rules,
                       const CallOptions& options);

/// Logs the members of a chat request that live endpoints were seen to refuse, whatever the documentation
/// says.
void remark_on_observed(const detail::Core& core, std::string_view body, std::string_view model,
                        const CallOptions& options);

}  // namespace inferwire::inline v0_1::client
