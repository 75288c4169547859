/// \file
/// How large the stacks of threads are.
#pragma once

#include "support/catch.hpp"
#include "support/sanitized.hpp"

#include <pthread.h>

#include <cstddef>
#include <limits>

namespace inferwire_test {

#ifdef __linux__
/// What a thread has in a program for musl; sanitizers need more.
inline constexpr std::size_t stack_of_musl = (sanitized ? 1024 : 128) * std::size_t{1024};
/// Too much for any thread: none can be started.
inline constexpr std::size_t stack_of_none = std::numeric_limits<std::size_t>::max() / 16 * 15;

/// While it exists, every thread that is started gets a stack of this size, in bytes.
class ThreadStacks {
 public:
  explicit ThreadStacks(std::size_t size) {
    REQUIRE(::pthread_getattr_default_np(&before_) == 0);
    pthread_attr_t wanted;
    REQUIRE(::pthread_attr_init(&wanted) == 0);
    REQUIRE(::pthread_attr_setstacksize(&wanted, size) == 0);
    REQUIRE(::pthread_setattr_default_np(&wanted) == 0);
    ::pthread_attr_destroy(&wanted);
  }
  ~ThreadStacks() {
    ::pthread_setattr_default_np(&before_);
    ::pthread_attr_destroy(&before_);
  }
  ThreadStacks(const ThreadStacks&) = delete;
  ThreadStacks& operator=(const ThreadStacks&) = delete;

 private:
  pthread_attr_t before_{};
};
#endif

}  // namespace inferwire_test
