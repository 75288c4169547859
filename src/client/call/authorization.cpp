#include "client/call/authorization.hpp"

#include "base/controls.hpp"
#include "base/ended_call.hpp"
#include "client/call/call_log.hpp"
#include "client/call/conceal.hpp"
#include "client/call/http_error.hpp"
#include "client/call/whole_call.hpp"
#include "client/thrown.hpp"
#include "protocol/redact.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <variant>

namespace inferwire::inline v0_1::client {

namespace {

Instant instant(const detail::Core& core) { return {core.clock().now(), std::chrono::system_clock::now()}; }

Error out_of_time() {
  return {.kind = ErrorKind::timeout,
          .detail = "there was no token by then",
          .timer = timers::overall,
          .retryable = true};
}

Error waits_for_itself() {
  return {.kind = ErrorKind::config,
          .detail = "the event loop's thread cannot wait for a token that it has to bring"};
}

/// The options of the exchanges of a fetch: the client's, since other calls wait for the same token, limited
/// to the remaining time of this call.
CallOptions options_of(const Credential::Fetch& fetch, const CallScope& scope, TimePoint ends_at) {
  const auto& core = *scope.core;
  CallOptions own{.cancel = scope.options.cancel, .label = scope.options.label};
  if (!fetch.retry) own.retry = RetryPolicy::none();
  own.timeouts.total = std::min(core.timeouts().total.value_or(fetch.limit), fetch.limit);
  own.timeouts.overall = no_limit;
  if (ends_at != TimePoint::max()) {
    own.timeouts.overall = std::max(std::chrono::ceil<Duration>(ends_at - core.clock().now()), Duration(1));
  }
  return own;
}

}  // namespace

/// The exchange that fetches a token.
class Authorization::Fetching {
 public:
  Fetching(const CallScope& scope, Credential::Fetch fetch, TimePoint ends_at)
      : lease_(std::move(fetch.lease)),
        options_(options_of(fetch, scope, ends_at)),
        call_({scope.core, options_, scope.runner}, std::move(fetch.request)) {}
  /// One that has not ended is cancelled: the call that needs the token is over.
  ~Fetching() {
    if (has_ended_ || call_.observation() == nullptr) return;
    try {
      const auto error = cancelled();
      log_end(&error);
    } catch (...) {}  // a line for which there is no memory
  }
  Fetching(const Fetching&) = delete;
  Fetching& operator=(const Fetching&) = delete;

  /// An error if the last attempt failed without an answer and is not retried; std::nullopt while it waits.
  std::optional<Result<void>> step() {
    for (;;) {
      auto ended = call_.step();
      if (!ended) return std::nullopt;
      const auto& head = call_.answer().head();
      const bool answered = ended->has_value();
      if (answered && is_success(head.status)) {
        log_end(nullptr);
        return ended;
      }
      auto error = answered ? http_error(head, call_.answer().text()) : std::move(*ended).error();
      if (call_.again(error)) continue;
      log_end(&error);
      if (answered) return Result<void>();
      return Result<void>(std::move(error));
    }
  }

  const Need& need() const noexcept { return call_.need(); }
  const WholeAnswer& answer() const noexcept { return call_.answer(); }

 private:
  void log_end(const Error* error) {
    has_ended_ = true;
    auto* const log = call_.observation();
    if (log == nullptr) return;
    ResponseInfo info;
    call_.describe(info);
    log->finish(error, info, {});
  }

  std::shared_ptr<void> lease_;
  CallOptions options_;
  WholeCall call_;
  bool has_ended_{};
};

Authorization::Authorization(CallScope scope, HttpRequest& request, TimePoint ends_at)
    : scope_(std::move(scope)), request_(request), ends_at_(ends_at) {}

Authorization::~Authorization() {
  if (const auto* const running = std::get_if<Running>(&needed_)) running->program->stop.cancel();
}

/// A custom credential may throw, and the loop's thread has no handler for its exceptions.
Authorization::Step Authorization::step() {
  try {
    return advance();
  } catch (...) {
    return Error{.kind = ErrorKind::auth, .detail = thrown_by("the credential")};
  }
}

Authorization::Step Authorization::advance() {
  constexpr int most_steps = 32;  // a credential that never gets ready must not keep the call forever
  if (steps_ == 0 && find_header(request_.headers, "authorization")) {
    scope_.core->note_own_authorization();
    return Result<void>();
  }
  for (;;) {
    auto stepped = step_needed();
    if (!stepped || !*stepped) return stepped;
    if (steps_++ > most_steps) {
      return Error{.kind = ErrorKind::auth, .detail = "the credential keeps asking for tokens"};
    }
    auto prepared = scope_.core->credential().prepare(request_, instant(*scope_.core));
    if (auto* ready = std::get_if<Credential::Ready>(&prepared)) {
      if (ready->failed_renewal) log_failed_renewal(*ready->failed_renewal);
      token_ = ready->version;
      return Result<void>();
    }
    if (auto* error = std::get_if<Error>(&prepared)) return std::move(*error);
    begin(std::move(prepared));
  }
}

/// Begins what the credential needs before it is ready.
void Authorization::begin(Credential::Prepared step) {
  if (auto* fetch = std::get_if<Credential::Fetch>(&step)) {
    needed_ = std::make_unique<Fetching>(scope_, std::move(*fetch), ends_at_);
  } else if (auto* run = std::get_if<Credential::Run>(&step)) {
    Running running{.lease = std::move(run->lease), .program = std::make_shared<Program>()};
    running.program->command = std::move(run->command);
    running.program->until = std::min(ends_at_, scope_.core->clock().now() + run->limit);
    needed_ = std::move(running);
  } else {
    needed_ = std::get<Credential::Wait>(std::move(step));
  }
}

Authorization::Step Authorization::step_needed() {
  if (const auto* const fetching = std::get_if<std::unique_ptr<Fetching>>(&needed_))
    return step_fetch(**fetching);
  if (const auto* const running = std::get_if<Running>(&needed_)) return step_program(*running);
  if (const auto* const wait = std::get_if<Credential::Wait>(&needed_)) return step_wait(*wait);
  return Result<void>();
}

Authorization::Step Authorization::step_fetch(Fetching& fetching) {
  const auto ended = fetching.step();
  if (!ended) {
    need_ = fetching.need();
    return std::nullopt;
  }
  const auto over = std::exchange(needed_, std::monostate());  // the lease ends behind what follows
  if (!*ended) return fail(ended->error());
  const auto& answer = fetching.answer();
  scope_.core->credential().accept(answer.head(), answer.text(), instant(*scope_.core));
  return Result<void>();
}

/// Has the lease until the credential knows the result.
Authorization::Step Authorization::step_program(Running running) {
  const auto& program = *running.program;
  if (!program.over.load(std::memory_order_acquire)) {
    need_ = {.program = running.program};
    return std::nullopt;
  }
  needed_ = std::monostate();
  if (const auto& result = *program.result) {
    scope_.core->credential().accept({.status = result->exit_status}, result->output, instant(*scope_.core));
    return Result<void>();
  }
  auto error = program.result->error();
  if (error.kind == ErrorKind::timeout && program.until == ends_at_) error.timer = timers::overall;
  return fail(error);
}

Authorization::Step Authorization::step_wait(Credential::Wait wait) {
  const bool brought = wait.over.cancelled();
  if (!brought && scope_.runner.blocks() && wait.on_this_thread) return waits_for_itself();
  if (!brought && scope_.core->clock().now() < ends_at_) {
    need_ = {.event = wait.over, .until = ends_at_};
    return std::nullopt;
  }
  needed_ = std::monostate();
  return wait.over.cancelled() ? Result<void>() : out_of_time();
}

/// Reports the failure to the credential; a call that was cancelled or whose time is over ends.
Result<void> Authorization::fail(Error error) {
  error.url = protocol::shown_origin(error.url);  // the path may be a secret
  scope_.core->credential().failed(error, instant(*scope_.core));
  if (!ends_call(error)) return {};
  return is_out_of_time(error) ? out_of_time() : error;
}

/// The call goes on with the previous token, so no error says this.
void Authorization::log_failed_renewal(const Error& why) const {
  if (!scope_.core->logs(LogLevel::warning)) return;
  const auto& label = scope_.options.label;
  auto line = mark_of(label ? std::string_view(*label) : "") + scope_.core->provider().name +
              " token: its early renewal failed, and the previous one is used: " + why.message();
  const AttemptKeys none;
  Concealer(*scope_.core, request_, none).conceal(line);
  scope_.core->log()->write(LogLevel::warning, utf8::one_line(line));
}

}  // namespace inferwire::inline v0_1::client
