/// \file
/// The User-Agent of a client.
#pragma once

#include "inferwire/client.hpp"

#include <string>

namespace inferwire::inline v0_1::client {

/// The value of the header User-Agent: this library, the system, libcurl if it is the transport, and the
/// addition from the options.
std::string user_agent(const ClientOptions& options);

}  // namespace inferwire::inline v0_1::client
