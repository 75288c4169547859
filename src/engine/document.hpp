/// \file
/// A request's body as a document, and places in it.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "engine/refusal.hpp"

namespace inferwire::inline v0_1::engine {

using Document = nlohmann::json;

/// The body as an object, or why it is none.
std::variant<Document, Refusal> parse_document(std::string_view body);

/// The member of an object; nullptr when it is absent or null, or `object` is not one.
const Document* member(const Document& object, std::string_view name);

/// What a value is, with its article: "an integer".
std::string_view kind_of(const Document& value);

/// Where a value is: a chain down to the root, written out only when something is wrong there. Lives on the
/// stack of whoever descends.
struct Place {
  const Place* above{};
  std::string_view name{};
  std::size_t index{static_cast<std::size_t>(-1)};  ///< of an element; the name is empty then

  Place member(std::string_view of) const { return {.above = this, .name = of}; }
  Place element(std::size_t of) const { return {.above = this, .index = of}; }
  /// "messages[0].role"
  std::string text() const;
};

}  // namespace inferwire::inline v0_1::engine
