/// \file
/// How long something takes on a machine that has other things to do.
#pragma once

#include <algorithm>
#include <chrono>

namespace inferwire_test {

/// The shortest time of a few tries: the scheduler may stop any one of them, but what waits for something,
/// waits for it in each. No more tries once one took less than `enough`.
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

}  // namespace inferwire_test
