/// \file
/// The names of the timers of a call, in Error::timer and in messages.
#pragma once

namespace inferwire::inline v0_1::timers {

inline constexpr const char* connect = "connect";
inline constexpr const char* first_byte = "first_byte";
inline constexpr const char* idle = "idle";
inline constexpr const char* idle_event = "idle_event";
inline constexpr const char* total = "total";
inline constexpr const char* overall = "overall";

}  // namespace inferwire::inline v0_1::timers
