/// \file
/// The options of a client, completed from the environment and the provider's row.
#pragma once

#include "client/base_url.hpp"
#include "client/request_writer.hpp"
#include "inferwire/auth_report.hpp"
#include "inferwire/client_options.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::client {

/// Chooses credential, log and transport at once. Looks into the environment for everything else once, when
/// first needed, and is immutable afterwards, so that any number of threads may use it.
class Configuration {
 public:
  /// Does no I/O. Errors in the options are reported by `resolve_once`.
  explicit Configuration(ClientOptions options);

  /// Has a credential and a transport, and after `resolve_once` the headers from the environment.
  const ClientOptions& options() const noexcept { return options_; }
  /// Whether there is a log.
  bool logs() const noexcept { return log_least_.has_value(); }
  /// Whether there is a log that accepts messages of this level.
  bool logs(LogLevel level) const noexcept { return log_least_ && level >= *log_least_; }
  /// Looks into the environment if this is the first call. Returns why no call of the API can be made;
  /// std::nullopt if there is no problem.
  const std::optional<Error>& resolve_once();
  /// The base URL of requests. Known after `resolve_once`.
  const BaseUrl& base() const noexcept { return base_; }
  /// Whether it is a header that the environment defined and that may be a key. Known after `resolve_once`.
  bool is_found_key(const Header& header) const;
  /// How calls authenticate.
  AuthReport describe_auth();
  RequestWriter writer() const noexcept { return {base_, options_, user_agent_}; }
  /// An Error{config} that names the provider.
  Error config(std::string detail) const;
  /// Replaces the clock by that of the loop. No call may have begun.
  void use_clock(std::shared_ptr<Clock> clock) noexcept { options_.clock = std::move(clock); }
  /// Lets go of the executor, whose tasks may hold the client's core. No call may begin afterwards.
  void release_executor() noexcept { options_.executor.reset(); }

 private:
  template <class Calls>
  void catch_problem(std::string_view who, Calls&& calls);
  AuthReport describe_credential() const;
  void choose_credential();
  void choose_log();
  void choose_transport();
  Result<void> resolve();
  Result<void> resolve_base_url();
  void look_up_headers();
  void look_up_lines_of_headers(const std::string& variable_name);
  void add_found(Header header, const std::string& variable_name, bool may_be_key);
  void log_resolution() const;
  void warn_of_missing_ca_file() const;
  void warn_without_wire() const;

  ClientOptions options_;
  std::string user_agent_{};
  std::optional<LogLevel> log_least_{};  ///< std::nullopt: there is no log
  bool credential_knows_url_{};          ///< false if the caller set both credential and base URL

  std::once_flag resolved_{};  // guards what follows, except in the constructor
  BaseUrl base_{};
  std::vector<AuthReport::Setting> found_headers_{};
  std::vector<std::string> found_keys_{};  ///< the names of those headers that may be keys
  std::optional<Error> problem_{};
};

}  // namespace inferwire::inline v0_1::client
