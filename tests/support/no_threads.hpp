/// \file
/// A process that can start no thread.
#pragma once

#include "support/catch.hpp"

#include <pthread.h>

#include <cstddef>

namespace inferwire_test {

#ifdef __linux__
/// While it exists, no std::thread can be started: no stack is as large as the default.
class NoThreads {
 public:
  NoThreads() {
    REQUIRE(::pthread_getattr_default_np(&before_) == 0);
    pthread_attr_t none;
    REQUIRE(::pthread_attr_init(&none) == 0);
    REQUIRE(::pthread_attr_setstacksize(&none, std::size_t{1} << 62) == 0);
    REQUIRE(::pthread_setattr_default_np(&none) == 0);
    ::pthread_attr_destroy(&none);
  }
  ~NoThreads() {
    ::pthread_setattr_default_np(&before_);
    ::pthread_attr_destroy(&before_);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_{};
};
#endif

}  // namespace inferwire_test
