/// \file
/// How fast libcurl hands out an answer.
#pragma once

#include <curl/curl.h>

#include <cstddef>

namespace inferwire::inline v0_1::http {

/// Has libcurl hold back what comes while the sink wants a pause, and when a round has brought enough: for as
/// long as the socket has more it would go on reading, a megabyte and above.
class Flow {
 public:
  explicit Flow(CURL* easy) noexcept : easy_(easy) {}

  /// `inside`: of a callback of libcurl's.
  void pause(bool inside) noexcept;
  /// From the next round on.
  void resume() noexcept { resume_due_ = paused_; }
  bool paused() const noexcept { return paused_; }
  bool resume_due() const noexcept { return resume_due_; }
  /// Whether a round is due without waiting for the socket.
  bool wants_round() const noexcept { return resume_due_ || full_; }

  /// Begins a round; what was held back is handed out in here. The error with which libcurl takes that, if
  /// any.
  CURLcode begin_round() noexcept;
  /// Whether libcurl is to keep what it is about to hand out.
  bool stands_still() const noexcept { return stands_still_; }
  /// Notes that so many bytes were handed out. Returns whether the round has just brought enough.
  bool take(std::size_t bytes) noexcept;

 private:
  CURL* easy_;
  bool paused_{};
  bool stands_still_{};  // was paused from outside of libcurl's callbacks
  bool resume_due_{};
  bool full_{};  // the present round has brought enough
  std::size_t round_bytes_{};
};

}  // namespace inferwire::inline v0_1::http
