/// \file
/// Cancelling calls under way.
#pragma once

#include <memory>
#include <utility>

#include "inferwire/export.hpp"

namespace inferwire::inline v0_1 {

class CancelSource;

/// Says whether to stop. Cheap to copy; a default-constructed token never cancels. Safe from any thread.
class INFERWIRE_API CancelToken {
  struct State;

 public:
  CancelToken() = default;

  bool cancelled() const noexcept;

  /// Calls `wake(context)` once when `CancelSource::cancel` is called, on that thread, or at once if it has
  /// been. Not after the Hook is destroyed; the destructor waits for a running `wake`.
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
  /// Stops them. Safe to call more than once and from any thread, but not from a signal handler: it locks a
  /// mutex.
  void cancel() noexcept;
  bool cancelled() const noexcept;  ///< whether that has been said

 private:
  std::shared_ptr<CancelToken::State> state_;
};

}  // namespace inferwire::inline v0_1
