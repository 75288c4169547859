/// \file
/// Sets environment variables in tests.
#pragma once

#include <cstdlib>

namespace inferwire_test {

/// Sets an environment variable, or unsets it if `value` is nullptr. The destructor unsets it in any case.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (value != nullptr) {
      ::setenv(name, value, 1);
    } else {
      ::unsetenv(name);
    }
  }
  ~Environment() { ::unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

}  // namespace inferwire_test
