#include "auth/settings/settings.hpp"

#include "auth/settings/environment.hpp"
#include "protocol/redact.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace inferwire::inline v0_1::auth {

Settings::Settings(std::span<const Attribute> attributes)
    : attributes_(attributes), values_(attributes.size()) {}

void Settings::offer(std::string_view name, std::string_view value, std::string source) {
  const auto index = index_of(name);
  if (index == values_.size() || value.empty() || !values_[index].text.empty()) return;
  values_[index] = {Secret(std::string(value)), std::move(source)};
}

void Settings::offer_environment(const Environment& environment) {
  for (const auto& attribute : attributes_) {
    offer(attribute.name, variable(environment, attribute.variable),
          "env " + std::string(attribute.variable));
  }
}

void Settings::change(std::string_view name, std::string value) {
  values_[index_of(name)].text = Secret(std::move(value));
}

std::string_view Settings::get(std::string_view name) const {
  const auto index = index_of(name);
  return index == values_.size() ? std::string_view() : values_[index].text.reveal();
}

std::vector<std::string_view> Settings::families() const {
  std::set<std::string_view> families;
  for (const auto& attribute : attributes_) {
    if (!attribute.family.empty() && has(attribute.name)) families.insert(attribute.family);
  }
  return {families.begin(), families.end()};
}

std::vector<AuthReport::Setting> Settings::report() const {
  std::vector<AuthReport::Setting> report;
  for (const auto& attribute : attributes_) {
    const auto& value = values_[index_of(attribute.name)];
    if (value.text.empty()) continue;
    report.push_back({std::string(attribute.name),
                      attribute.secret ? std::string(protocol::concealed) : std::string(value.text.reveal()),
                      value.source});
  }
  return report;
}

std::size_t Settings::index_of(std::string_view name) const {
  const auto found = std::ranges::find(attributes_, name, &Attribute::name);
  return static_cast<std::size_t>(found - attributes_.begin());
}

Error config(std::string detail) { return {.kind = ErrorKind::config, .detail = std::move(detail)}; }

std::string sentence_of(const std::vector<AuthReport::Setting>& settings) {
  std::string text;
  for (const auto& [name, value, source] : settings) {
    text += text.empty() ? ". Config: " : ", ";
    text += name + "=" + value + " (" + source + ")";
  }
  return text;
}

std::string list_of(const std::vector<AuthReport::Rejected>& rejected) {
  std::string text;
  for (const auto& [method, reason] : rejected) {
    if (!text.empty()) text += ", ";
    text += method + " (" + reason + ")";
  }
  return text;
}

}  // namespace inferwire::inline v0_1::auth
