/// \file
/// Parses and prints documents. The parser and the printer of nlohmann/json cost seconds of compile time in
/// each file that uses them, so only json_text.cpp does.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {

using Document = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// The document; throws Document::parse_error if the text is not JSON, and Document::out_of_range if a
/// number is too large for a double.
Document parse_json(std::string_view text);
/// Keeps the members of objects in the order of the text; throws like parse_json.
OrderedJson parse_ordered_json(std::string_view text);

/// The document; a discarded one if the text cannot be parsed.
Document json_of(std::string_view text);
/// Keeps the members of objects in the order of the text; discarded like json_of's.
OrderedJson ordered_json_of(std::string_view text);

/// Whether a text is JSON. Builds no document, however long the text is.
bool is_json(std::string_view text);

/// The document as JSON. Bytes that are not UTF-8 become U+FFFD: programs may pass any bytes.
std::string print(const OrderedJson& document);
/// Writes the members of objects in the order of their names; otherwise like print.
std::string print_sorted(const Document& document);

}  // namespace inferwire::inline v0_1::engine
