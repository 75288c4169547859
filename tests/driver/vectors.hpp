/// \file
/// Rows of tests/fixtures/wire/index.json as the driver's operations want them.
#pragma once

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace inferwire_test {

/// The driver's name of a row's provider: the one whose dialect it speaks.
inline std::string dialect_of(const nlohmann::json& vector) {
  static const std::map<std::string, std::string> dialects = {{"databricks_ppt", "databricks"},
                                                              {"databricks_pt", "databricks"},
                                                              {"ai21", "ai21"},
                                                              {"lmi", "lmi"},
                                                              {"sagemaker", "sagemaker"}};
  const auto found = dialects.find(vector.at("provider"));
  return found == dialects.end() ? "openai" : found->second;
}

}  // namespace inferwire_test
