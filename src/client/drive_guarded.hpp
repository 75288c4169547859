/// \file
/// Drives exchanges of transports that may throw.
#pragma once

#include "inferwire/clock.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::client {

/// Drives an exchange. An exception from it ends it, and `sink` receives the error.
Progress drive_guarded(Exchange& exchange, Sink& sink, TimePoint deadline);

}  // namespace inferwire::inline v0_1::client
