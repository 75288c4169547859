/// \file
/// Classifies a server's error response by status, code, type and message, and says whether a retry can help.
#pragma once

#include "inferwire/error.hpp"

namespace inferwire::inline v0_1::client {

/// The kind by code, type and message of `error`; if those do not tell, by `status`. 0: there was no status.
ErrorKind kind_of(int status, const Error& error);

/// Whether code or type mean the same as status 400.
bool says_bad_request(const Error& error) noexcept;

/// Whether an error with this status may go away by itself.
bool is_passing(int status) noexcept;

/// Whether a request that failed with this error, whose kind is known, may be retried.
bool is_retryable(int status, const Error& error) noexcept;

}  // namespace inferwire::inline v0_1::client
