/// \file
/// What was set, and by whom: options that come from arguments, the environment and files, in this order.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inferwire/auth_report.hpp"
#include "inferwire/environment.hpp"
#include "inferwire/error.hpp"
#include "inferwire/secret.hpp"

namespace inferwire::inline v0_1::auth {

/// An option that can be set.
struct Attribute {
  std::string_view name{};      ///< the spelling of configuration files and errors
  std::string_view variable{};  ///< the variable of the environment; empty: there is none
  std::string_view family{};    ///< the way to authenticate that it belongs to; empty: to none alone
  bool secret{};
};

class Settings {
 public:
  /// Keeps a view on the attributes.
  explicit Settings(std::span<const Attribute> attributes);

  /// Sets what is not set yet; an empty value sets nothing.
  void offer(std::string_view name, std::string_view value, std::string source);
  void offer_environment(const Environment& environment);
  /// Changes what is set, and keeps its source.
  void change(std::string_view name, std::string value);

  /// The value; empty: it is not set.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const { return !get(name).empty(); }
  std::string text(std::string_view name) const { return std::string(get(name)); }
  Secret secret(std::string_view name) const { return Secret(text(name)); }
  /// The families of which something is set, each once, sorted.
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

/// What a look at all the places of a configuration came to.
struct FoundSettings {
  Settings settings;
  std::vector<std::string> notes{};
  std::optional<Error> problem{};  ///< what cannot be used, or contradicts itself
};

/// What the settings lack, or what is wrong with them.
Error config(std::string detail);

/// ". Config: host=https://x (env DATABRICKS_HOST), token=*** (argument)"; empty when nothing is set.
std::string sentence_of(const std::vector<AuthReport::Setting>& settings);
/// "pat (no token), basic (no username)"
std::string list_of(const std::vector<AuthReport::Rejected>& rejected);

}  // namespace inferwire::inline v0_1::auth
