/// \file
/// How far a scripted reply has been played, and what comes next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "inferwire/clock.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/testing/reply.hpp"
#include "testing/gate_state.hpp"

namespace inferwire::inline v0_1::testing {

/// Says what is to be sent, and moves nothing: that is for who asks `next`, and says `played` of heads and
/// pieces.
class Playback {
 public:
  enum class Next : std::uint8_t { head, piece, end, not_yet };

  /// The reply to a request that came at `now`.
  Playback(Reply reply, TimePoint now);

  /// What comes at `now`; `waiter` is told when a gate opens that is closed before it.
  Next next(TimePoint now, const std::shared_ptr<Waiter>& waiter);
  /// Goes on behind the head or the piece that was next.
  void played(TimePoint now);

  const Reply& reply() const noexcept { return reply_; }
  /// The piece that is next.
  const Piece& piece() const { return reply_.body[next_piece_]; }
  /// The time of its last part, or of the request before there is one.
  TimePoint last() const noexcept { return last_; }
  /// The time that what was not yet waits for, if only time stands before it.
  Optional<TimePoint> due() const noexcept { return due_; }
  /// Whether what was not yet waits for a gate.
  bool gated() const noexcept { return gated_; }

 private:
  bool is_due(const Optional<Gate>& gate, std::chrono::milliseconds delay, TimePoint now,
              const std::shared_ptr<Waiter>& waiter);

  Reply reply_;
  bool head_played_{};
  std::size_t next_piece_{};
  std::uint64_t repeated_{};  // how often it has come
  TimePoint last_;
  Optional<TimePoint> due_{};
  bool gated_{};
};

}  // namespace inferwire::inline v0_1::testing
