#include "client/option_problems.hpp"

#include "base/timers.hpp"
#include "inferwire/client_options.hpp"

#include <string>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

Error config(std::string detail) { return Error{.kind = ErrorKind::config, .detail = std::move(detail)}; }

}  // namespace

std::optional<Error> problem_with(const Timeouts& timeouts) {
  const std::pair<const char*, const Optional<Duration>&> named[] = {
      {timers::connect, timeouts.connect}, {timers::first_byte, timeouts.first_byte},
      {timers::idle, timeouts.idle},       {timers::idle_event, timeouts.idle_event},
      {timers::total, timeouts.total},     {timers::overall, timeouts.overall}};
  for (const auto& [name, limit] : named) {
    if (limit && *limit <= Duration::zero()) {
      return config(std::string("the timeout ") + name + " is " + std::to_string(limit->count()) +
                    " ms; it has to be above zero, or no_limit");
    }
  }
  return std::nullopt;
}

std::optional<Error> problem_with(const RetryPolicy& policy) {
  if (policy.max_retries < 0) return config("RetryPolicy::max_retries is negative");
  const std::pair<const char*, Duration> named[] = {{"first_delay", policy.first_delay},
                                                    {"max_delay", policy.max_delay},
                                                    {"max_server_delay", policy.max_server_delay},
                                                    {"budget", policy.budget.value_or(Duration::zero())}};
  for (const auto& [name, delay] : named) {
    if (delay < Duration::zero()) return config(std::string("RetryPolicy::") + name + " is negative");
  }
  if (!(policy.jitter >= 0 && policy.jitter <= 1))
    return config("RetryPolicy::jitter is not between 0 and 1");
  return std::nullopt;
}

std::optional<Error> problem_with(const CallOptions& options) {
  std::optional<Error> problem;
  if (options.timeouts != TimeoutChanges()) problem = problem_with(options.timeouts.over({}));
  if (!problem && options.retry) problem = problem_with(*options.retry);
  return problem;
}

}  // namespace inferwire::inline v0_1::client
