/// \file
/// Documents out of text, and text out of documents. A compiler takes seconds for the parser and the printer
/// of nlohmann/json in each file that uses them, so json_text.cpp alone does.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {

using Document = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// The document; throws Document::parse_error when the text is no JSON, and Document::out_of_range when a
/// number is more than a double can hold.
Document parse_json(std::string_view text);
/// Keeps the members of objects in the order of the text; throws like parse_json.
OrderedJson parse_ordered_json(std::string_view text);

/// The document; a discarded one when there is none to be had from the text.
Document json_of(std::string_view text);
/// Keeps the members of objects in the order of the text; discarded like json_of's.
OrderedJson ordered_json_of(std::string_view text);

/// Whether a text is JSON. Makes no document, however long the text is.
bool is_json(std::string_view text);

/// The document as JSON. Bytes that are no UTF-8 become U+FFFD: programs may have given any.
std::string print(const OrderedJson& document);
/// Writes the members of objects in the order of their names; otherwise like print.
std::string print_sorted(const Document& document);

}  // namespace inferwire::inline v0_1::engine
