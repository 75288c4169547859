/// \file
/// Reads tables of cases under tests/vectors. They are JSON, for clients in any language.
#pragma once

#include "inferwire/transport.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace inferwire_test {

/// The cases of tests/vectors/`name`.
inline nlohmann::json vectors(const std::string& name) {
  std::ifstream file(INFERWIRE_VECTORS "/" + name);
  if (!file) throw std::runtime_error("no such table: " + name);
  return nlohmann::json::parse(file).at("cases");
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
