/// \file
/// Options with their sources: arguments, the environment and files, in this order of precedence.
#pragma once

#include "inferwire/auth_report.hpp"
#include "inferwire/environment.hpp"
#include "inferwire/error.hpp"
#include "inferwire/secret.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::auth {

/// An option that can be set.
struct Attribute {
  std::string_view name{};      ///< the spelling in configuration files and errors
  std::string_view variable{};  ///< the environment variable; empty: none
  std::string_view family{};    ///< the way to authenticate that uses it; empty: not specific to one
  bool secret{};
};

class Settings {
 public:
  /// Keeps a view of the attributes.
  explicit Settings(std::span<const Attribute> attributes);

  /// Sets an option that is not set yet; an empty value does nothing.
  void offer(std::string_view name, std::string_view value, std::string source);
  void offer_environment(const Environment& environment);
  /// Changes a value that is set, keeping its source.
  void change(std::string_view name, std::string value);

  /// The value; empty: not set.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const { return !get(name).empty(); }
  std::string text(std::string_view name) const { return std::string(get(name)); }
  Secret secret(std::string_view name) const { return Secret(text(name)); }
  /// The families with at least one option set, without duplicates, sorted.
  std::vector<std::string_view> families() const;

  std::vector<AuthReport::Setting> report() const;

 private:
  struct Value {
    Secret text{};
    std::string source{};
  };

  std::size_t index_of(std::string_view name) const;

  std::span<const Attribute> attributes_;
  std::vector<Value> values_;
};

/// The result of searching all places of a configuration.
struct FoundSettings {
  Settings settings;
  std::vector<std::string> notes{};
  std::optional<Error> problem{};  ///< a setting that cannot be used, or a contradiction
};

/// An error for missing or wrong settings.
Error config(std::string detail);

/// ". Config: host=https://x (env DATABRICKS_HOST), token=*** (argument)"; empty if nothing is set.
std::string sentence_of(const std::vector<AuthReport::Setting>& settings);
/// "pat (no token), basic (no username)"
std::string list_of(const std::vector<AuthReport::Rejected>& rejected);

}  // namespace inferwire::inline v0_1::auth
