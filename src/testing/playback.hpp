/// \file
/// The progress of a scripted reply.
#pragma once

#include "inferwire/clock.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/testing/reply.hpp"
#include "testing/gate_state.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace inferwire::inline v0_1::testing {

/// Determines what is to be sent next, without sending it: the caller of `next` does that, and calls `played`
/// after heads and pieces.
class Playback {
 public:
  enum class Next : std::uint8_t { head, piece, end, not_yet };

  /// The reply to a request received at `now`.
  Playback(Reply reply, TimePoint now);

  /// The next step at `now`; `waiter` is notified when a closed gate before it opens.
  Next next(TimePoint now, const std::shared_ptr<Waiter>& waiter);
  /// Moves past the current head or piece.
  void played(TimePoint now);

  const Reply& reply() const noexcept { return reply_; }
  /// The current piece.
  const Piece& piece() const { return reply_.body[next_piece_]; }
  /// The time of the last part, or of the request if there is none yet.
  TimePoint last() const noexcept { return last_; }
  /// The time at which the next step is due, if it waits only for time.
  Optional<TimePoint> due() const noexcept { return due_; }
  /// Whether the next step waits for a gate.
  bool gated() const noexcept { return gated_; }

 private:
  bool is_due(const Optional<Gate>& gate, std::chrono::milliseconds delay, TimePoint now,
              const std::shared_ptr<Waiter>& waiter);

  Reply reply_;
  bool head_played_{};
  std::size_t next_piece_{};
  std::uint64_t repeated_{};  // how often it was sent
  TimePoint last_;
  Optional<TimePoint> due_{};
  bool gated_{};
};

}  // namespace inferwire::inline v0_1::testing
