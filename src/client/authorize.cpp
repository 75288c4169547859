#include "client/authorize.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "auth/program.hpp"
#include "client/call.hpp"
#include "client/http_error.hpp"
#include "client/wait_for.hpp"

namespace inferwire::inline v0_1::client {

namespace {

Instant instant(const detail::Core& core) { return {core.clock().now(), std::chrono::system_clock::now()}; }

Error out_of_time() {
  return {.kind = ErrorKind::timeout,
          .detail = "the timer overall fired before there was a token",
          .timer = "overall",
          .retryable = true};
}

/// The options of the exchanges of a fetch: those of the call, in the time that is left of it.
CallOptions options_of(const Credential::Fetch& fetch, const detail::Core& core, const CallOptions& options,
                       TimePoint ends_at) {
  CallOptions own{.timeouts = options.timeouts,
                  .retry = fetch.retry ? options.retry : RetryPolicy::none(),
                  .cancel = options.cancel};
  own.timeouts.total =
      std::min(options.timeouts.over(core.timeouts()).total.value_or(fetch.limit), fetch.limit);
  if (ends_at != TimePoint::max()) {
    own.timeouts.overall = std::max(std::chrono::ceil<Duration>(ends_at - core.clock().now()), Duration(1));
  }
  return own;
}

/// Makes the request of a credential and tells it what came. An error ends the call: the caller cancelled, or
/// the time for the whole call is over.
Result<void> fetch(const std::shared_ptr<detail::Core>& core, Credential::Fetch fetch,
                   const CallOptions& options, TimePoint ends_at) {
  const auto own = options_of(fetch, *core, options, ends_at);
  auto& credential = core->credential();
  WholeAnswer answer;
  Call call(core, std::move(fetch.request), own, answer);
  for (;;) {
    auto ended = attempt(call, answer);
    const auto& head = answer.head();
    const bool good = ended && head.status >= 200 && head.status <= 299;
    auto error = good    ? Error()
                 : ended ? http_error(head, answer.text(), std::chrono::system_clock::now())
                         : std::move(ended).error();
    if (!good && call.again(error)) continue;
    if (ended) {
      credential.accept(head, answer.text(), instant(*core));
      return {};
    }
    credential.failed(error, instant(*core));
    if (error.kind == ErrorKind::cancelled) return error;
    if (error.timer == "overall") return out_of_time();
    return {};
  }
}

/// The same for a program.
Result<void> run(const std::shared_ptr<detail::Core>& core, const Credential::Run& run,
                 const CallOptions& options, TimePoint ends_at) {
  auto& clock = core->clock();
  const auto until = std::min(ends_at, clock.now() + run.limit);
  auto result = auth::run_program(run.command, clock, until, options.cancel);
  if (result) {
    core->credential().accept({.status = result->exit_status}, result->output, instant(*core));
    return {};
  }
  core->credential().failed(result.error(), instant(*core));
  if (result.error().kind == ErrorKind::cancelled) return cancelled();
  if (result.error().kind == ErrorKind::timeout && until == ends_at) return out_of_time();
  return {};
}

/// Waits for what another call fetches.
Result<void> wait(const Credential::Wait& wait, const detail::Core& core, const CallOptions& options,
                  TimePoint ends_at) {
  switch (wait_for(wait.over, options.cancel, core.clock(), ends_at)) {
    case Waited::fired: return {};
    case Waited::cancelled: return cancelled();
    case Waited::deadline: break;
  }
  return out_of_time();
}

/// Does what a credential needs before it is ready.
Result<void> take(const std::shared_ptr<detail::Core>& core, Credential::Prepared step,
                  const CallOptions& options, TimePoint ends_at) {
  if (auto* needed = std::get_if<Credential::Fetch>(&step)) {
    return fetch(core, std::move(*needed), options, ends_at);
  }
  if (auto* needed = std::get_if<Credential::Run>(&step)) return run(core, *needed, options, ends_at);
  return wait(std::get<Credential::Wait>(step), *core, options, ends_at);
}

}  // namespace

Result<Credential::Ready> authorize(const std::shared_ptr<detail::Core>& core, HttpRequest& request,
                                    const CallOptions& options, TimePoint ends_at) {
  constexpr int most_steps = 32;  // a credential that never gets ready must not keep the call for ever
  if (find_header(request.headers, "authorization")) return Credential::Ready{};
  for (int steps = 0; steps <= most_steps; ++steps) {
    auto prepared = core->credential().prepare(request, instant(*core));
    if (auto* ready = std::get_if<Credential::Ready>(&prepared)) return *ready;
    if (auto* error = std::get_if<Error>(&prepared)) return std::move(*error);
    auto done = take(core, std::move(prepared), options, ends_at);
    if (!done) return std::move(done).error();
  }
  return Error{.kind = ErrorKind::auth, .detail = "the credential keeps asking for tokens"};
}

}  // namespace inferwire::inline v0_1::client
