#include "inferwire/testing/script_transport.hpp"

#include "base/body_limit.hpp"
#include "base/waker.hpp"
#include "protocol/sendable.hpp"
#include "testing/framing.hpp"
#include "testing/gate_state.hpp"
#include "testing/playback.hpp"
#include "testing/record.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::testing {

/// Shared by the transport and its exchanges. Safe from any thread.
struct INFERWIRE_PRIVATE ScriptTransport::State final : Waiter {
  void notify() noexcept override { waker.notify(); }

  Record record;
  std::shared_ptr<Clock> owned_clock;  // absent: the machine's clock
  Clock* clock{};
  Waker waker;
  std::atomic<std::size_t> cancelled{};
};

/// One exchange: passes the playback's steps to its sink.
class INFERWIRE_PRIVATE ScriptTransport::Playing final : public Exchange {
 public:
  Playing(std::shared_ptr<State> state, HttpRequest request, Sink& sink, const ExchangeOptions& options)
      : state_(std::move(state)),
        wakes_(state_->waker, *state_->clock),
        request_(std::move(request)),
        sink_(sink),
        options_(options) {}

  ~Playing() override {
    if (!ended_ && !released_) ++state_->cancelled;
  }

  Progress drive(TimePoint deadline) override {
    for (;;) {
      if (ended_ || released_) return Progress::ended;
      if (wakes_.hear()) return Progress::woken;
      if (const auto progress = guarded_step()) return *progress;
      if (!wakes_.wait(next_due(), deadline)) return Progress::deadline;
    }
  }

  void pause() override { paused_ = true; }
  void resume() override { paused_ = false; }
  void release() override { released_ = true; }
  /// A gate may be opened at any time.
  Optional<TimePoint> due() const override {
    if (!playback_) return TimePoint::min();
    return !paused_ && playback_->gated() ? Optional<TimePoint>() : next_due();
  }

 private:
  /// The time of the next step, if it waits only for time.
  TimePoint next_due() const {
    return paused_ ? TimePoint::max() : playback_->due().value_or(TimePoint::max());
  }

  std::optional<Progress> guarded_step() {
    try {
      return step();
    } catch (...) {
      ended_ = true;  // an exception from a sink ends its exchange
      throw;
    }
  }

  /// Plays the next step, if it is due.
  std::optional<Progress> step() {
    if (!playback_) return begin();
    if (paused_) return std::nullopt;
    if (promised_ && received_ >= *promised_) return end(std::nullopt);  // regardless of the script's ending
    const auto now = state_->clock->now();
    switch (playback_->next(now, state_)) {
      case Playback::Next::head: return tell_head(now);
      case Playback::Next::piece: return tell_piece(now);
      case Playback::Next::end: return tell_end();
      case Playback::Next::not_yet: break;
    }
    return std::nullopt;
  }

  std::optional<Progress> begin() {
    auto reply = state_->record.take(request_);
    if (!reply) reply = state_->record.ask(request_);
    if (!reply) {
      return end(Error{.kind = ErrorKind::connection, .detail = no_reply_left(request_)});
    }
    if (!reply->raw.empty()) {
      return end(Error{.kind = ErrorKind::connection,
                       .detail = "a reply of raw bytes can only be played by a MockServer"});
    }
    if (reply->unreachable) return end(reply->unreachable);
    playback_.emplace(*std::move(reply), state_->clock->now());
    sink_.on_connected();
    if (!released_) sink_.on_sent();
    return Progress::delivered;
  }

  std::optional<Progress> tell_head(TimePoint now) {
    const auto& reply = playback_->reply();
    if (reply.body.empty() && reply.ending == Ending::cut)
      return end(broken("the connection was closed without an answer, as the script says"));
    if (reply.body.empty() && reply.ending == Ending::reset)
      return end(broken("the connection was reset, as the script says"));
    playback_->played(now);
    promised_ = promised_length(reply, request_.method == "HEAD");
    ResponseHead head{.status = reply.status, .http_version = "1.1", .headers = reply.headers};
    const auto framing = framing_header(reply);
    head.headers.add(framing.name, framing.value);
    sink_.on_head(head);
    if (promised_ && is_too_much(*promised_)) return end(too_large());
    return Progress::delivered;
  }

  std::optional<Progress> tell_piece(TimePoint now) {
    std::string_view bytes = playback_->piece().bytes;
    playback_->played(now);
    if (promised_ && bytes.size() > *promised_ - received_) {
      bytes.remove_suffix(bytes.size() - static_cast<std::size_t>(*promised_ - received_));
    }
    received_ += bytes.size();
    if (is_too_much(received_)) return end(too_large());
    sink_.on_body(bytes);
    return Progress::delivered;
  }

  std::optional<Progress> tell_end() {
    const auto& reply = playback_->reply();
    if (reply.ending == Ending::reset) return end(broken("the connection was reset, as the script says"));
    if (reply.ending == Ending::cut) {
      if (!promised_ && reply.framing == BodyFraming::until_close) return end(std::nullopt);
      return end(broken("the answer's body was cut off, as the script says"));
    }
    if (!promised_) return end(std::nullopt);
    if (says_close(request_.headers) || says_close(reply.headers))
      return end(broken("the connection was closed before the answer was whole, as the headers say"));
    return std::nullopt;  // the connection stays open, and the missing bytes never arrive
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
    return {.kind = ErrorKind::too_large, .detail = larger_than_allowed(*options_.max_body_bytes)};
  }
  static Error broken(std::string detail) {
    return {.kind = ErrorKind::connection,
            .cause = ErrorCause::broken,
            .detail = std::move(detail),
            .retryable = true};
  }

  std::shared_ptr<State> state_;
  Waker::Listener wakes_;
  HttpRequest request_;
  Sink& sink_;
  ExchangeOptions options_;

  std::optional<Playback> playback_;         // absent before the first drive
  std::optional<std::uint64_t> promised_{};  // by the head: the number of body bytes of a complete answer
  std::uint64_t received_{};
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

std::size_t ScriptTransport::remaining() const { return state_->record.remaining(); }

void ScriptTransport::use_handler(std::shared_ptr<Handler> handler) {
  state_->record.use_handler(std::move(handler));
}

std::vector<HttpRequest> ScriptTransport::requests() const { return state_->record.requests(); }

void ScriptTransport::keep_secrets() { state_->record.keep_secrets(); }

std::size_t ScriptTransport::cancelled() const { return state_->cancelled; }

Result<std::unique_ptr<Exchange>> ScriptTransport::start(HttpRequest request, Sink& sink,
                                                         const ExchangeOptions& options) {
  if (auto sendable = protocol::check_sendable(request); !sendable) return std::move(sendable).error();
  return std::unique_ptr<Exchange>(std::make_unique<Playing>(state_, std::move(request), sink, options));
}

void ScriptTransport::wake() noexcept { state_->waker.wake(); }

}  // namespace inferwire::inline v0_1::testing
