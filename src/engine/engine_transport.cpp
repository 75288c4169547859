#include "inferwire/engine/engine_transport.hpp"

#include "base/body_limit.hpp"
#include "base/waker.hpp"
#include "protocol/sendable.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::engine {

/// Shared by the transport and its exchanges, which may outlive it. Safe from any thread.
struct INFERWIRE_PRIVATE EngineTransport::State {
  class Running;

  std::shared_ptr<Service> service;
  std::shared_ptr<Clock> owned_clock;  // absent: the machine's
  Clock* clock{};
  Waker waker;
};

/// One answer of the service, stepped by the driving thread.
class EngineTransport::State::Running final : public Exchange {
 public:
  Running(std::shared_ptr<State> state, HttpRequest request, Sink& sink, const ExchangeOptions& options)
      : state_(std::move(state)),
        wakes_(state_->waker, *state_->clock),
        request_(std::move(request)),
        sink_(sink),
        options_(options) {}

  /// A client that recognises the end may leave before the service has reported it.
  ~Running() override {
    constexpr int most_steps = 4;
    try {
      for (int i = 0; released_ && !ended_ && generation_ && i < most_steps; ++i) {
        if (generation_->step(state_->clock->now()).kind != Step::Kind::bytes) break;
      }
    } catch (...) {  // a program's own service; there is no one left to report it to
    }
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  Progress drive(TimePoint deadline) override {
    if (ended_) return Progress::ended;
    try {
      return advance(deadline);
    } catch (...) {  // a sink's exception goes to the caller of drive, and ends the exchange
      ended_ = true;
      generation_.reset();
      throw;
    }
  }

  void pause() override { paused_ = true; }
  void resume() override { paused_ = false; }
  Optional<TimePoint> due() const override { return paused_ ? TimePoint::max() : due_; }
  void release() override {
    released_ = true;
    paused_ = false;
  }

 private:
  Progress advance(TimePoint deadline) {
    for (;;) {
      if (wakes_.hear()) return Progress::woken;
      if (paused_) {
        if (!wakes_.wait(TimePoint::max(), deadline)) return Progress::deadline;
        continue;
      }
      if (!generation_) return begin();
      const auto step = released_ ? Step{} : generation_->step(state_->clock->now());
      due_ = step.kind == Step::Kind::wait ? step.until : TimePoint::min();
      switch (step.kind) {
        case Step::Kind::bytes:
          if (!step.bytes.empty()) return deliver(step.bytes);
          if (generation_->streamed() && !head_delivered_) return begin_stream();
          if (state_->clock->now() >= deadline) return Progress::deadline;
          break;
        case Step::Kind::wait:
          if (!wakes_.wait(step.until, deadline)) return Progress::deadline;
          break;
        case Step::Kind::done: return end(nullptr);
        case Step::Kind::broken: {
          deliver_head();  // over a socket it is sent before the partial body
          const Error broken{.kind = ErrorKind::connection,
                             .cause = ErrorCause::broken,
                             .detail = "the connection was closed before the answer's end",
                             .retryable = true};
          return end(&broken);
        }
      }
    }
  }

  Progress begin() {
    generation_ = state_->service->start(request_, state_->clock->now());
    request_ = {};
    if (!released_) sink_.on_connected();
    if (!released_) sink_.on_sent();
    // A stream's head is delivered at once, as over sockets, any other together with the body, once its
    // length is known.
    if (generation_->streamed()) deliver_head();
    return Progress::delivered;
  }

  /// The answer has become a stream.
  Progress begin_stream() {
    deliver_head();
    return Progress::delivered;
  }

  void deliver_head() {
    if (std::exchange(head_delivered_, true) || released_) return;
    sink_.on_head(generation_->head());
  }

  Progress deliver(std::string_view bytes) {
    received_ += bytes.size();
    if (options_.max_body_bytes && received_ > *options_.max_body_bytes) {
      const Error too_large{.kind = ErrorKind::too_large,
                            .detail = larger_than_allowed(*options_.max_body_bytes)};
      return end(&too_large);
    }
    deliver_head();
    if (!released_) sink_.on_body(bytes);
    return Progress::delivered;
  }

  Progress end(const Error* failure) {
    if (failure == nullptr) deliver_head();
    ended_ = true;
    generation_.reset();
    if (!released_) sink_.on_end(failure);
    return Progress::ended;
  }

  std::shared_ptr<State> state_;
  Waker::Listener wakes_;
  HttpRequest request_;
  Sink& sink_;
  ExchangeOptions options_;
  std::unique_ptr<Generation> generation_;  // absent before the first drive and after the end
  std::uint64_t received_{};
  TimePoint due_{TimePoint::min()};  // time of the next step
  bool head_delivered_{};
  bool paused_{};
  bool released_{};
  bool ended_{};
};

EngineTransport::EngineTransport(std::shared_ptr<Service> service, std::shared_ptr<Clock> clock)
    : state_(std::make_shared<State>()) {
  state_->service = std::move(service);
  state_->clock = clock ? clock.get() : &Clock::system();
  state_->owned_clock = std::move(clock);
}

EngineTransport::~EngineTransport() = default;

Result<std::unique_ptr<Exchange>> EngineTransport::start(HttpRequest request, Sink& sink,
                                                         const ExchangeOptions& options) {
  if (!state_->service)
    return Error{.kind = ErrorKind::config, .detail = "the engine's transport has no service"};
  if (auto sendable = protocol::check_sendable(request); !sendable) return std::move(sendable).error();
  return std::unique_ptr<Exchange>(
      std::make_unique<State::Running>(state_, std::move(request), sink, options));
}

void EngineTransport::wake() noexcept { state_->waker.wake(); }

}  // namespace inferwire::inline v0_1::engine
