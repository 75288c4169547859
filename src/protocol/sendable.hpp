/// \file
/// Which requests can be sent over a socket. Every transport refuses the others, so that a program works with
/// all transports or with none.
#pragma once

#include "inferwire/result.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::protocol {

/// Whether the method, the headers and the body of a request can be sent. Error{invalid_request}: the method
/// is not a token, or the request is HEAD and has a body. Error{config}: see `check_header`.
Result<void> check_all_but_url(const HttpRequest& request);
/// Checks the whole request; for its URL see `parse_url`.
Result<void> check_sendable(const HttpRequest& request);

}  // namespace inferwire::inline v0_1::protocol
