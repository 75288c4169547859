/// \file
/// Sets environment variables in tests.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace inferwire_test {

/// Sets an environment variable, or unsets it if `value` is nullptr. The destructor restores its old value.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Environment() { set(before_ ? before_->c_str() : nullptr); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  void set(const char* value) const {
#if defined(_WIN32)
    ::_putenv_s(name_, value != nullptr ? value : "");
#else
    if (value != nullptr) {
      ::setenv(name_, value, 1);
    } else {
      ::unsetenv(name_);
    }
#endif
  }

  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace inferwire_test
