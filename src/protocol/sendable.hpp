/// \file
/// Which requests can be sent over a socket. Every transport refuses the others, so that a program works with
/// all transports or with none.
#pragma once

#include "inferwire/result.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::protocol {

/// Whether a request can be sent by its method. Error{invalid_request}: the method is not a token, or the
/// request is HEAD and has a body.
Result<void> check_method(const HttpRequest& request);
/// Checks the whole request; for its headers see `check_headers`, for its URL `parse_url`.
Result<void> check_sendable(const HttpRequest& request);

}  // namespace inferwire::inline v0_1::protocol
