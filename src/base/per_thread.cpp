#include "base/per_thread.hpp"

#if defined(__MINGW32__)
#include <pthread.h>
#endif

namespace inferwire::inline v0_1 {
namespace {

/// Frees `last` and what was kept before it.
void free_all(KeptByThread* last) noexcept {
  while (last != nullptr) {
    auto& kept = *std::exchange(last, last->before);
    kept.free(kept);
  }
}

#if defined(__MINGW32__)

/// The last one that the thread keeps. The system frees them at the thread's end, but for the program's first
/// thread.
struct Key {
  Key() noexcept {
    ::pthread_key_create(&key, [](void* last) { free_all(static_cast<KeptByThread*>(last)); });
  }
  ~Key() { ::pthread_key_delete(key); }
  pthread_key_t key{};
};

}  // namespace

void free_at_thread_end(KeptByThread& kept) noexcept {
  static Key last;
  kept.before = static_cast<KeptByThread*>(::pthread_getspecific(last.key));
  ::pthread_setspecific(last.key, &kept);
}

void stay_loaded_until_thread_end() noexcept {}

#else

/// Frees what its thread keeps.
struct ThreadEnd {
  ~ThreadEnd();
  KeptByThread* last{};
};

constinit thread_local bool thread_ends = false;
thread_local ThreadEnd thread_end;

ThreadEnd::~ThreadEnd() {
  thread_ends = true;
  free_all(last);
}

}  // namespace

void free_at_thread_end(KeptByThread& kept) noexcept {
  if (thread_ends) return;
  kept.before = std::exchange(thread_end.last, &kept);
}

void stay_loaded_until_thread_end() noexcept { static_cast<void>(&thread_end); }

#endif

}  // namespace inferwire::inline v0_1
