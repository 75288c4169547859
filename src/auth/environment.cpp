#include "auth/environment.hpp"

#include <cstdlib>
#include <string_view>

namespace inferwire::inline v0_1::auth {

std::string environment(const std::string& variable) {
  const char* value = variable.empty() ? nullptr : std::getenv(variable.c_str());
  if (value == nullptr) return {};
  const std::string_view text(value);
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

std::string environment_region() {
  auto region = environment("AWS_REGION");
  return region.empty() ? environment("AWS_DEFAULT_REGION") : region;
}

}  // namespace inferwire::inline v0_1::auth
