#include "client/option_problems.hpp"

#include "base/timers.hpp"
#include "inferwire/client_options.hpp"

#include <string>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

Error config(std::string detail) { return Error{.kind = ErrorKind::config, .detail = std::move(detail)}; }

/// Whether any of these options differs from its default. Each is named, so that a new one does not compile
/// before it is considered here.
bool sets_any(const NetworkOptions& options) {
  const auto& [proxy, proxy_user, proxy_password, no_proxy, ca_file, ca_pem, native_ca, certificate_file,
               certificate_pem, key_file, key_pem, key_password, min_tls, http_version, unix_socket,
               local_interface, resolve, max_redirects, keep_alive, max_idle, max_age] = options;
  const NetworkOptions usual;
  const auto all_empty = [](const auto&... values) { return (values.empty() && ...); };
  return proxy || no_proxy || native_ca || max_age ||
         !all_empty(proxy_user, proxy_password, ca_file, ca_pem, certificate_file, certificate_pem, key_file,
                    key_pem, key_password, unix_socket, local_interface, resolve) ||
         min_tls != usual.min_tls || http_version != usual.http_version ||
         max_redirects != usual.max_redirects || keep_alive != usual.keep_alive || max_idle != usual.max_idle;
}

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

std::optional<Error> problem_with(const ClientOptions& options) {
  if (options.api_key && options.credential)
    return config("ClientOptions::api_key has no effect beside ClientOptions::credential; give one of them");
  // For example, a tenant's key that was not found: the tenant's calls must not use the host application's
  // key.
  if (options.api_key && options.api_key->empty()) {
    return config("ClientOptions::api_key is empty; for a server that wants no key use Credential::none()");
  }
  // A test may have put a transport in process into the options of a client over the network.
  if (options.transport && options.transport->is_remote() && sets_any(options.network)) {
    return config(
        "ClientOptions::network does not reach ClientOptions::transport; give the options to "
        "network_transport()");
  }
  if (options.clock && options.loop)
    return config("ClientOptions::clock does not reach ClientOptions::loop; give it to EventLoopOptions");
  auto problem = problem_with(options.timeouts);
  return problem ? problem : problem_with(options.retry);
}

std::optional<Error> problem_with(const CallOptions& options) {
  std::optional<Error> problem;
  if (options.timeouts != TimeoutChanges()) problem = problem_with(options.timeouts.over({}));
  if (!problem && options.retry) problem = problem_with(*options.retry);
  return problem;
}

}  // namespace inferwire::inline v0_1::client
