/// \file
/// Checks whether a document is an instance of a JSON schema (draft 2020-12). It follows the specification in
/// the simplest way, and shares nothing with the code that writes instances.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace inferwire_test {

/// Knows all validation keywords that can occur in one document, with references inside it, and the formats
/// date, time, date-time, duration, uuid, email, hostname, ipv4, ipv6 and uri. Throws std::invalid_argument
/// if the schema uses anything else.
class SchemaValidator {
 public:
  explicit SchemaValidator(nlohmann::json schema) : root_(std::move(schema)) {}

  /// Returns why `instance` is not an instance; empty if it is one.
  std::string fault(const nlohmann::json& instance) const { return fault(root_, instance, 0); }

 private:
  std::string fault(const nlohmann::json& schema, const nlohmann::json& instance, int depth) const;
  std::string fault_of(const std::string& keyword, const nlohmann::json& schema,
                       const nlohmann::json& instance, int depth) const;

  nlohmann::json root_;
};

}  // namespace inferwire_test
