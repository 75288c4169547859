#include "inferwire/testing/script_transport.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "protocol/headers.hpp"
#include "protocol/url.hpp"
#include "testing/framing.hpp"
#include "testing/gate_state.hpp"
#include "testing/record.hpp"

namespace inferwire::inline v0_1::testing {

/// Shared by the transport and its exchanges. Safe from any thread.
struct INFERWIRE_PRIVATE ScriptTransport::State final : Waiter {
  void notify() noexcept override {
    {
      const std::lock_guard lock(mutex);
      ++signals;
    }
    changed.notify_all();
  }

  Record record;
  std::shared_ptr<Clock> owned_clock;  // absent: the machine's
  Clock* clock{};

  std::mutex mutex;  // guards what follows
  std::condition_variable changed;
  std::uint64_t wakes{};    // how often wake() has been called
  std::uint64_t signals{};  // how often something changed that a drive may wait for
  std::size_t cancelled{};
};

/// One exchange, and how far its reply has been played.
class INFERWIRE_PRIVATE ScriptTransport::Playing final : public Exchange {
 public:
  Playing(std::shared_ptr<State> state, HttpRequest request, Sink& sink, const ExchangeOptions& options)
      : state_(std::move(state)), request_(std::move(request)), sink_(sink), options_(options) {
    const std::lock_guard lock(state_->mutex);
    seen_wakes_ = state_->wakes;
  }

  ~Playing() override {
    const std::lock_guard lock(state_->mutex);
    if (!ended_ && !released_) ++state_->cancelled;
  }

  Progress drive(TimePoint deadline) override {
    for (;;) {
      if (ended_ || released_) return Progress::ended;
      const auto [woken, signals] = look();
      if (woken) return Progress::woken;
      if (const auto progress = guarded_step()) return *progress;
      if (!wait(signals, deadline)) return Progress::deadline;
    }
  }

  void pause() override { paused_ = true; }
  void resume() override { paused_ = false; }
  void release() override { released_ = true; }
  /// Whoever opens a gate does so when he likes.
  Optional<TimePoint> due() const override {
    if (paused_) return TimePoint::max();
    return gated_ ? Optional<TimePoint>() : due_;
  }

 private:
  std::pair<bool, std::uint64_t> look() {
    const std::lock_guard lock(state_->mutex);
    return {std::exchange(seen_wakes_, state_->wakes) != state_->wakes, state_->signals};
  }

  /// Waits until something may have changed; false when the deadline has come before that.
  bool wait(std::uint64_t signals, TimePoint deadline) {
    std::unique_lock lock(state_->mutex);
    while (state_->signals == signals) {
      const auto now = state_->clock->now();
      if (!paused_ && now >= due_) return true;
      if (now >= deadline) return false;
      state_->clock->wait(lock, state_->changed, paused_ ? deadline : std::min(due_, deadline));
    }
    return true;
  }

  /// Whether what comes next may come; if only time stands before it, `due_` says when.
  bool is_due(const Optional<Gate>& gate, Duration delay) {
    gated_ = gate && !Gate::State::of(*gate).open_or_tell(state_);
    if (gated_) return false;
    const auto due = last_ + std::min(delay, longest_delay);
    if (state_->clock->now() >= due) return true;
    due_ = due;
    return false;
  }

  std::optional<Progress> guarded_step() {
    try {
      return step();
    } catch (...) {
      ended_ = true;  // whatever a sink throws ends its exchange
      throw;
    }
  }

  /// Plays what comes next, if it is time for it.
  std::optional<Progress> step() {
    due_ = TimePoint::max();
    gated_ = false;
    if (!reply_) return begin();
    if (paused_) return std::nullopt;
    if (!head_told_) return is_due(reply_->head_gate, reply_->head_delay) ? tell_head() : std::nullopt;
    if (promised_ && received_ >= *promised_)
      return end(std::nullopt);  // whatever the script says of the end
    if (next_piece_ < reply_->body.size()) return play(reply_->body[next_piece_]);
    switch (reply_->ending) {
      case Ending::whole:
        if (promised_ && (says_close(request_.headers) || says_close(reply_->headers)))
          return end(broken("the connection was closed before the answer was whole, as the headers say"));
        if (promised_) break;  // the connection stays, and the bytes that are missing do not come
        return end(std::nullopt);
      case Ending::cut:
        if (!promised_ && reply_->framing == BodyFraming::until_close) return end(std::nullopt);
        return end(broken("the answer's body was cut off, as the script says"));
      case Ending::reset: return end(broken("the connection was reset, as the script says"));
      case Ending::silence: break;
    }
    return std::nullopt;
  }

  std::optional<Progress> begin() {
    reply_ = state_->record.take(request_);
    if (!reply_) reply_ = state_->record.ask(request_);
    if (!reply_) {
      return end(Error{.kind = ErrorKind::connection, .detail = no_reply_left(request_)});
    }
    if (!reply_->raw.empty()) {
      return end(Error{.kind = ErrorKind::connection,
                       .detail = "a reply of raw bytes can only be played by a MockServer"});
    }
    if (reply_->unreachable) return end(reply_->unreachable);
    promised_ = promised_length(*reply_, request_.method == "HEAD");
    last_ = state_->clock->now();
    sink_.on_connected();
    if (!released_) sink_.on_sent();
    return Progress::delivered;
  }

  std::optional<Progress> tell_head() {
    if (reply_->body.empty() && reply_->ending == Ending::cut)
      return end(broken("the connection was closed without an answer, as the script says"));
    if (reply_->body.empty() && reply_->ending == Ending::reset)
      return end(broken("the connection was reset, as the script says"));
    head_told_ = true;
    last_ = state_->clock->now();
    ResponseHead head{.status = reply_->status, .http_version = "1.1", .headers = reply_->headers};
    const auto framing = framing_header(*reply_);
    head.headers.add(framing.name, framing.value);
    sink_.on_head(head);
    if (promised_ && is_too_much(*promised_)) return end(too_large());
    return Progress::delivered;
  }

  std::optional<Progress> play(const Piece& piece) {
    if (!is_due(piece.gate, piece.delay)) return std::nullopt;
    last_ = state_->clock->now();
    if (++repeated_ >= piece.times) {
      ++next_piece_;
      repeated_ = 0;
    }
    std::string_view bytes = piece.bytes;
    if (promised_ && bytes.size() > *promised_ - received_) {
      bytes.remove_suffix(bytes.size() - static_cast<std::size_t>(*promised_ - received_));
    }
    received_ += bytes.size();
    if (is_too_much(received_)) return end(too_large());
    sink_.on_body(bytes);
    return Progress::delivered;
  }

  std::optional<Progress> end(std::optional<Error> failure) {
    ended_ = true;
    if (!released_) sink_.on_end(failure ? &*failure : nullptr);
    return Progress::ended;
  }

  bool is_too_much(std::uint64_t bytes) const {
    return options_.max_body_bytes && bytes > *options_.max_body_bytes;
  }
  Error too_large() const {
    return {.kind = ErrorKind::too_large,
            .detail = "the answer is larger than the " + std::to_string(*options_.max_body_bytes) +
                      " bytes allowed"};
  }
  static Error broken(std::string detail) {
    return {.kind = ErrorKind::connection, .detail = std::move(detail), .retryable = true};
  }

  std::shared_ptr<State> state_;
  HttpRequest request_;
  Sink& sink_;
  ExchangeOptions options_;
  std::uint64_t seen_wakes_{};

  std::optional<Reply> reply_;               // absent before the first drive
  std::optional<std::uint64_t> promised_{};  // bytes of body that make the answer whole
  bool head_told_{};
  std::size_t next_piece_{};
  std::uint64_t repeated_{};  // how often it has come
  std::uint64_t received_{};
  TimePoint last_{};  // when the last thing was told
  TimePoint due_{};   // when the next one is, if only time stands before it
  bool gated_{};      // a gate is closed before it
  bool paused_{};
  bool released_{};
  bool ended_{};
};

ScriptTransport::ScriptTransport(std::shared_ptr<Clock> clock) : state_(std::make_shared<State>()) {
  state_->clock = clock ? clock.get() : &Clock::system();
  state_->owned_clock = std::move(clock);
}

ScriptTransport::~ScriptTransport() = default;

void ScriptTransport::push(Reply reply) { state_->record.push(std::move(reply)); }

void ScriptTransport::use_handler(std::shared_ptr<Handler> handler) {
  state_->record.use_handler(std::move(handler));
}

std::vector<HttpRequest> ScriptTransport::requests() const { return state_->record.requests(); }

void ScriptTransport::keep_secrets() { state_->record.keep_secrets(); }

std::size_t ScriptTransport::cancelled() const {
  const std::lock_guard lock(state_->mutex);
  return state_->cancelled;
}

Result<std::unique_ptr<Exchange>> ScriptTransport::start(HttpRequest request, Sink& sink,
                                                         const ExchangeOptions& options) {
  // What a socket would not carry is refused here as well.
  if (auto url = protocol::parse_url(request.url); !url) return std::move(url).error();
  if (auto checked = protocol::check_headers(request.headers); !checked) return std::move(checked).error();
  return std::unique_ptr<Exchange>(std::make_unique<Playing>(state_, std::move(request), sink, options));
}

void ScriptTransport::wake() noexcept {
  {
    const std::lock_guard lock(state_->mutex);
    ++state_->wakes;
  }
  state_->notify();
}

}  // namespace inferwire::inline v0_1::testing
