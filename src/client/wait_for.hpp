/// \file
/// A call that waits for another one.
#pragma once

#include <cstdint>

#include "inferwire/cancel.hpp"
#include "inferwire/clock.hpp"

namespace inferwire::inline v0_1::client {

enum class Waited : std::uint8_t { fired, cancelled, deadline };

/// Waits on the calling thread until `event` fires, the caller cancels, or `deadline` has come.
Waited wait_for(const CancelToken& event, const CancelToken& cancel, Clock& clock, TimePoint deadline);

}  // namespace inferwire::inline v0_1::client
