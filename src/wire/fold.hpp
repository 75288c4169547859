/// \file
/// How the chunks of a stream add up: what the accumulators of all resources have in common.
#pragma once

#include <string>

#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/usage.hpp"
#include "json/type.hpp"

namespace inferwire::inline v0_1::wire {

/// The first word that is not empty stays: gateways change ids in the middle of a stream.
inline void keep_first(std::string& kept, const std::string& word) {
  if (kept.empty()) kept = word;
}
inline void keep_first(Optional<std::string>& kept, const Optional<std::string>& word) {
  if (word && (!kept || kept->empty())) kept = word;
}
template <class T>
void keep_first(Optional<T>& kept, const Optional<T>& value) {
  if (!kept) kept = value;
}

inline void append(Optional<std::string>& text, const Optional<std::string>& piece) {
  if (!piece) return;
  if (!text) text.emplace();
  *text += *piece;
}

/// Whether a member may come to these: looking for a name takes as long as there are names, so hostile
/// streams may not bring any number of them.
bool has_room(const Extra& kept, const std::string& name) noexcept;

/// Unknown members: the last one. Names beyond 256 are left out.
void fold_extra(Extra& kept, const Extra& extra);

/// Unknown members: the last one that is not null. Explicitly empty values of members that `owner` has are
/// left out, as is everything else that would contradict it, and names beyond 256.
void fold_extra(Extra& kept, const Extra& extra, const json::Type& owner);

/// Drops what could not be read as a member of `object`, a `type`, and stands in `extra` since, where the
/// member has a value by now.
void drop_unread(Extra& extra, const void* object, const json::Type& type);

/// Lists are put one behind the other; the same list again says nothing new.
void fold_list(Optional<Json>& kept, const Json& piece);

/// Usage is a running total on some servers, and null erases nothing.
void fold_usage(Optional<Usage>& kept, const Optional<Usage>& usage);

}  // namespace inferwire::inline v0_1::wire
