/// \file
/// An environment that a test makes up.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "inferwire/environment.hpp"

namespace inferwire_test {

class FakeEnvironment final : public inferwire::Environment {
 public:
  using Texts = std::map<std::string, std::string>;

  explicit FakeEnvironment(Texts variables, Texts files = {})
      : variables_(std::move(variables)), files_(std::move(files)) {}

  std::optional<std::string> variable(const std::string& name) const override {
    return find(variables_, name);
  }
  inferwire::Result<std::optional<std::string>> file(const std::string& path) const override {
    return find(files_, path);
  }

 private:
  static std::optional<std::string> find(const Texts& texts, const std::string& name) {
    const auto found = texts.find(name);
    return found == texts.end() ? std::nullopt : std::optional(found->second);
  }

  Texts variables_;
  Texts files_;
};

}  // namespace inferwire_test
