/// \file
/// What is thrown where an error should be returned: by code of the user's, and for lack of memory.
#pragma once

#include "base/thrown.hpp"
#include "inferwire/error.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::client {

/// The end of an exchange whose transport threw it.
Error thrown_by_transport();
/// Drives an exchange. One that throws has ended, and `sink` hears why.
Progress drive_guarded(Exchange& exchange, Sink& sink, TimePoint deadline);
/// The end of a call whose answer the memory does not suffice for.
Error thrown_by_reading();

}  // namespace inferwire::inline v0_1::client
