/// \file
/// What the accumulators remark in the `extra` of a call. It is no part of the wire, and not sent.
#pragma once

#include <string>
#include <string_view>

#include "inferwire/json.hpp"

namespace inferwire::inline v0_1::wire {

/// The call may be cut: its stream ended inside of it.
inline constexpr std::string_view incomplete_mark = "incomplete";
/// Its id is none of the server's.
inline constexpr std::string_view made_id_mark = "id_generated";

inline void mark_incomplete(Extra& extra) { extra.set(std::string(incomplete_mark), Json::raw("true")); }
inline bool is_incomplete(const Extra& extra) noexcept { return extra.find(incomplete_mark) != nullptr; }

inline void erase_remarks(Extra& extra) {
  extra.erase(made_id_mark);
  extra.erase(incomplete_mark);
}

}  // namespace inferwire::inline v0_1::wire
