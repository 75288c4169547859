/// \file
/// Calls that end whatever was received: the caller cancelled, or the call's time is over.
#pragma once

#include "base/timers.hpp"
#include "inferwire/error.hpp"

namespace inferwire::inline v0_1 {

/// The error of a call that the caller cancelled.
[[gnu::cold]] Error cancelled();
/// Whether it is that error, and not that of a call which an exception of a callback cancelled.
bool is_cancelled_by_caller(const Error& error) noexcept;

/// Whether the error is that of Timeouts::overall, or of a deadline.
inline bool is_out_of_time(const Error& error) noexcept { return error.timer == timers::overall; }

/// Whether `error` ends the call regardless of what was received.
inline bool ends_call(const Error& error) noexcept {
  return error.kind == ErrorKind::cancelled || is_out_of_time(error);
}

}  // namespace inferwire::inline v0_1
