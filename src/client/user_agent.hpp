/// \file
/// What a client calls itself.
#pragma once

#include <string>

#include "inferwire/client.hpp"

namespace inferwire::inline v0_1::client {

/// The header User-Agent: this library, the system, libcurl where that carries the calls, and what the
/// options add.
std::string user_agent(const ClientOptions& options);

}  // namespace inferwire::inline v0_1::client
