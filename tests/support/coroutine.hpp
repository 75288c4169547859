/// \file
/// Minimal coroutine types.
#pragma once

#include <coroutine>
#include <exception>

namespace inferwire_test {

/// A coroutine that begins at once and has no owner.
struct Detached {
  struct promise_type {
    Detached get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
};

/// A coroutine that begins at once and is destroyed with this object.
struct Owned {
  struct promise_type {
    Owned get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };

  Owned(std::coroutine_handle<promise_type> started) : coroutine(started) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { coroutine.destroy(); }

  std::coroutine_handle<promise_type> coroutine;
};

}  // namespace inferwire_test
