/// \file
/// An environment with the variables and files of a test.
#pragma once

#include "inferwire/environment.hpp"

#include <map>
#include <string>
#include <utility>

namespace inferwire_test {

class FakeEnvironment final : public inferwire::Environment {
 public:
  using Texts = std::map<std::string, std::string>;

  explicit FakeEnvironment(Texts variables, Texts files = {})
      : variables_(std::move(variables)), files_(std::move(files)) {}

  inferwire::Optional<std::string> variable(const std::string& name) const override {
    return find(variables_, name);
  }
  inferwire::Result<inferwire::Optional<std::string>> file(const std::string& path) const override {
    return find(files_, path);
  }

 private:
  static inferwire::Optional<std::string> find(const Texts& texts, const std::string& name) {
    const auto found = texts.find(name);
    return found == texts.end() ? std::nullopt : inferwire::Optional<std::string>(found->second);
  }

  Texts variables_;
  Texts files_;
};

}  // namespace inferwire_test
