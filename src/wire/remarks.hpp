/// \file
/// Remarks that readers of answers put into the `extra` of a call (json::is_remark).
#pragma once

#include "inferwire/json.hpp"
#include "json/codec.hpp"

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::wire {

/// The call may be cut off: its answer was.
inline constexpr std::string_view incomplete_remark = "inferwire:incomplete";
/// The server gave the call no id, and the reader made one.
inline constexpr std::string_view generated_id_remark = "inferwire:id_generated";

inline void set_remark(Extra& extra, std::string_view remark) {
  extra.set(std::string(remark), Json::raw(std::string(json::remark_value)));
}
inline bool has_remark(const Extra& extra, std::string_view remark) noexcept {
  const auto* const value = extra.find(remark);
  return value != nullptr && value->text() == json::remark_value;
}

}  // namespace inferwire::inline v0_1::wire
