// Removes from a test program's environment what the caller's may have: proxies, keys and addresses of
// services, logs; so does own_environment.sh. Raises the limit of open files, which may be too low for
// hundreds of connections.
#if !defined(_WIN32)
#include <sys/resource.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#if !defined(_WIN32)
extern char** environ;
#endif

namespace {

#if defined(_WIN32)
char** variables() { return _environ; }
void unset(const std::string& name) { ::_putenv_s(name.c_str(), ""); }
void open_as_many_files_as_may_be() {}
#else
char** variables() { return environ; }
void unset(const std::string& name) { ::unsetenv(name.c_str()); }
void open_as_many_files_as_may_be() {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}
#endif

bool is_callers(std::string_view name) {
  constexpr std::string_view prefixes[] = {"DATABRICKS_", "ARM_",  "AWS_", "GOOGLE_",
                                           "OPENAI_",     "AI21_", "LMI_", "IS_IN_"};
  constexpr std::string_view names[] = {
      "http_proxy",   "https_proxy",   "HTTPS_PROXY",       "all_proxy",
      "ALL_PROXY",    "no_proxy",      "NO_PROXY",          "DB_MODEL_SERVING_HOST_URL",
      "NO_COLOR",     "SSL_CERT_FILE", "INFERWIRE_API_KEY", "INFERWIRE_LOG",
      "SSLKEYLOGFILE"};
  return std::ranges::find(names, name) != std::end(names) ||
         std::ranges::any_of(prefixes, [name](std::string_view prefix) { return name.starts_with(prefix); });
}

struct OwnEnvironment {
  OwnEnvironment() {
    std::vector<std::string> found;
    for (char** entry = variables(); entry != nullptr && *entry != nullptr; ++entry) {
      const std::string_view text = *entry;
      const auto name = text.substr(0, text.find('='));
      if (is_callers(name)) found.emplace_back(name);
    }
    for (const auto& name : found) unset(name);
    open_as_many_files_as_may_be();
  }
};

/// Constructed before `main`.
const OwnEnvironment own_environment;

}  // namespace
