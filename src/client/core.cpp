#include "client/core.hpp"

#include <algorithm>
#include <utility>

#include "auth/resolved_credential.hpp"
#include "auth/settings/environment.hpp"
#include "base/ascii.hpp"
#include "client/log_setting.hpp"
#include "client/loop/loop.hpp"
#include "client/option_problems.hpp"
#include "client/user_agent.hpp"
#include "http/curl_transport.hpp"
#include "protocol/aws.hpp"
#include "protocol/headers.hpp"
#include "protocol/redact.hpp"

namespace inferwire::inline v0_1::detail {

std::shared_ptr<Core> Core::make(ClientOptions options) {
  if (!options.environment) options.environment = Environment::system();
  if (options.loop) options.clock = options.loop->loop().given_clock();
  std::shared_ptr<Core> core(new Core(std::move(options)));
  core->user_agent_ = client::user_agent(core->options_);
  core->choose_credential();
  core->choose_log();
  if (!core->options_.transport) {
    const bool wire = core->options_.visibility.wire && core->logs(LogLevel::debug);
    core->options_.transport =
        http::make_curl_transport(core->options_.network, wire ? core->options_.log : nullptr);
  }
  return core;
}

Result<std::shared_ptr<Loop>> Core::loop() {
  std::call_once(has_loop_, [this] {
    loop_ = options_.loop ? options_.loop
                          : std::make_shared<EventLoop>(EventLoopOptions{.clock = options_.clock});
  });
  auto loop = loop_->loop().shared_from_this();
  if (auto started = loop->start(); !started) return std::move(started).error();
  return loop;
}

void Core::close() noexcept {
  options_.executor.reset();  // its tasks may hold this
  if (!loop_) return;
  if (options_.loop) {
    loop_->loop().leave(*this);
  } else {
    loop_->loop().stop();
  }
}

Error Core::config(std::string detail) const {
  return Error{.kind = ErrorKind::config, .detail = std::move(detail), .provider = options_.provider.name};
}

const std::optional<Error>& Core::problem() {
  std::call_once(resolved_, [this] { problem_ = resolve(); });
  return problem_;
}

std::optional<Error> Core::resolve() {
  auto problem = resolve_base_url();
  look_up_headers();
  if (!problem) problem = check_own_key();
  if (!problem) problem = check_own_headers();
  if (!problem) problem = client::problem_with(options_.timeouts);
  if (!problem) problem = client::problem_with(options_.retry);
  if (problem) problem->provider = options_.provider.name;
  if (logs(LogLevel::debug)) {
    for (const auto& note : options_.credential->describe().notes) options_.log->write(LogLevel::debug, note);
  }
  return problem;
}

std::optional<Error> Core::resolve_base_url() {
  const auto& row = options_.provider;
  auto text = options_.base_url.value_or("");
  // For example, a test server that did not start: its calls must not go to the real service.
  if (options_.base_url && text.empty()) return config("ClientOptions::base_url is empty");
  if (text.empty()) text = auth::variable(*options_.environment, row.auth.base_url_variable);
  if (text.empty()) text = row.base_url;
  if (credential_knows_url_) {
    auto known = options_.credential->base_url(text);
    if (!known) return std::move(known).error();
    text = *std::move(known);
  }
  if (text.empty() && in_process_) text = auth::url_in_process;
  if (text.empty()) {
    const auto& variable = row.auth.base_url_variable;
    return config("no base URL: set ClientOptions::base_url" +
                  (variable.empty() ? "" : " or the environment variable " + variable));
  }
  if (text.find(protocol::region_mark) != text.npos)
    return config("the base URL has no region: give the provider's row one");
  // Requests that stay in this process cannot be intercepted.
  auto base = client::BaseUrl::read(text, options_.allow_plain_http_key || in_process_);
  if (!base) return std::move(base).error();
  base_ = *std::move(base);
  return std::nullopt;
}

/// Appends the headers that the environment defines for this provider.
void Core::look_up_headers() {
  const auto& row = options_.provider.auth;
  look_up_lines_of_headers(row.headers_variable);
  for (const auto& [header, variable_name] : row.headers) {
    auto value = auth::variable(*options_.environment, variable_name);
    if (value.empty() || find_header(options_.headers, header)) continue;
    found_headers_.push_back({header, value, "env " + variable_name});
    options_.headers.push_back({header, std::move(value)});
  }
}

/// Appends the headers of a variable with one header per line. Their values are not shown: any may be a key.
void Core::look_up_lines_of_headers(const std::string& variable_name) {
  const auto text = auth::variable(*options_.environment, variable_name);
  std::vector<Header> found;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const auto line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    const auto colon = line.find(':');
    if (colon == line.npos) continue;
    Header header{std::string(ascii::trim(line.substr(0, colon))),
                  std::string(ascii::trim(line.substr(colon + 1)))};
    if (!find_header(options_.headers, header.name)) protocol::set_header(found, std::move(header));
  }
  for (auto& header : found) {
    found_headers_.push_back({header.name, "***", "env " + variable_name});
    options_.headers.push_back(std::move(header));
  }
}

void Core::choose_credential() {
  in_process_ = options_.transport && !options_.transport->is_remote();
  credential_knows_url_ = !options_.credential || !options_.base_url;
  const auto& row = options_.provider.auth;
  if (options_.credential) {
    options_.api_key.reset();
    options_.credential->offer(
        row, {.base_url = options_.base_url.value_or(""), .environment = options_.environment});
    return;
  }
  // A custom transport (an engine, a script) may not need a key; a real service does.
  if (row.scheme) {
    options_.credential = row.scheme(row, {.base_url = options_.base_url.value_or(""),
                                           .key = options_.api_key.value_or(Secret()),
                                           .environment = options_.environment,
                                           .optional = in_process_});
  }
  if (!options_.credential) options_.credential = Credential::none();
}

bool Core::transport_knows_clock() const noexcept {
  return &clock() == &Clock::system() || !transport().is_remote();
}

/// For example, a tenant's key that was not found: the tenant's calls must not use the host application's
/// key.
std::optional<Error> Core::check_own_key() const {
  const auto& key = options_.api_key;
  if (key && key->empty()) {
    return config("ClientOptions::api_key is empty; for a server that wants no key use Credential::none()");
  }
  return std::nullopt;
}

std::optional<Error> Core::check_own_headers() const {
  for (const auto& header : options_.headers) {
    if (auto checked = protocol::check_header(header.name, header.value); !checked)
      return std::move(checked).error();
  }
  if (auto checked = protocol::check_header("User-Agent", user_agent_); !checked)
    return std::move(checked).error();
  return std::nullopt;
}

AuthReport Core::describe_auth() {
  const auto& wrong = problem();
  auto report = options_.credential->describe();
  report.provider = options_.provider.name;
  report.base_url = base_.text;
  report.settings.insert(report.settings.end(), found_headers_.begin(), found_headers_.end());
  if (!report.problem) report.problem = wrong;
  return report;
}

void Core::choose_log() {
  if (!options_.log) {
    const auto wanted = auth::variable(*options_.environment, "INFERWIRE_LOG");
    if (const auto level = client::level_of(wanted, options_.visibility)) {
      options_.log = Log::standard_error(*level);
    }
  }
  if (options_.log) log_least_ = options_.log->level();
}

Result<HttpRequest> Core::request(client::Ask ask, const CallOptions& options) {
  if (const auto& wrong = problem()) return *wrong;
  return writer().write(std::move(ask), options);
}

void Core::note_own_authorization() {
  if (!logs(LogLevel::debug)) return;
  std::call_once(noted_authorization_, [this] {
    options_.log->write(LogLevel::debug,
                        "the header Authorization is the caller's own: no credential is asked");
  });
}

Result<void> Core::check_request(const HttpRequest& request,
                                 const std::vector<Header>& unsigned_headers) const {
  // The library's own transport checks them itself.
  if (CurlTransport::in(transport()) == nullptr) {
    if (auto checked = protocol::check_headers(request.headers); !checked) return checked;
  }
  if (base_.keys_may_go) return {};
  const auto is_key = [&](const Header& header) {
    const bool is_of_credential = std::ranges::find(unsigned_headers, header) == unsigned_headers.end();
    return is_of_credential || protocol::is_secret_header(header.name);
  };
  if (std::ranges::none_of(request.headers, is_key) && !protocol::has_secret_parameter(request.url))
    return {};
  return config("a key would be sent over plain http to " + base_.url.host +
                "; use https, or allow it by ClientOptions::allow_plain_http_key");
}

}  // namespace inferwire::inline v0_1::detail
