/// \file
/// How the chunks of a stream are combined: code shared by the accumulators of all resources.
#pragma once

#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/usage.hpp"
#include "json/type.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::wire {

/// How many choices of an answer are read: more than any server sends, also to many prompts in one request. A
/// hostile server's further ones are dropped.
inline constexpr std::size_t most_choices = 65'536;

/// Keeps the first non-empty value: gateways change ids in the middle of a stream.
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

/// Whether another member may be added: a lookup takes time proportional to the number of names, so hostile
/// streams must not add any number of them.
bool has_room(const Extra& kept, const std::string& name) noexcept;

/// Adds unknown members; the last value that is not null wins. Names beyond 256 are dropped.
void fold_extra(Extra& kept, const Extra& extra);

/// Adds unknown members except null; the last value wins, and lists called `joined` are concatenated. Members
/// that `owner` has, whose unreadable or empty values would contradict it, and names beyond 256 are dropped.
void fold_extra(Extra& kept, const Extra& extra, const json::Type& owner, std::string_view joined = {});

/// Adds unknown members that describe tokens, chunk by chunk: lists are concatenated.
void fold_token_lists(Extra& kept, const Extra& extra);

/// Drops unreadable values, which were kept in `extra`, of members of `object` (described by `type`) that
/// have a value by now.
void drop_unread(Extra& extra, const void* object, const json::Type& type);

/// Concatenates lists; a repetition of all or of the last of them is ignored.
void fold_list(Optional<Json>& kept, const Json& piece);

/// Usage is a running total on some servers: newer counts overwrite older ones, and null erases nothing.
void fold_usage(Optional<Usage>& kept, const Optional<Usage>& usage);

}  // namespace inferwire::inline v0_1::wire
