#include "client/configuration.hpp"

#include "auth/resolved_credential.hpp"
#include "auth/settings/environment.hpp"
#include "base/ascii.hpp"
#include "base/controls.hpp"
#include "base/thrown.hpp"
#include "client/log_setting.hpp"
#include "client/option_problems.hpp"
#include "client/user_agent.hpp"
#include "http/curl_transport.hpp"
#include "protocol/aws.hpp"
#include "protocol/headers.hpp"
#include "protocol/redact.hpp"

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::client {

Configuration::Configuration(ClientOptions options) : options_(std::move(options)) {
  problem_ = problem_with(options_);
  if (!options_.environment) options_.environment = Environment::system();
  user_agent_ = user_agent(options_);
  catch_problem("the credential", [this] { choose_credential(); });
  if (!options_.credential) options_.credential = Credential::none();
  catch_problem("the environment", [this] { choose_log(); });
  choose_transport();
}

const std::optional<Error>& Configuration::resolve_once() {
  bool resolved_here = false;
  std::call_once(resolved_, [&] {
    catch_problem("the environment", [this] {
      auto resolved = resolve();
      if (!resolved && !problem_) problem_ = std::move(resolved).error();
    });
    if (problem_) problem_->provider = options_.provider.name;
    resolved_here = true;
  });
  if (resolved_here) log_resolution();  // the log may use the client
  return problem_;
}

bool Configuration::is_found_key(const Header& header) const {
  const auto is_its_name = [&header](const std::string& found) {
    return ascii::equal_ignoring_case(found, header.name);
  };
  // A call's own header replaces the environment's.
  return std::ranges::any_of(found_keys_, is_its_name) &&
         find_header(options_.headers, header.name) == header.value;
}

AuthReport Configuration::describe_auth() {
  const auto& wrong = resolve_once();
  auto report = describe_credential();
  report.provider = options_.provider.name;
  report.base_url = base_.text;
  report.settings.insert(report.settings.end(), found_headers_.begin(), found_headers_.end());
  if (find_header(options_.headers, "Authorization")) {  // the credential is not asked
    report.method = "the caller's own Authorization header";
    report.problem.reset();
  }
  if (!report.problem) report.problem = wrong;
  return report;
}

Error Configuration::config(std::string detail) const {
  return Error{.kind = ErrorKind::config, .detail = std::move(detail), .provider = options_.provider.name};
}

/// Calls functions of `who`, which may be the program's own: an exception becomes the problem.
template <class Calls>
void Configuration::catch_problem(std::string_view who, Calls&& calls) {
  try {
    calls();
  } catch (const std::bad_alloc&) {
    throw;  // a later call may have enough memory
  } catch (...) {
    if (!problem_) problem_ = config(thrown_by(who));
  }
}

AuthReport Configuration::describe_credential() const {
  try {
    return options_.credential->describe();
  } catch (...) {
    return {.problem = config(thrown_by("the credential"))};
  }
}

void Configuration::choose_credential() {
  credential_knows_url_ = !options_.credential || !options_.base_url;
  const auto& row = options_.provider.auth;
  if (options_.credential) {
    options_.credential->offer(
        row, {.base_url = options_.base_url.value_or(""), .environment = options_.environment});
    return;
  }
  // A custom transport (an engine, a script) may not need a key; a real service does.
  if (row.scheme) {
    options_.credential =
        row.scheme(row, {.base_url = options_.base_url.value_or(""),
                         .key = options_.api_key.value_or(Secret()),
                         .environment = options_.environment,
                         .optional = options_.transport && !options_.transport->is_remote()});
  }
}

void Configuration::choose_log() {
  if (!options_.log) {
    const auto wanted = auth::variable(*options_.environment, "INFERWIRE_LOG");
    if (const auto level = level_of(wanted, options_.visibility)) {
      options_.log = Log::standard_error(*level);
    }
  }
  if (options_.log) log_least_ = options_.log->level();
}

void Configuration::choose_transport() {
  if (options_.transport) return;
  std::string ca_file;
  catch_problem("the environment",
                [&] { ca_file = auth::variable(*options_.environment, http::ca_file_variable); });
  const bool wire = options_.visibility.wire && logs(LogLevel::debug);
  options_.transport = std::make_shared<detail::CurlTransport>(
      options_.network, wire ? options_.log : nullptr, std::move(ca_file));
}

Result<void> Configuration::resolve() {
  auto done = resolve_base_url();
  look_up_headers();
  if (done) done = protocol::check_headers(options_.headers);
  if (done) done = protocol::check_header("User-Agent", user_agent_);
  return done;
}

Result<void> Configuration::resolve_base_url() {
  const auto& row = options_.provider;
  auto text = options_.base_url.value_or("");
  // For example, a test server that did not start: its calls must not go to the real service.
  if (options_.base_url && text.empty()) return config("ClientOptions::base_url is empty");
  if (text.empty()) text = auth::variable(*options_.environment, row.auth.base_url_variable);
  if (text.empty()) text = row.base_url;
  if (credential_knows_url_) {
    Result<std::string> known;
    catch_problem("the credential", [&] { known = options_.credential->base_url(text); });
    if (!known) return std::move(known).error();
    text = *std::move(known);
  }
  if (text.empty() && !options_.transport->is_remote()) text = auth::url_in_process;
  if (text.empty()) {
    const auto& variable = row.auth.base_url_variable;
    return config("no base URL: set ClientOptions::base_url" +
                  (variable.empty() ? "" : " or the environment variable " + variable));
  }
  if (text.find(protocol::region_mark) != text.npos)
    return config("the base URL has no region: give the provider's row one");
  auto base = BaseUrl::read(text, options_.allow_plain_http_key, row.dedicated_hosts);
  if (!base) return std::move(base).error();
  base_ = *std::move(base);
  return {};
}

/// Appends the headers that the environment defines for this provider.
void Configuration::look_up_headers() {
  const auto& row = options_.provider.auth;
  look_up_lines_of_headers(row.headers_variable);
  for (const auto& [header, variable_name] : row.headers) {
    auto value = auth::variable(*options_.environment, variable_name);
    if (value.empty() || find_header(options_.headers, header)) continue;
    add_found({header, std::move(value)}, variable_name, protocol::is_secret_header(header));
  }
}

/// Appends the headers of a variable with one header per line: any may be a key.
void Configuration::look_up_lines_of_headers(const std::string& variable_name) {
  const auto text = auth::variable(*options_.environment, variable_name);
  std::vector<Header> found;
  for (std::string_view rest = text; !rest.empty();) {
    auto value = ascii::take_until(rest, "\n");
    if (value.find(':') == value.npos) continue;
    const auto name = ascii::take_until(value, ":");
    Header header{std::string(ascii::trim(name)), std::string(ascii::trim(value))};
    if (!find_header(options_.headers, header.name)) protocol::set_header(found, std::move(header));
  }
  for (auto& header : found) add_found(std::move(header), variable_name, true);
}

/// Appends a header; the report conceals what may be a key.
void Configuration::add_found(Header header, const std::string& variable_name, bool may_be_key) {
  found_headers_.push_back(
      {header.name, may_be_key ? std::string(protocol::concealed) : header.value, "env " + variable_name});
  if (may_be_key) found_keys_.push_back(header.name);
  options_.headers.push_back(std::move(header));
}

void Configuration::log_resolution() const {
  warn_of_missing_ca_file();
  if (!logs(LogLevel::debug)) return;
  for (const auto& note : describe_credential().notes) options_.log->write(LogLevel::debug, note);
  warn_without_wire();
}

void Configuration::warn_of_missing_ca_file() const {
  if (!logs(LogLevel::warning)) return;
  const auto* const curl = detail::CurlTransport::in(*options_.transport);
  if (curl == nullptr || curl->ignored_ca_file().empty()) return;
  options_.log->write(LogLevel::warning, std::string("the file that ") + http::ca_file_variable +
                                             " names cannot be opened, and is ignored: " +
                                             utf8::one_line(curl->ignored_ca_file()));
}

/// A transport of the caller's own has its own log, or none. In process there are no connections.
void Configuration::warn_without_wire() const {
  if (!options_.visibility.wire || !options_.transport->is_remote()) return;
  const auto* const curl = detail::CurlTransport::in(*options_.transport);
  if (curl != nullptr && curl->logs()) return;
  options_.log->write(LogLevel::warning,
                      "connections are not logged: Visibility::wire does not reach ClientOptions::transport; "
                      "give the log to network_transport()");
}

}  // namespace inferwire::inline v0_1::client
