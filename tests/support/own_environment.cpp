// Removes from a test program's environment what the caller's may have: proxies, keys and addresses of
// services, a log.
#include <cstdlib>

namespace {

struct OwnEnvironment {
  OwnEnvironment() {
    constexpr const char* names[] = {
        "http_proxy",        "https_proxy",        "HTTPS_PROXY",       "all_proxy",
        "ALL_PROXY",         "no_proxy",           "NO_PROXY",          "OPENAI_API_KEY",
        "OPENAI_BASE_URL",   "OPENAI_ORG_ID",      "OPENAI_PROJECT_ID", "OPENAI_CUSTOM_HEADERS",
        "AI21_API_KEY",      "LMI_BASE_URL",       "DATABRICKS_HOST",   "DATABRICKS_TOKEN",
        "AWS_REGION",        "AWS_DEFAULT_REGION", "AWS_PROFILE",       "DATABRICKS_CONFIG_PROFILE",
        "INFERWIRE_API_KEY", "INFERWIRE_LOG",      "NO_COLOR"};
    for (const char* const name : names) ::unsetenv(name);
  }
};

/// Constructed before `main`.
const OwnEnvironment own_environment;

}  // namespace
