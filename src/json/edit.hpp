/// \file
/// Changes to JSON text, where everything that is not changed stays byte for byte.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inferwire/result.hpp"

namespace inferwire::inline v0_1::json {

/// The tokens of an RFC 6901 pointer, unescaped; nothing when it is malformed.
std::optional<std::vector<std::string>> tokens_of(std::string_view pointer);

/// Puts `value` at an RFC 6901 pointer: over what is there, or as a new member or element ("-", or the index
/// behind the last). Objects that are missing on the way are made. `document` has to be well-formed.
/// Error{invalid_request}, with the pointer as its path: a malformed pointer, a value that is no JSON, a way
/// through something that is no object or array, an element that is not there.
Result<void> set(std::string& document, std::string_view pointer, std::string_view value);

/// Replaces what is at the pointer; something has to be there already.
Result<void> replace(std::string& document, std::string_view pointer, std::string_view value);

/// Takes out what is there, if anything is. The whole document cannot be removed.
Result<void> remove(std::string& document, std::string_view pointer);

}  // namespace inferwire::inline v0_1::json
