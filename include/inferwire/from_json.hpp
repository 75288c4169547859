/// \file
/// The way back from `to_json`. The headers of the structs say which of them are read.
#pragma once

#include "inferwire/json.hpp"

namespace inferwire::inline v0_1 {

/// The struct that `document` tells, for what was stored and for answers of `Client::request`:
///
///     auto stored = from_json<chat::Request>(Json::raw(text_of_file));
///
/// Members that the struct does not name are in its `extra`; null reads as absent. What a program writes
/// (requests, messages, items) has to have every member of its type, answers are read as a client reads them:
/// a member of another type is kept in `extra`, unless the answer is nothing without it.
///
/// Errors: decode, with the path, or for text that is not JSON with the byte offset in the detail.
template <class T>
Result<T> from_json(const Json& document) = delete;

}  // namespace inferwire::inline v0_1
