/// \file
/// Cancelling calls in progress.
#pragma once

#include "inferwire/export.hpp"

#include <memory>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1 {

class CancelSource;

namespace detail {
/// `Error::detail` of a call that the caller cancelled.
inline constexpr std::string_view cancelled_by_caller = "the caller cancelled";
}  // namespace detail

/// Tells a call whether it has been cancelled. Cheap to copy; a default-constructed token never cancels. Safe
/// from any thread.
class INFERWIRE_API CancelToken {
  struct State;

 public:
  CancelToken() = default;

  bool cancelled() const noexcept;

  /// Calls `wake(context)` once when `CancelSource::cancel` is called, on that thread, or immediately if it
  /// has been called already. Never calls it after the Hook is destroyed; the destructor waits for a running
  /// `wake`, unless that is its own caller. `wake` must not throw, and may destroy the CancelSource.
  class INFERWIRE_API Hook {
   public:
    Hook(const CancelToken& token, void (*wake)(void*), void* context) noexcept;
    ~Hook();
    Hook(const Hook&) = delete;
    Hook& operator=(const Hook&) = delete;

   private:
    friend class CancelSource;

    std::shared_ptr<State> state_;
    void (*wake_)(void*);
    void* context_;
    // Links among the hooks that wait, so that to wait needs no memory.
    Hook* before_{};
    Hook* after_{};
  };

 private:
  friend class CancelSource;
  explicit CancelToken(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

/// The source of CancelTokens: `cancel()`, from any thread, cancels every call that holds a token of this
/// source.
class INFERWIRE_API CancelSource {
 public:
  CancelSource();

  CancelToken token() const noexcept { return CancelToken(state_); }
  /// Cancels those calls. Safe to call more than once and from any thread, but not from a signal handler: it
  /// locks a mutex.
  void cancel() noexcept;
  bool cancelled() const noexcept;  ///< whether `cancel()` has been called

 private:
  std::shared_ptr<CancelToken::State> state_;
};

}  // namespace inferwire::inline v0_1
