/// \file
/// The target of a redirect.
#pragma once

#include "inferwire/transport.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::http {

/// The URL at which to repeat a request to `url` after the answer `head`; nothing if that is not a redirect,
/// leads to another origin, or would change the request.
std::optional<std::string> redirect_of(std::string_view method, const std::string& url,
                                       const ResponseHead& head);

}  // namespace inferwire::inline v0_1::http
