#include "base/forks.hpp"

#if !defined(_WIN32)
#include <pthread.h>
#endif

#include <atomic>

namespace inferwire::inline v0_1 {

#if defined(_WIN32)

unsigned forks() noexcept { return 0; }

#else

namespace {

std::atomic<unsigned> count{0};

void count_one() { count.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

unsigned forks() noexcept {
  [[maybe_unused]] static const int once = ::pthread_atfork(nullptr, nullptr, &count_one);
  return count.load(std::memory_order_relaxed);
}

#endif

}  // namespace inferwire::inline v0_1
