/// \file
/// What the accumulators remark in the `extra` of a call. Servers have no use for it: `as_request` and
/// `to_input_items` leave it out.
#pragma once

#include <string>
#include <string_view>

#include "inferwire/json.hpp"

namespace inferwire::inline v0_1::wire {

/// The call may be cut: its stream ended inside of it.
inline constexpr std::string_view incomplete_mark = "incomplete";
/// Its id is none of the server's.
inline constexpr std::string_view made_id_mark = "id_generated";

inline void set_mark(Extra& extra, std::string_view mark) { extra.set(std::string(mark), Json::raw("true")); }
/// Servers may have members of these names, too: `false` is no mark.
inline bool has_mark(const Extra& extra, std::string_view mark) {
  const auto* const value = extra.find(mark);
  return value != nullptr && value->as_bool() == true;
}

inline void erase_remarks(Extra& extra) {
  extra.erase(made_id_mark);
  extra.erase(incomplete_mark);
}

}  // namespace inferwire::inline v0_1::wire
