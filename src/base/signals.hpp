/// \file
/// Keeps the program's signal handlers from running on our threads.
#pragma once

#if defined(__unix__) || defined(__APPLE__)
#include <signal.h>

#include <initializer_list>
#endif

namespace inferwire::inline v0_1 {

/// Blocks, during its lifetime, all signals of this thread that another thread could handle; threads started
/// meanwhile inherit that for good. Signals for faults and that of profilers are not blocked.
class SignalsBlocked {
 public:
#if defined(__unix__) || defined(__APPLE__)
  SignalsBlocked() noexcept {
    // No "::" before these: some systems define them as macros.
    sigset_t blocked;
    sigfillset(&blocked);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, SIGPROF}) {
      sigdelset(&blocked, own);
    }
    ::pthread_sigmask(SIG_BLOCK, &blocked, &before_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
#else
  SignalsBlocked() noexcept {}
  ~SignalsBlocked() {}
#endif
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

#if defined(__unix__) || defined(__APPLE__)
 private:
  sigset_t before_;
#endif
};

}  // namespace inferwire::inline v0_1
