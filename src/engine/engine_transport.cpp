#include "inferwire/engine/engine_transport.hpp"

#include "protocol/headers.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::engine {

/// Shared by the transport and its exchanges, which may outlive it. Safe from any thread.
struct EngineTransport::State {
  class Running;

  std::shared_ptr<Service> service;
  std::shared_ptr<Clock> owned_clock;  // absent: the machine's
  Clock* clock{};

  std::mutex mutex;  // guards what follows
  std::condition_variable wakeup;
  std::uint64_t wakes{};  // how often wake() has been called
  int driving{};          // drives under way
  bool wake_is_due{};     // wake() was called while none was
};

namespace {

/// What cannot be sent over a socket is refused in process too: the same program has to work through both
/// doors.
Result<void> check_sendable(const HttpRequest& request) {
  const std::string_view url = request.url;
  const bool absolute = url.starts_with("http://") || url.starts_with("https://");
  if (!absolute || std::ranges::any_of(url, [](char c) { return c <= ' ' || c == 0x7f; })) {
    return Error{.kind = ErrorKind::config, .detail = "the URL is not an http or https URL that can be sent"};
  }
  return protocol::check_headers(request.headers);
}

}  // namespace

/// One answer of the service, stepped by whoever drives.
class EngineTransport::State::Running final : public Exchange {
 public:
  Running(std::shared_ptr<State> state, HttpRequest request, Sink& sink, const ExchangeOptions& options)
      : state_(std::move(state)), request_(std::move(request)), sink_(sink), options_(options) {}

  Progress drive(TimePoint deadline) override {
    if (ended_) return Progress::ended;
    const Driving driving(*state_);
    for (;;) {
      if (driving.woken()) return Progress::woken;
      if (paused_) {
        if (!wait(driving, TimePoint::max(), deadline)) return Progress::deadline;
        continue;
      }
      if (!generation_) return begin();
      const auto step = released_ ? Step{} : generation_->step(state_->clock->now());
      switch (step.kind) {
        case Step::Kind::bytes:
          if (!step.bytes.empty()) return deliver(step.bytes);
          if (state_->clock->now() >= deadline) return Progress::deadline;
          break;
        case Step::Kind::wait:
          if (!wait(driving, step.until, deadline)) return Progress::deadline;
          break;
        case Step::Kind::done: return end(nullptr);
        case Step::Kind::broken: {
          const Error broken{.kind = ErrorKind::connection,
                             .detail = "the connection was closed before the answer's end"};
          return end(&broken);
        }
      }
    }
  }

  void pause() override { paused_ = true; }
  void resume() override { paused_ = false; }
  void release() override {
    released_ = true;
    paused_ = false;
  }

 private:
  /// Counts a drive as under way and sees wakes that come meanwhile, or came while there was none.
  class Driving {
   public:
    explicit Driving(State& state) : state_(state) {
      const std::lock_guard lock(state.mutex);
      seen_ = state.wakes - (std::exchange(state.wake_is_due, false) ? 1 : 0);
      ++state.driving;
    }
    ~Driving() {
      const std::lock_guard lock(state_.mutex);
      --state_.driving;
    }
    Driving(const Driving&) = delete;
    Driving& operator=(const Driving&) = delete;

    bool woken() const {
      const std::lock_guard lock(state_.mutex);
      return woken_locked();
    }
    bool woken_locked() const { return state_.wakes != seen_; }

   private:
    State& state_;
    std::uint64_t seen_;
  };

  /// Waits until `until`, a wake or the deadline; false when it was the deadline.
  bool wait(const Driving& driving, TimePoint until, TimePoint deadline) {
    std::unique_lock lock(state_->mutex);
    for (;;) {
      const auto now = state_->clock->now();
      if (driving.woken_locked() || now >= until) return true;
      if (now >= deadline) return false;
      state_->clock->wait(lock, state_->wakeup, std::min(until, deadline));
    }
  }

  Progress begin() {
    generation_ = state_->service->start(request_, state_->clock->now());
    request_ = {};
    if (!released_) sink_.on_connected();
    if (!released_) sink_.on_sent();
    if (!released_) sink_.on_head(generation_->head());
    return Progress::delivered;
  }

  Progress deliver(std::string_view bytes) {
    received_ += bytes.size();
    if (options_.max_body_bytes && received_ > *options_.max_body_bytes) {
      const Error too_large{
          .kind = ErrorKind::too_large,
          .detail = "the answer is larger than " + std::to_string(*options_.max_body_bytes) + " bytes"};
      return end(&too_large);
    }
    sink_.on_body(bytes);
    return Progress::delivered;
  }

  Progress end(const Error* failure) {
    ended_ = true;
    generation_.reset();
    if (!released_) sink_.on_end(failure);
    return Progress::ended;
  }

  std::shared_ptr<State> state_;
  HttpRequest request_;
  Sink& sink_;
  ExchangeOptions options_;
  std::unique_ptr<Generation> generation_;  // absent before the first drive and after the end
  std::uint64_t received_{};
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
  if (auto sendable = check_sendable(request); !sendable) return std::move(sendable).error();
  return std::unique_ptr<Exchange>(
      std::make_unique<State::Running>(state_, std::move(request), sink, options));
}

void EngineTransport::wake() noexcept {
  {
    const std::lock_guard lock(state_->mutex);
    ++state_->wakes;
    state_->wake_is_due = state_->driving == 0;
  }
  state_->wakeup.notify_all();
}

}  // namespace inferwire::inline v0_1::engine
