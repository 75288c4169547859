#include "engine/cassette/mask.hpp"

#include "base/ascii.hpp"
#include "base/percent.hpp"
#include "engine/document.hpp"
#include "protocol/redact.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {
namespace {

/// Whether a name selects the next page. Such names also contain "token", but without their values all pages
/// would be the same request.
bool is_page(std::string_view name) {
  auto plain = ascii::to_lower(name);
  std::erase_if(plain, [](char c) { return c == '_' || c == '-'; });
  return plain.ends_with("pagetoken") || plain.ends_with("nexttoken") || plain.ends_with("continuationtoken");
}

bool is_secret_in_query(std::string_view name) {
  return !is_page(name) && protocol::is_secret_parameter(name);
}

template <class Json>
bool is_secret_in_body(std::string_view name, const Json& value) {
  if (is_page(name)) return false;
  return protocol::is_secret_member(name) || (value.is_object() && protocol::is_headers_member(name));
}

template <class Json>
void conceal_all(Json& value) {
  if (value.is_structured()) {
    for (auto& below : value) conceal_all(below);
  } else if (value.is_string() || value.is_number()) {
    value = protocol::concealed;
  }
}

}  // namespace

std::string shown_target(const std::string& target) {
  const auto query = target.find('?');
  if (query == target.npos) return target;
  auto out = target.substr(0, query);
  for (auto begin = query; begin < target.size();) {
    const auto end = std::min(target.find('&', begin + 1), target.size());
    const auto parameter = target.substr(begin, end - begin);
    const auto name = parameter.substr(0, parameter.find('='));
    const bool hides = name.size() < parameter.size() && is_secret_in_query(percent_decode(name).substr(1));
    out += hides ? name + "=" + std::string(protocol::concealed) : parameter;
    begin = end;
  }
  return out;
}

template <class Json>
bool conceal_members(Json& document) {
  bool found = false;
  for (auto member = document.begin(); document.is_structured() && member != document.end(); ++member) {
    if (document.is_object() && is_secret_in_body(member.key(), *member)) {
      conceal_all(*member);
      found = true;
    } else {
      found = conceal_members(*member) || found;
    }
  }
  return found;
}
template bool conceal_members(Document& document);
template bool conceal_members(OrderedJson& document);

std::string shown_body(const std::string& body) {
  if (is_too_deep(body)) return body;
  auto document = ordered_json_of(body);
  return !document.is_discarded() && conceal_members(document) ? print(document) : body;
}

}  // namespace inferwire::inline v0_1::engine
