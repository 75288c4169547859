/// \file
/// The inverse of `to_json`. The headers of the structs declare which of them can be read.
#pragma once

#include "inferwire/json.hpp"
#include "inferwire/result.hpp"

#include <string>
#include <string_view>
#include <type_traits>

namespace inferwire::inline v0_1 {

/// Reads a struct from a JSON document, for stored documents and for answers of `Client::request`:
///
///     auto stored = from_json<chat::Request>(Json::raw(text_of_file));
///
/// Members that the struct does not name are in its `extra`; null reads as absent. In documents that programs
/// write (requests, messages, items) every member must have the right type. Answers are read as a client
/// reads them: a member of the wrong type is kept in `extra`, unless the answer is useless without it.
///
/// Errors: decode, with the path, or, for text that is not JSON, with the byte offset in the detail.
template <class T>
Result<T> from_json(const Json& document) = delete;
/// Reads a struct from JSON text, such as the body of a request that a test has recorded.
template <class T, class Text>
  requires(std::is_convertible_v<const Text&, std::string_view> && !std::is_convertible_v<const Text&, Json>)
Result<T> from_json(
    const Text& text) {  // no template of T alone: `and_then(from_json<T>)` means the other one
  return from_json<T>(Json::raw(std::string(std::string_view(text))));
}

}  // namespace inferwire::inline v0_1
