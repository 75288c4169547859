/// \file
/// What a thread keeps for the next time that it is needed.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace inferwire::inline v0_1 {

/// A thing that its thread frees when it ends.
struct KeptByThread {
  void (*free)(KeptByThread&) noexcept {};
  KeptByThread* before{};
};

/// Has `kept` freed when this thread ends; not at all when that is under way.
void free_at_thread_end(KeptByThread& kept) noexcept;

/// A `T`, declared `thread_local`, that serves as long as its thread runs. A plain one is gone before the
/// program's statics are, whose destructors may call us. If a `T` is made that late, it stays.
template <class T>
class PerThread : private KeptByThread {
 public:
  /// The thread's `T`, at first made of `arguments`.
  template <class... Arguments>
  T& get(const Arguments&... arguments) noexcept(noexcept(T(arguments...))) {
    if (object_ == nullptr) [[unlikely]] {
      object_ = ::new (room_) T(arguments...);
      free = [](KeptByThread& kept) noexcept {
        std::destroy_at(std::exchange(static_cast<PerThread&>(kept).object_, nullptr));
      };
      free_at_thread_end(*this);
    }
    return *object_;
  }

 private:
  T* object_{};
  alignas(T) std::byte room_[sizeof(T)]{};
};

}  // namespace inferwire::inline v0_1
