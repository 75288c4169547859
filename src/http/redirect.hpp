/// \file
/// The target of a redirect.
#pragma once

#include "inferwire/transport.hpp"

#include <optional>
#include <string>

namespace inferwire::inline v0_1::http {

/// The URL at which to repeat `request` after the answer `head`; nothing if that is not a redirect, leads to
/// another origin, or would change the request.
std::optional<std::string> redirect_of(const HttpRequest& request, const ResponseHead& head);

}  // namespace inferwire::inline v0_1::http
