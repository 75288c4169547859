/// \file
/// Where an answer sends its client.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::http {

/// The URL at which `request` is to be repeated when `head` is its answer: nothing when the answer is no
/// redirect, or one to another origin, or one that would make another request of this one.
std::optional<std::string> redirect_of(const HttpRequest& request, const ResponseHead& head);

}  // namespace inferwire::inline v0_1::http
