/// \file
/// A request's body as a document, and places in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/answer/refusal.hpp"
#include "engine/json_text.hpp"
#include "protocol/rules/offence.hpp"

namespace inferwire::inline v0_1::engine {

/// Whether a JSON text has more levels than a document may have: what reads, copies or prints one goes down
/// by calling itself.
bool is_too_deep(std::string_view body);

/// How many values a JSON text has; what is empty counts twice.
std::size_t values_in(std::string_view text);

/// What a document may hold, so that one of many short values needs no more memory than one of few long ones:
/// more than a request has tokens or messages anywhere.
inline constexpr std::size_t most_document_values = 400'000;

/// Whether a text is that of an object. Makes none, however long the text is.
bool is_object(std::string_view text);

/// The body as an object, or why it is none.
OrRefusal<Document> parse_document(std::string_view body);

/// The member of an object; nullptr when it is absent or null, or `object` is not one.
const Document* member(const Document& object, std::string_view name);

/// The text of a string; empty when it is none, or absent.
std::string_view text(const Document* value);

/// What a value is.
protocol::NodeKind node_kind(const Document& value);
/// What a value is, with an article: "an integer".
std::string_view kind_of(const Document& value);

using protocol::Place;

}  // namespace inferwire::inline v0_1::engine
