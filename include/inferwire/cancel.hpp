/// \file
/// Telling a call under way that its answer is not wanted any more.
#pragma once

#include <memory>
#include <utility>

#include "inferwire/export.hpp"

namespace inferwire::inline v0_1 {

class CancelSource;

/// Whether somebody asked to stop. Cheap to copy; a default-made token never cancels. Safe from any thread.
class INFERWIRE_API CancelToken {
  struct State;

 public:
  CancelToken() = default;

  bool cancelled() const noexcept;

  /// Runs `wake(context)` once when cancellation is asked for, on the thread that asks, or at once if that
  /// has happened. Runs until the Hook is destroyed, whose destructor waits for a running `wake`.
  class INFERWIRE_API Hook {
   public:
    Hook(const CancelToken& token, void (*wake)(void*), void* context);
    ~Hook();
    Hook(const Hook&) = delete;
    Hook& operator=(const Hook&) = delete;

   private:
    std::shared_ptr<State> state_;
    unsigned long long id_{};
  };

 private:
  friend class CancelSource;
  explicit CancelToken(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

/// The other end of a CancelToken: `cancel()` from any thread stops every call that holds a token of this
/// source.
class INFERWIRE_API CancelSource {
 public:
  CancelSource();

  CancelToken token() const noexcept { return CancelToken(state_); }
  /// Asks to stop. Safe to call more than once and from any thread.
  void cancel() noexcept;
  bool cancelled() const noexcept { return token().cancelled(); }

 private:
  std::shared_ptr<CancelToken::State> state_;
};

}  // namespace inferwire::inline v0_1
