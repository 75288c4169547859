/// \file
/// Reads tables of cases under tests/vectors. They are JSON, for clients in any language.
#pragma once

#include "inferwire/transport.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire_test {

/// The names of the members that a reader knows.
using Known = std::initializer_list<std::string_view>;

/// Throws if `object` has another member: its reader would pass over a misspelt one.
inline void refuse_others(const nlohmann::json& object, Known known) {
  for (const auto& [name, value] : object.items()) {
    if (std::ranges::find(known, name) == known.end())
      throw std::runtime_error("unknown member '" + name + "' of " + object.dump());
  }
}

/// The cases of tests/vectors/`name`, which have no other members than `known`.
inline nlohmann::json vectors(const std::string& name, Known known) {
  std::ifstream file(INFERWIRE_VECTORS "/" + name);
  if (!file) throw std::runtime_error("no such table: " + name);
  auto cases = nlohmann::json::parse(file).at("cases");
  for (const auto& row : cases) refuse_others(row, known);
  return cases;
}

/// The member `headers`: a list of pairs.
inline std::vector<inferwire::Header> headers_of(const nlohmann::json& part) {
  std::vector<inferwire::Header> headers;
  for (const auto& pair : part.value("headers", nlohmann::json::array())) {
    headers.push_back({pair.at(0).get<std::string>(), pair.at(1).get<std::string>()});
  }
  return headers;
}

}  // namespace inferwire_test
