/// \file
/// The times of an answer's tokens.
#pragma once

#include "engine/answer/call_frame.hpp"
#include "engine/model/random.hpp"

#include <chrono>

namespace inferwire::inline v0_1::engine {

/// Says when the next token may come.
class TokenPacer {
 public:
  explicit TokenPacer(const CallFrame& frame)
      : due_(frame.start + frame.pacing.first_token),
        between_(frame.pacing.per_token),
        jitter_(frame.pacing.jitter),
        random_(frame.jitter_seed) {}

  bool is_due(TimePoint now) const noexcept { return now >= due_; }
  TimePoint due() const noexcept { return due_; }
  void took_one() noexcept {
    if (jitter_ <= 0) {
      due_ += between_;
      return;
    }
    const double part = 1 + jitter_ * (2 * static_cast<double>(random_.uniform()) - 1);
    due_ += std::chrono::duration_cast<std::chrono::nanoseconds>(between_ * part);
  }

 private:
  TimePoint due_;
  std::chrono::nanoseconds between_;
  double jitter_;
  Random random_;
};

}  // namespace inferwire::inline v0_1::engine
