#include "engine/document.hpp"

#include "json/outline.hpp"
#include "json/scanner.hpp"

namespace inferwire::inline v0_1::engine {

bool is_too_deep(std::string_view body) {
  int level = 0;
  json::each_byte(body, [&](char c, bool in_string) {
    if (in_string) return true;
    if (c == '{' || c == '[') ++level;
    if (c == '}' || c == ']') --level;
    return level <= json::max_depth;
  });
  return level > json::max_depth;
}

std::size_t values_in(std::string_view text) {
  std::size_t count = 1;
  json::each_byte(text, [&](char c, bool in_string) {
    if (!in_string && (c == ',' || c == '{' || c == '[')) ++count;
    return true;
  });
  return count;
}

bool is_object(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && text[first] == '{' && is_json(text);
}

OrRefusal<Document> parse_document(std::string_view body) {
  if (body.find_first_not_of(" \t\r\n") == body.npos) return refuse::invalid_json("it is empty");
  if (is_too_deep(body)) {
    return refuse::invalid_json("it is nested deeper than " + std::to_string(json::max_depth) + " levels");
  }
  if (values_in(body) > most_document_values) {
    return refuse::invalid_json("it has more than " + std::to_string(most_document_values) + " values");
  }
  try {
    auto document = parse_json(body);
    if (document.is_object()) return document;
    return refuse::invalid_json("expected an object, but got " + std::string(kind_of(document)));
  } catch (const Document::parse_error& error) {
    return refuse::invalid_json("syntax error at byte " + std::to_string(error.byte));
  } catch (const Document::exception&) {  // a number too large for a double
    return refuse::invalid_json("a number is out of range");
  }
}

const Document* member(const Document& object, std::string_view name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string_view text(const Document* value) {
  return value != nullptr && value->is_string() ? std::string_view(value->get_ref<const std::string&>())
                                                : std::string_view();
}

protocol::NodeKind node_kind(const Document& value) {
  using protocol::NodeKind;
  switch (value.type()) {
    case Document::value_t::boolean: return NodeKind::boolean;
    case Document::value_t::number_integer:
    case Document::value_t::number_unsigned: return NodeKind::integer;
    case Document::value_t::number_float: {
      // A whole number that does not fit into 64 bits is parsed as a double.
      const auto number = value.get<double>();
      return number >= 0x1p64 || number < -0x1p63 ? NodeKind::integer : NodeKind::fraction;
    }
    case Document::value_t::string: return NodeKind::string;
    case Document::value_t::array: return NodeKind::list;
    case Document::value_t::object: return NodeKind::object;
    default: return NodeKind::null;
  }
}

std::string_view kind_of(const Document& value) { return protocol::name_of(node_kind(value)); }

}  // namespace inferwire::inline v0_1::engine
