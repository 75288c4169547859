/// \file
/// Variables of the environment in tests.
#pragma once

#include <cstdlib>

namespace inferwire_test {

/// Sets a variable of the environment for one test, or with nullptr takes it away.
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
