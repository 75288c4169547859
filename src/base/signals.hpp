/// \file
/// Keeps the handlers of the program's signals off the threads of ours.
#pragma once

#if defined(__unix__) || defined(__APPLE__)
#include <signal.h>
#endif

namespace inferwire::inline v0_1 {

/// While it lives, this thread takes no signal that another one could: threads that it starts meanwhile never
/// do. Those of faults stay with who is at fault, and so does that of profilers.
class SignalsBlocked {
 public:
#if defined(__unix__) || defined(__APPLE__)
  SignalsBlocked() noexcept {
    // No "::" before these: some systems have macros of their names.
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
