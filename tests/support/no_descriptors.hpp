/// \file
/// A process that has no descriptor left.
#pragma once

#include "support/catch.hpp"

#include <sys/resource.h>
#include <unistd.h>

namespace inferwire_test {

/// While it exists, open files stay open and no more can be opened, except `left` (0 or 1).
class NoDescriptors {
 public:
  explicit NoDescriptors(int left = 0) {
    const int next = ::dup(STDERR_FILENO);
    REQUIRE(next >= 0);
    ::close(next);
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before_) == 0);
    const rlimit none{.rlim_cur = static_cast<rlim_t>(next + left), .rlim_max = before_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
  }
  ~NoDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

 private:
  rlimit before_{};
};

}  // namespace inferwire_test
