#include "client/user_agent.hpp"

#include "http/curl_transport.hpp"
#include "inferwire/version.hpp"

#include <string_view>

namespace inferwire::inline v0_1::client {

namespace {

constexpr std::string_view platform() {
#if defined(_WIN32)
  return "windows";
#elif defined(__APPLE__)
  return "macos";
#elif defined(__linux__)
  return "linux";
#else
  return "unknown";
#endif
}

constexpr std::string_view architecture() {
#if defined(__x86_64__) || defined(_M_X64)
  return "x86_64";
#elif defined(__aarch64__) || defined(_M_ARM64)
  return "aarch64";
#else
  return "other";
#endif
}

}  // namespace

std::string user_agent(const ClientOptions& options) {
  auto name = "inferwire/" + std::string(version()) + " (" + std::string(platform()) + "; " +
              std::string(architecture()) + ")";
  if (!options.transport) name += " " + http::curl_product();
  if (!options.user_agent.empty()) name += " " + options.user_agent;
  return name;
}

}  // namespace inferwire::inline v0_1::client
