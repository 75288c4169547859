/// \file
/// Whether a document is an instance of a JSON schema (draft 2020-12): a straightforward reading of the
/// specification that shares nothing with the code that writes instances.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace inferwire_test {

/// Knows all keywords of validation that can stand in one document, references within it included, and the
/// formats date, time, date-time, duration, uuid, email, hostname, ipv4, ipv6 and uri. Throws
/// std::invalid_argument when the schema uses what it does not know.
class SchemaValidator {
 public:
  explicit SchemaValidator(nlohmann::json schema) : root_(std::move(schema)) {}

  /// Empty, or why `instance` is none.
  std::string fault(const nlohmann::json& instance) const { return fault(root_, instance, 0); }

 private:
  std::string fault(const nlohmann::json& schema, const nlohmann::json& instance, int depth) const;
  std::string fault_of(const std::string& keyword, const nlohmann::json& schema,
                       const nlohmann::json& instance, int depth) const;

  nlohmann::json root_;
};

}  // namespace inferwire_test
