/// \file
/// What can be said of a request before it is sent.
#pragma once

#include <span>
#include <string_view>

#include "client/core.hpp"
#include "inferwire/result.hpp"
#include "protocol/rules/rules.hpp"

namespace inferwire::inline v0_1::client {

/// Holds a body against what the provider's documents say of it: to the log, or as an Error{invalid_request},
/// as ClientOptions::preflight wants it. Changes nothing, and looks at nothing where there are no rules.
Result<void> preflight(const detail::Core& core, std::string_view body, std::span<const protocol::Rule> rules,
                       const CallOptions& options);

/// Tells the log of the members of a chat request that live endpoints were seen to refuse, whatever the
/// documents say.
void remark_on_observed(const detail::Core& core, std::string_view body, std::string_view model,
                        const CallOptions& options);

}  // namespace inferwire::inline v0_1::client
