/// \file
/// What the accumulators remark in the `extra` of a call. The encoder never writes these members
/// (json::remark_prefix).
#pragma once

#include <string>
#include <string_view>

#include "inferwire/json.hpp"

namespace inferwire::inline v0_1::wire {

/// The call may be cut: its stream ended inside of it.
inline constexpr std::string_view incomplete_remark = "inferwire:incomplete";
/// The server gave the call no id, and the accumulator made one.
inline constexpr std::string_view generated_id_remark = "inferwire:id_generated";

inline void set_remark(Extra& extra, std::string_view remark) {
  extra.set(std::string(remark), Json::raw("true"));
}

}  // namespace inferwire::inline v0_1::wire
