/// \file
/// State that the resources of a client share: the resolved options, the provider's row, transport and
/// credential.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/base_url.hpp"
#include "client/request_writer.hpp"
#include "inferwire/auth_report.hpp"
#include "inferwire/client.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/event_loop.hpp"

namespace inferwire::inline v0_1::detail {

class Loop;

/// nullptr if `named` is the executor that represents the loop's thread.
inline std::shared_ptr<Executor> executor_of(const std::shared_ptr<Executor>& named) {
  return named == Executor::on_loop() ? nullptr : named;
}

/// Looks into the environment once, when first needed, and is immutable afterwards, so that any number of
/// threads may use it.
class Core : public std::enable_shared_from_this<Core> {
 public:
  /// Does no I/O. Missing options are resolved, and errors in options reported, when first needed.
  static std::shared_ptr<Core> make(ClientOptions options);

  /// How calls authenticate.
  AuthReport describe_auth();
  const Provider& provider() const noexcept { return options_.provider; }
  const Timeouts& timeouts() const noexcept { return options_.timeouts; }
  const RetryPolicy& retry() const noexcept { return options_.retry; }
  std::uint64_t max_response_bytes() const noexcept { return options_.max_response_bytes; }
  std::size_t max_event_bytes() const noexcept { return options_.max_event_bytes; }
  Preflight preflight() const noexcept { return options_.preflight; }
  Log* log() const noexcept { return options_.log.get(); }
  /// Whether the log accepts messages of this level.
  bool logs(LogLevel level) const noexcept { return log_least_ && level >= *log_least_; }
  Observer* observer() const noexcept { return options_.observer.get(); }
  /// Whether a log or an observer follows the course of calls.
  bool observed() const noexcept { return log_least_ || options_.observer; }
  const Visibility& visibility() const noexcept { return options_.visibility; }
  Transport& transport() const noexcept { return *options_.transport; }
  const std::shared_ptr<Transport>& shared_transport() const noexcept { return options_.transport; }
  Credential& credential() const noexcept { return *options_.credential; }
  /// The executor for callbacks of a call with these options; nullptr: they run on the loop's thread.
  std::shared_ptr<Executor> executor_for(const CallOptions& options) const {
    return executor_of(options.executor ? options.executor : options_.executor);
  }
  std::size_t stream_buffer_bytes() const noexcept { return options_.stream_buffer_bytes; }
  /// The loop for asynchronous calls; the first call starts its thread. Errors: config.
  Result<std::shared_ptr<Loop>> loop();
  /// Called when the last handle of the client is destroyed; ends what still runs on the loop.
  void close() noexcept;
  Clock& clock() const noexcept { return options_.clock ? *options_.clock : Clock::system(); }
  /// Whether exchanges wait by the same clock: those over sockets wait by the system's.
  bool transport_knows_clock() const noexcept;

  const protocol::Url& base_url() const noexcept { return base_.url; }
  /// The request of a call without its credential: URL and headers.
  Result<HttpRequest> request(client::Ask ask, const CallOptions& options);
  /// Logs once that the caller's own Authorization takes precedence over the credential.
  void note_own_authorization();
  /// Whether keys may be sent to the base URL.
  bool keys_may_go() const noexcept { return base_.keys_may_go; }
  /// Whether this can be sent. If keys may not be sent to the base URL, any header that the credential added
  /// to `unsigned_headers` counts as a key. Errors: config.
  Result<void> check_request(const HttpRequest& request, const std::vector<Header>& unsigned_headers) const;

 private:
  explicit Core(ClientOptions options) : options_(std::move(options)) {}

  void choose_credential();
  void choose_log();
  /// Why no call can be made; std::nullopt if there is no problem.
  const std::optional<Error>& problem();
  std::optional<Error> resolve();
  std::optional<Error> resolve_base_url();
  void look_up_headers();
  void look_up_lines_of_headers(const std::string& variable_name);
  std::optional<Error> check_own_key() const;
  std::optional<Error> check_own_headers() const;
  client::RequestWriter writer() const noexcept { return {base_, options_, user_agent_}; }
  Error config(std::string detail) const;

  ClientOptions options_;
  std::string user_agent_{};
  std::optional<LogLevel> log_least_{};  ///< std::nullopt: there is no log
  bool in_process_{};                    ///< whether a custom transport serves calls in this process
  bool credential_knows_url_{};          ///< false if the caller set both credential and base URL

  std::once_flag noted_authorization_{};

  std::once_flag has_loop_{};          // guards what follows
  std::shared_ptr<EventLoop> loop_{};  ///< nullptr before the first asynchronous call

  std::once_flag resolved_{};  // guards what follows
  client::BaseUrl base_{};
  std::vector<AuthReport::Setting> found_headers_{};
  std::optional<Error> problem_{};
};

}  // namespace inferwire::inline v0_1::detail
