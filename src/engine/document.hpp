/// \file
/// A request's body as a document, and places in it.
#pragma once

#include "engine/json_text.hpp"
#include "engine/refusal.hpp"
#include "protocol/rules/offence.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// Whether a JSON text is nested more deeply than a document may be: reading, copying and printing one are
/// recursive.
bool is_too_deep(std::string_view body);

/// How many values a JSON text has; empty ones count twice.
std::size_t values_in(std::string_view text);

/// The most values of a document, so that many short values need no more memory than a few long ones: more
/// than any request has tokens or messages.
inline constexpr std::size_t most_document_values = 400'000;

/// Whether a JSON text is an object. Builds no document, however long the text is.
bool is_object(std::string_view text);

/// The body as an object, or the reason why it is not one.
OrRefusal<Document> parse_document(std::string_view body);

/// The member of an object; nullptr when it is absent or null, or `object` is not one.
const Document* member(const Document& object, std::string_view name);

/// The text of a string; empty if the value is absent or not a string.
std::string_view text(const Document* value);

/// The kind of a value.
protocol::NodeKind node_kind(const Document& value);
/// The name of its kind, with an article: "an integer".
std::string_view kind_of(const Document& value);

using protocol::Place;

}  // namespace inferwire::inline v0_1::engine
