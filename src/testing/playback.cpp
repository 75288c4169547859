#include "testing/playback.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::testing {

Playback::Playback(Reply reply, TimePoint now) : reply_(std::move(reply)), last_(now) {
  std::erase_if(reply_.body, [](const Piece& piece) { return piece.times == 0; });
}

Playback::Next Playback::next(TimePoint now, const std::shared_ptr<Waiter>& waiter) {
  due_.reset();
  gated_ = false;
  if (!head_played_)
    return is_due(reply_.head_gate, reply_.head_delay, now, waiter) ? Next::head : Next::not_yet;
  if (next_piece_ < reply_.body.size())
    return is_due(piece().gate, piece().delay, now, waiter) ? Next::piece : Next::not_yet;
  return reply_.ending == Ending::silence ? Next::not_yet : Next::end;
}

void Playback::played(TimePoint now) {
  last_ = now;
  if (!std::exchange(head_played_, true)) return;
  if (++repeated_ < piece().times) return;
  ++next_piece_;
  repeated_ = 0;
}

bool Playback::is_due(const Optional<Gate>& gate, std::chrono::milliseconds delay, TimePoint now,
                      const std::shared_ptr<Waiter>& waiter) {
  gated_ = gate && !Gate::State::of(*gate).open_or_tell(waiter);
  if (gated_) return false;
  const auto due = last_ + std::min(delay, longest_delay);
  if (now >= due) return true;
  due_ = due;
  return false;
}

}  // namespace inferwire::inline v0_1::testing
