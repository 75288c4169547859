/// \file
/// Measures how long something takes on a machine that is also busy with other things.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>

namespace inferwire_test {

/// The shortest time of five tries, or of fewer if one takes less than `enough`. The scheduler may delay any
/// try, but a real wait shows in all of them.
template <class Try>
std::chrono::steady_clock::duration shortest(std::chrono::steady_clock::duration enough, Try one_try) {
  constexpr int tries = 5;
  auto best = std::chrono::steady_clock::duration::max();
  for (int i = 0; i < tries && best >= enough; ++i) best = std::min(best, one_try());
  return best;
}

/// The time that `action` takes.
template <class Action>
std::chrono::steady_clock::duration time_of(Action action) {
  const auto begin = std::chrono::steady_clock::now();
  action();
  return std::chrono::steady_clock::now() - begin;
}

/// The processor time that this process needs for `action`, however long it waits for a processor. On
/// Windows, where std::clock() is the time on the wall, it counts.
template <class Action>
std::chrono::duration<double> work_of(Action action) {
  const auto begin = std::clock();
  action();
  return std::chrono::duration<double>(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
}

}  // namespace inferwire_test
