/// \file
/// Waits for an effect of another thread.
#pragma once

#include <chrono>
#include <thread>

namespace inferwire_test {

/// Checks every millisecond whether `condition` holds. False if it does not within 10 s.
template <class Condition>
bool eventually(Condition condition) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace inferwire_test
