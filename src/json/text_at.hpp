/// \file
/// Reads one text from a document.
#pragma once

#include "inferwire/json.hpp"

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::json {

/// The text at a pointer (RFC 6901); empty if there is none.
inline std::string text_at(const Json& document, std::string_view pointer) {
  const auto value = document.find(pointer);
  return value ? value->as_string().value_or("") : std::string();
}

}  // namespace inferwire::inline v0_1::json
