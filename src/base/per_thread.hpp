/// \file
/// Objects that a thread keeps for reuse.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace inferwire::inline v0_1 {

/// An object that its thread frees when the thread ends.
struct KeptByThread {
  void (*free)(KeptByThread&) noexcept {};
  KeptByThread* before{};
};

/// Frees `kept` when this thread ends; never if the thread is already ending.
void free_at_thread_end(KeptByThread& kept) noexcept;

/// Keeps this code in memory until this thread ends, if it is part of a plugin: dlclose() does not unload
/// what a thread still has to call at its end. Without effect on Windows.
void stay_loaded_until_thread_end() noexcept;

/// A `T`, declared `thread_local`, that is usable as long as its thread runs. A plain one is destroyed before
/// the program's statics, whose destructors may call us. A `T` created that late is never freed.
template <class T>
class PerThread : private KeptByThread {
 public:
  /// The thread's `T`, constructed from `arguments` on first use.
  template <class... Arguments>
  T& get(const Arguments&... arguments) noexcept(noexcept(T(arguments...))) {
    if (object_ == nullptr) [[unlikely]]
      keep(arguments...);
    return *object_;
  }

 private:
#if defined(__MINGW32__)
  // GCC frees a thread's variables there before it calls their destructors. Lack of memory ends a `noexcept`
  // get().
  struct Kept : KeptByThread {
    explicit Kept(const auto&... arguments) : object(arguments...) {}
    T object;
  };
  void keep(const auto&... arguments) {
    auto* const kept = new Kept(arguments...);
    kept->free = [](KeptByThread& one) noexcept { delete static_cast<Kept*>(&one); };
    free_at_thread_end(*kept);
    object_ = &kept->object;
  }
#else
  void keep(const auto&... arguments) {
    object_ = ::new (room_) T(arguments...);
    free = [](KeptByThread& kept) noexcept {
      std::destroy_at(std::exchange(static_cast<PerThread&>(kept).object_, nullptr));
    };
    free_at_thread_end(*this);
  }
  alignas(T) std::byte room_[sizeof(T)]{};
#endif
  T* object_{};
};

}  // namespace inferwire::inline v0_1
