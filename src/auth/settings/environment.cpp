#include "auth/settings/environment.hpp"

#include "base/ascii.hpp"
#include "base/immortal.hpp"
#include "json/scanner.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#if !defined(_WIN32)
#include <pwd.h>
#include <unistd.h>

#include <array>
#endif

namespace inferwire::inline v0_1 {

namespace {

constexpr std::size_t most_bytes = 1u << 20;

class SystemEnvironment final : public Environment {
 public:
  Optional<std::string> variable(const std::string& name) const override {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : Optional<std::string>(value);
  }

  Result<Optional<std::string>> file(const std::string& path) const override {
    errno = 0;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file) return errno == ENOENT || errno == ENOTDIR ? none_there() : unreadable(path, errno);
    std::string text(most_bytes + 1, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file.get()));
    if (std::ferror(file.get()) != 0) return unreadable(path, errno);
    if (text.size() > most_bytes) {
      return Error{.kind = ErrorKind::config, .detail = "the file " + path + " is larger than 1 MiB"};
    }
    return Optional<std::string>(std::move(text));
  }

 private:
  static Result<Optional<std::string>> none_there() { return Optional<std::string>(); }
  static Error unreadable(const std::string& path, int code) {
    return {.kind = ErrorKind::config,
            .detail = "the file " + path + " cannot be read: " + std::strerror(code)};
  }
};

class NoEnvironment final : public Environment {
 public:
  Optional<std::string> variable(const std::string&) const override { return std::nullopt; }
  Result<Optional<std::string>> file(const std::string&) const override { return Optional<std::string>(); }
};

}  // namespace

Environment::~Environment() = default;

std::shared_ptr<Environment> Environment::system() {
  static const Immortal<std::shared_ptr<SystemEnvironment>> the_one(std::make_shared<SystemEnvironment>());
  return the_one.value;
}

std::shared_ptr<Environment> Environment::none() { return std::make_shared<NoEnvironment>(); }

namespace auth {

namespace {

/// The home directory in the system's list of users: services often run without HOME. Empty if there is none.
std::string home_of_user() {
#if !defined(_WIN32)
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
    return found->pw_dir;
#endif
  return {};
}

}  // namespace

std::string variable(const Environment& environment, std::string_view name) {
  if (name.empty()) return {};
  const auto value = environment.variable(std::string(name));
  return value ? std::string(json::trim(*value)) : std::string();
}

bool says_yes(const Environment& environment, std::string_view name) {
  const auto value = variable(environment, name);
  return value == "1" || ascii::equal_ignoring_case(value, "true");
}

std::string expand_home(const Environment& environment, std::string_view path) {
  if (path != "~" && !path.starts_with("~/")) return std::string(path);
  auto home = variable(environment, "HOME");
  if (home.empty()) home = variable(environment, "USERPROFILE");
  // Variables of somebody else's do not go with the files of this process's user.
  if (home.empty() && &environment == Environment::system().get()) home = home_of_user();
  return home.append(path.substr(1));
}

Result<Secret> read_secret(const Environment& environment, std::string_view path) {
  const auto text = environment.file(expand_home(environment, path));
  if (!text) return text.error();
  const std::string content = text->value_or("");
  return Secret(std::string(json::trim(content)));
}

}  // namespace auth

}  // namespace inferwire::inline v0_1
