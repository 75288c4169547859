/// \file
/// When the next request of a batch may be sent, according to the server's limits.
#pragma once

#include "inferwire/response_info.hpp"
#include "inferwire/retry_policy.hpp"
#include "inferwire/timeouts.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace inferwire::inline v0_1::client {

/// Pure logic on given times: no clock, no thread.
class Pacer {
 public:
  /// `delays`: how long a refusal without a given time delays the batch, and the longest delay a server may
  /// ask for.
  Pacer(std::size_t most_in_flight, const RetryPolicy& delays);

  /// The time at which the next request may begin; std::nullopt: not before one in progress ends.
  std::optional<TimePoint> next(TimePoint now) const noexcept;

  /// Groups the refusals of requests that began before the first of them: they count as one.
  using Epoch = std::uint64_t;
  /// A request begins; returns its epoch.
  Epoch on_start(TimePoint now) noexcept;
  /// The server answered; `limits` is the room that is left according to it, `tokens` the number that the
  /// request used (0: unknown).
  void on_success(const RateLimits& limits, TimePoint now, std::int64_t tokens = 0) noexcept;
  /// The server refused a request because of load. `wait`: for how long it asks the client to wait.
  void on_refusal(Epoch epoch, std::optional<Duration> wait, TimePoint now) noexcept;
  /// The request failed in an outage: delays the others as a refusal without a time does, and only one at a
  /// time may run until one is answered.
  void on_outage(Epoch epoch, TimePoint now) noexcept;
  /// The request ended in some other way.
  void on_other_end() noexcept;

  std::size_t allowed() const noexcept { return allowed_; }
  /// How many consecutive epochs had a refusal, since the last success.
  int refusals() const noexcept { return refusals_; }
  /// The time until which refusals delay all requests.
  TimePoint held_until() const noexcept { return held_until_; }

 private:
  /// The spacing of requests while little room is left in a window.
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
  std::size_t ran_{};        ///< how many were under way once the latest had begun
  std::size_t successes_{};  ///< since `allowed_` last changed
  int refusals_{};           ///< see `refusals`
  Epoch epoch_{};
  TimePoint held_until_{TimePoint::min()};
  Window by_requests_;
  Window by_tokens_;
  double tokens_each_{};  ///< recent tokens per request; 0: unknown
  std::optional<TimePoint> last_start_;
};

}  // namespace inferwire::inline v0_1::client
