/// \file
/// The threads that the library starts.
#pragma once

#include "base/per_thread.hpp"
#include "base/signals.hpp"

#include <thread>
#include <utility>

namespace inferwire::inline v0_1 {

/// Starts a thread that leaves signals to the program, and that keeps the plugin that this code may be a part
/// of loaded until it ends. Throws std::system_error if the system has no thread.
template <class F>
std::thread start_thread(F body) {
  const SignalsBlocked inherited;
  return std::thread([body = std::move(body)]() mutable {
    // First of all: a destructor that dlclose() calls would wait for this thread, and this for dlclose().
    stay_loaded_until_thread_end();
    body();
  });
}

}  // namespace inferwire::inline v0_1
