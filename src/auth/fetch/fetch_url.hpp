/// \file
/// Where secrets may be fetched.
#pragma once

#include <string_view>

#include "inferwire/result.hpp"

namespace inferwire::inline v0_1::auth {

/// Whether a source may ask this URL, which is sent secrets or answers with some: by https, on this machine,
/// or at the addresses where a cloud hands keys to its machines and containers. Errors: config.
Result<void> check_fetch_url(std::string_view text);

}  // namespace inferwire::inline v0_1::auth
