/// \file
/// A request's body as a document, and places in it.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "engine/refusal.hpp"
#include "protocol/rule_walk.hpp"

namespace inferwire::inline v0_1::engine {

using Document = nlohmann::json;

/// The body as an object, or why it is none.
std::variant<Document, Refusal> parse_document(std::string_view body);

/// The member of an object; nullptr when it is absent or null, or `object` is not one.
const Document* member(const Document& object, std::string_view name);

/// What a value is.
protocol::NodeKind node_kind(const Document& value);
/// The same with its article: "an integer".
std::string_view kind_of(const Document& value);

using protocol::Place;

}  // namespace inferwire::inline v0_1::engine
