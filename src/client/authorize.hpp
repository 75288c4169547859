/// \file
/// How the request of an attempt gets its credential.
#pragma once

#include <memory>

#include "client/core.hpp"

namespace inferwire::inline v0_1::client {

/// Completes `request` with the client's credential; the caller's own Authorization goes before it. Fetches
/// the token that the credential asks for, or waits for the call that does, under the call's options and
/// until `ends_at`. Returns which token went in.
Result<Credential::Ready> authorize(const std::shared_ptr<detail::Core>& core, HttpRequest& request,
                                    const CallOptions& options, TimePoint ends_at);

}  // namespace inferwire::inline v0_1::client
