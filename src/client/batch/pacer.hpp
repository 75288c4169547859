/// \file
/// When the next request of a batch may be sent, by what the server says of its limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "inferwire/response_info.hpp"
#include "inferwire/retry_policy.hpp"
#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1::client {

/// Decides alone, with times that others tell: no clock, no thread.
class Pacer {
 public:
  /// `delays`: how long a refusal that names no time holds the batch back, and how long a server's wish may.
  Pacer(std::size_t most_in_flight, const RetryPolicy& delays);

  /// The time at which the next request may begin; nothing: not before one that is under way has ended.
  std::optional<TimePoint> next(TimePoint now) const noexcept;

  /// Counts the requests that have begun. Refusals are told apart by it: those of one epoch are one refusal.
  using Epoch = std::uint64_t;
  Epoch on_start(TimePoint now) noexcept;
  /// The server answered; `limits` is what it said of the room that is left, `tokens` how many the request
  /// took (0: nobody knows).
  void on_success(const RateLimits& limits, TimePoint now, std::int64_t tokens = 0) noexcept;
  /// It had enough. `wait`: as long as it wants to be left alone.
  void on_refusal(Epoch epoch, std::optional<Duration> wait, TimePoint now) noexcept;
  /// The request ended in some other way.
  void on_other_end() noexcept;

  std::size_t allowed() const noexcept { return allowed_; }
  /// Up to when refusals hold everybody back.
  TimePoint held_until() const noexcept { return held_until_; }

 private:
  /// How far apart requests are while little room is left in a window.
  struct Window {
    Duration spacing{};
    TimePoint end{TimePoint::min()};
  };

  Duration delay(std::optional<Duration> wait) const noexcept;
  void learn(std::int64_t tokens) noexcept;
  std::int64_t requests_for(std::int64_t tokens) const noexcept;
  void spread(Window& window, const Optional<std::int64_t>& requests, const Optional<Duration>& reset,
              TimePoint now) const noexcept;

  std::size_t most_;
  Duration first_delay_;
  Duration max_delay_;
  Duration max_server_delay_;
  std::size_t allowed_;
  std::size_t under_way_{};
  std::size_t successes_{};  ///< since `allowed_` last changed
  int refusals_{};           ///< epochs in a row that ended by one
  Epoch epoch_{};
  TimePoint held_until_{TimePoint::min()};
  Window by_requests_;
  Window by_tokens_;
  double tokens_each_{};  ///< how many a request takes, of late; 0: not known
  std::optional<TimePoint> last_start_;
};

}  // namespace inferwire::inline v0_1::client
