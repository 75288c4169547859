/// \file
/// The URLs from which secrets may be fetched.
#pragma once

#include "inferwire/result.hpp"

#include <string_view>

namespace inferwire::inline v0_1::auth {

/// Whether a source may send a request that contains or returns secrets to this URL: with https, on this
/// machine, or at the addresses where a cloud issues keys to its machines and containers. Errors: config.
Result<void> check_fetch_url(std::string_view text);

}  // namespace inferwire::inline v0_1::auth
