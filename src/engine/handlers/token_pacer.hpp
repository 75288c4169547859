/// \file
/// The times of an answer's tokens.
#pragma once

#include "base/saturating_time.hpp"
#include "engine/answer/call_frame.hpp"
#include "engine/model/random.hpp"

#include <algorithm>
#include <chrono>

namespace inferwire::inline v0_1::engine {

/// Says when the next token may come.
class TokenPacer {
 public:
  explicit TokenPacer(const CallFrame& frame)
      : due_(after(frame.start, frame.pacing.first_token)),
        between_(std::min(frame.pacing.per_token, longest)),
        jitter_(std::min(std::max(0.0, frame.pacing.jitter), 1.0)),  // 0 if it is NaN
        random_(frame.jitter_seed) {}

  bool is_due(TimePoint now) const noexcept { return now >= due_; }
  TimePoint due() const noexcept { return due_; }
  void took_one() noexcept {
    if (jitter_ <= 0) {
      due_ = after(due_, between_);
      return;
    }
    const double part = 1 + jitter_ * (2 * static_cast<double>(random_.uniform()) - 1);
    due_ = after(due_, std::chrono::duration_cast<std::chrono::nanoseconds>(between_ * part));
  }

 private:
  /// Jitter may double it.
  static constexpr std::chrono::nanoseconds longest = std::chrono::hours(24 * 365);

  TimePoint due_;
  std::chrono::nanoseconds between_;
  double jitter_;
  Random random_;
};

}  // namespace inferwire::inline v0_1::engine
