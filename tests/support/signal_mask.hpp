/// \file
/// The signals that a thread blocks.
#pragma once

#if defined(__unix__) || defined(__APPLE__)
#include <algorithm>
#include <csignal>
#include <initializer_list>

namespace inferwire_test {

/// Whether the calling thread blocks all of these signals.
inline bool blocks(std::initializer_list<int> signals) {
  sigset_t mask;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  return std::ranges::all_of(signals, [&](int signal) { return sigismember(&mask, signal) == 1; });
}

}  // namespace inferwire_test
#endif
