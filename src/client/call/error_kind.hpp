/// \file
/// What kind of error a server's answer is, and whether another try can help: from status, code, type and
/// words.
#pragma once

#include "inferwire/error.hpp"

namespace inferwire::inline v0_1::client {

/// The kind that code, type and words of `error` say; `status` decides what they leave open. 0: none was
/// told.
ErrorKind kind_of(int status, const Error& error);

/// Whether code or type say what the status 400 would say.
bool says_bad_request(const Error& error) noexcept;

/// Whether an answer with this status may be another one later, by itself.
bool is_passing(int status) noexcept;

/// Whether an error whose kind is known may be tried again.
bool is_retryable(int status, const Error& error) noexcept;

}  // namespace inferwire::inline v0_1::client
