#include "schema_validator.hpp"

#include "base/percent.hpp"
#include "engine/utf8.hpp"
#include "support/sockets.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>
#include <string_view>

namespace inferwire_test {
namespace {

using nlohmann::json;

bool has_type(const json& instance, const std::string& type) {
  if (type == "integer") {
    return instance.is_number_integer() ||
           (instance.is_number_float() && instance == std::floor(instance.get<double>()));
  }
  if (type == "number") return instance.is_number();
  static const std::map<std::string, json::value_t> types{{"null", json::value_t::null},
                                                          {"boolean", json::value_t::boolean},
                                                          {"string", json::value_t::string},
                                                          {"array", json::value_t::array},
                                                          {"object", json::value_t::object}};
  return instance.type() == types.at(type);
}

std::size_t code_points(const std::string& text) {
  std::size_t count = 0;
  for (const char c : text) count += (c & 0xC0) != 0x80 ? 1U : 0U;
  return count;
}

/// The text's code points, one for each wchar_t, so that classes may hold any character.
std::wstring wide(const std::string& utf8) {
  std::wstring out;
  for (const char32_t c : inferwire::engine::to_code_points(utf8)) out += static_cast<wchar_t>(c);
  return out;
}

bool matches(const std::string& text, const std::string& pattern) {
  static std::map<std::string, std::wregex> known;
  auto found = known.find(pattern);
  if (found == known.end()) found = known.emplace(pattern, std::wregex(wide(pattern))).first;
  return std::regex_search(wide(text), found->second);
}

bool is_date(const std::string& text) {
  int year = 0, month = 0, day = 0, end = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2d%n", &year, &month, &day, &end) != 3) return false;
  const int days[] = {
      31, year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
      31};
  return end == 10 && text.size() == 10 && month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1];
}

bool is_time(const std::string& text) {
  return matches(text, R"(^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$)");
}

bool is_of_format(const std::string& text, const std::string& format) {
  if (format == "date") return is_date(text);
  if (format == "time") return is_time(text);
  if (format == "date-time") {
    return text.size() > 11 && text[10] == 'T' && is_date(text.substr(0, 10)) && is_time(text.substr(11));
  }
  if (format == "duration") {
    return matches(text, R"(^P(\d+W|(?=.)(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?)$)");
  }
  if (format == "uuid") return matches(text, R"(^[\da-fA-F]{8}(-[\da-fA-F]{4}){3}-[\da-fA-F]{12}$)");
  if (format == "email") return matches(text, R"(^[^@\s]+@[A-Za-z\d-]+(\.[A-Za-z\d-]+)+$)");
  if (format == "hostname") {
    return text.size() < 254 &&
           matches(
               text,
               R"(^[A-Za-z\d]([A-Za-z\d-]{0,61}[A-Za-z\d])?(\.[A-Za-z\d]([A-Za-z\d-]{0,61}[A-Za-z\d])?)*$)");
  }
  unsigned char address[16];
  if (format == "ipv4") return inet_pton(AF_INET, text.c_str(), address) == 1;
  if (format == "ipv6") return inet_pton(AF_INET6, text.c_str(), address) == 1;
  if (format == "uri") return matches(text, R"(^[a-z][a-z\d+.-]*://[^\s"<>\\^`{|}]+$)");
  throw std::invalid_argument("format " + format);
}

/// Whether `number` is a multiple of `of` as decimals, which doubles are not exactly: 0.3 is three times 0.1.
bool is_multiple(double number, double of) {
  const double quotient = number / of;
  return std::abs(quotient - std::round(quotient)) < 1e-9 * std::max(1.0, std::abs(quotient));
}

}  // namespace

std::string SchemaValidator::fault(const json& schema, const json& instance, int depth) const {
  if (depth > 500) throw std::invalid_argument("endless");
  if (schema.is_boolean()) return schema.get<bool>() ? "" : "nothing is allowed";
  for (const auto& [keyword, value] : schema.items()) {
    if (auto found = fault_of(keyword, schema, instance, depth + 1); !found.empty()) {
      return found.find(": ") == found.npos ? keyword + ": " + instance.dump() : found;
    }
  }
  return {};
}

std::string SchemaValidator::fault_of(const std::string& keyword, const json& schema, const json& instance,
                                      int depth) const {
  static const std::string bad = "bad";
  static const std::set<std::string> silent{"title",   "description", "default",  "$defs", "definitions",
                                            "$schema", "$comment",    "examples", "then",  "else"};
  const auto& value = schema.at(keyword);
  const auto verdict = [](bool good) { return good ? std::string() : bad; };
  const auto count_valid = [&] {
    std::size_t count = 0;
    for (const auto& one : value) count += fault(one, instance, depth).empty() ? 1U : 0U;
    return count;
  };
  if (silent.contains(keyword)) return {};

  // Keywords for instances of any type.
  if (keyword == "$ref") {
    const auto pointer = inferwire::percent_decode(value.get<std::string>().substr(1));
    return fault(root_.at(json::json_pointer(pointer)), instance, depth);
  }
  if (keyword == "type") {
    if (value.is_string()) return verdict(has_type(instance, value));
    for (const auto& one : value) {
      if (has_type(instance, one)) return {};
    }
    return bad;
  }
  if (keyword == "const") return verdict(instance == value);
  if (keyword == "enum") return verdict(std::find(value.begin(), value.end(), instance) != value.end());
  if (keyword == "allOf") return verdict(count_valid() == value.size());
  if (keyword == "anyOf") return verdict(count_valid() > 0);
  if (keyword == "oneOf") return verdict(count_valid() == 1);
  if (keyword == "not") return verdict(!fault(value, instance, depth).empty());
  if (keyword == "if") {
    const auto* const branch = fault(value, instance, depth).empty() ? "then" : "else";
    return schema.contains(branch) ? fault(schema[branch], instance, depth) : "";
  }

  // Keywords for numbers.
  const double number = instance.is_number() ? instance.get<double>() : 0;
  if (keyword == "minimum") return verdict(!instance.is_number() || number >= value.get<double>());
  if (keyword == "maximum") return verdict(!instance.is_number() || number <= value.get<double>());
  if (keyword == "exclusiveMinimum") return verdict(!instance.is_number() || number > value.get<double>());
  if (keyword == "exclusiveMaximum") return verdict(!instance.is_number() || number < value.get<double>());
  if (keyword == "multipleOf") return verdict(!instance.is_number() || is_multiple(number, value));

  // Keywords for strings.
  const std::string text = instance.is_string() ? instance.get<std::string>() : "";
  if (keyword == "minLength") return verdict(!instance.is_string() || code_points(text) >= value);
  if (keyword == "maxLength") return verdict(!instance.is_string() || code_points(text) <= value);
  if (keyword == "pattern") return verdict(!instance.is_string() || matches(text, value));
  if (keyword == "format") return verdict(!instance.is_string() || is_of_format(text, value));

  // Keywords for arrays.
  const std::size_t first = schema.contains("prefixItems") ? schema["prefixItems"].size() : 0;
  if (keyword == "minItems") return verdict(!instance.is_array() || instance.size() >= value);
  if (keyword == "maxItems") return verdict(!instance.is_array() || instance.size() <= value);
  if (keyword == "uniqueItems") {
    return verdict(!value.get<bool>() || !instance.is_array() ||
                   std::set<json>(instance.begin(), instance.end()).size() == instance.size());
  }
  if (keyword == "prefixItems" || keyword == "items") {
    if (!instance.is_array()) return {};
    const bool prefix = keyword == "prefixItems";
    const std::size_t begin = prefix ? 0 : first;
    const std::size_t end = prefix ? std::min(first, instance.size()) : instance.size();
    for (std::size_t at = begin; at < end; ++at) {
      if (auto found = fault(prefix ? value[at] : value, instance[at], depth); !found.empty()) return found;
    }
    return {};
  }

  // Keywords for objects.
  if (keyword == "minProperties") return verdict(!instance.is_object() || instance.size() >= value);
  if (keyword == "maxProperties") return verdict(!instance.is_object() || instance.size() <= value);
  if (keyword == "required") {
    for (const auto& name : value) {
      if (instance.is_object() && !instance.contains(name.get<std::string>())) return bad;
    }
    return {};
  }
  if (keyword == "properties" || keyword == "additionalProperties") {
    if (!instance.is_object()) return {};
    const auto named = schema.value("properties", json::object());
    for (const auto& [name, member] : instance.items()) {
      if (named.contains(name) != (keyword == "properties")) continue;
      const auto& own = keyword == "properties" ? value[name] : value;
      if (auto found = fault(own, member, depth); !found.empty()) return found;
    }
    return {};
  }
  throw std::invalid_argument("keyword " + keyword);
}

}  // namespace inferwire_test
