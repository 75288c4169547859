/// \file
/// Limits how fast libcurl delivers an answer.
#pragma once

#include <curl/curl.h>

#include <cstddef>

namespace inferwire::inline v0_1::http {

/// Makes libcurl hold back data while the sink is paused, and after a round has delivered enough: otherwise
/// it would read on as long as the socket has data, a megabyte or more.
class Flow {
 public:
  explicit Flow(CURL* easy) noexcept : easy_(easy) {}

  void pause() noexcept;
  /// Takes effect in the next round. Returns whether there is anything to resume.
  bool resume() noexcept { return resume_due_ = paused_; }
  /// Whether libcurl should keep the data that it is about to deliver.
  bool paused() const noexcept { return paused_; }
  /// Whether a round is due without waiting for the socket.
  bool wants_round() const noexcept { return resume_due_ || full_; }

  /// Begins a round and delivers held-back data. Returns libcurl's error from doing so, if any.
  CURLcode begin_round() noexcept;
  /// Records that `bytes` were delivered. Returns whether the round has just reached its limit.
  bool take(std::size_t bytes) noexcept;

 private:
  CURL* easy_;
  bool paused_{};
  bool resume_due_{};
  bool full_{};  // the current round has delivered enough
  std::size_t round_bytes_{};
};

}  // namespace inferwire::inline v0_1::http
