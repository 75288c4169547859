/// \file
/// Waiting for what another thread does some time.
#pragma once

#include <chrono>
#include <thread>

namespace inferwire_test {

/// Asks every millisecond whether `condition` holds. False after 10 s in which it did not.
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
