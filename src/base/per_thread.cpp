#include "base/per_thread.hpp"

namespace inferwire::inline v0_1 {
namespace {

/// Frees what its thread keeps, in reverse order.
struct ThreadEnd {
  ~ThreadEnd();
  KeptByThread* last{};
};

constinit thread_local bool thread_ends = false;
thread_local ThreadEnd thread_end;

ThreadEnd::~ThreadEnd() {
  thread_ends = true;
  while (last != nullptr) {
    auto& kept = *std::exchange(last, last->before);
    kept.free(kept);
  }
}

}  // namespace

void free_at_thread_end(KeptByThread& kept) noexcept {
  if (thread_ends) return;
  kept.before = std::exchange(thread_end.last, &kept);
}

}  // namespace inferwire::inline v0_1
