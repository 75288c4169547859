/// \file
/// Edits JSON text; everything that is not changed stays the same byte for byte.
#pragma once

#include "inferwire/result.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::json {

/// The unescaped tokens of an RFC 6901 pointer; nothing if it is malformed.
std::optional<std::vector<std::string>> tokens_of(std::string_view pointer);
/// The index in an array that a token of a pointer is: digits, without a leading 0; nothing if it is none.
std::optional<std::size_t> index_of(std::string_view token) noexcept;

/// Sets `value` at an RFC 6901 pointer: replaces the existing value, or adds a member or element ("-", or the
/// index after the last). Missing objects on the path are created. `document` must be well-formed.
/// Error{invalid_request}, with the pointer as its path: a malformed pointer, a value that is not JSON, a
/// path through a value that is not an object or array, an element that does not exist.
Result<void> set(std::string& document, std::string_view pointer, std::string_view value);

/// Replaces the value at the pointer, which must exist.
Result<void> replace(std::string& document, std::string_view pointer, std::string_view value);

/// Removes the value at the pointer, if it exists. The whole document cannot be removed.
Result<void> remove(std::string& document, std::string_view pointer);

}  // namespace inferwire::inline v0_1::json
