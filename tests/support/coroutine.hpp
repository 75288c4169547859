/// \file
/// The plainest coroutine there is: it begins at once and belongs to nobody.
#pragma once

#include <coroutine>
#include <exception>

namespace inferwire_test {

struct Detached {
  struct promise_type {
    Detached get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { std::terminate(); }
  };
};

}  // namespace inferwire_test
