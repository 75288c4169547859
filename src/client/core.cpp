#include "client/core.hpp"

#include <algorithm>
#include <utility>

#include "auth/environment.hpp"
#include "auth/resolved_credential.hpp"
#include "base/ascii.hpp"
#include "client/call_machine.hpp"
#include "client/chance.hpp"
#include "client/loop.hpp"
#include "http/curl_transport.hpp"
#include "inferwire/version.hpp"
#include "json/edit.hpp"
#include "protocol/aws.hpp"
#include "protocol/headers.hpp"

namespace inferwire::inline v0_1::detail {

namespace {

Result<void> apply(const BodyEdit& edit, std::string& body) {
  switch (edit.kind) {
    case BodyEdit::Kind::set: return json::set(body, edit.pointer, edit.value.text());
    case BodyEdit::Kind::replace: return json::replace(body, edit.pointer, edit.value.text());
    case BodyEdit::Kind::remove: return json::remove(body, edit.pointer);
  }
  return {};
}

constexpr std::string_view platform() {
#if defined(_WIN32)
  return "windows";
#elif defined(__APPLE__)
  return "macos";
#elif defined(__linux__)
  return "linux";
#else
  return "unknown";
#endif
}

constexpr std::string_view architecture() {
#if defined(__x86_64__) || defined(_M_X64)
  return "x86_64";
#elif defined(__aarch64__) || defined(_M_ARM64)
  return "aarch64";
#else
  return "other";
#endif
}

/// What INFERWIRE_LOG wants: a level, and behind commas what is shown besides ("debug,bodies"). Nothing where
/// it holds any other word.
std::optional<LogLevel> level_of(std::string_view words, Visibility& visibility) {
  constexpr std::pair<std::string_view, LogLevel> levels[] = {{"debug", LogLevel::debug},
                                                              {"info", LogLevel::info},
                                                              {"warning", LogLevel::warning},
                                                              {"error", LogLevel::error}};
  const auto comma = words.find(',');
  const auto* const level =
      std::ranges::find(levels, words.substr(0, comma), &std::pair<std::string_view, LogLevel>::first);
  if (level == std::end(levels)) return std::nullopt;
  auto shown = visibility;
  for (auto rest = comma; rest != words.npos;) {
    const auto begin = rest + 1;
    rest = words.find(',', begin);
    const auto word = words.substr(begin, rest == words.npos ? rest : rest - begin);
    if (word != "bodies" && word != "wire") return std::nullopt;
    (word == "bodies" ? shown.bodies : shown.wire) = true;
  }
  visibility = shown;
  return level->second;
}

}  // namespace

std::shared_ptr<Core> Core::make(ClientOptions options) {
  if (!options.environment) options.environment = Environment::system();
  if (options.loop) options.clock = options.loop->loop().given_clock();
  std::shared_ptr<Core> core(new Core(std::move(options)));
  core->name_user_agent();
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
  if (!problem) problem = client::CallMachine::problem_with(options_.timeouts);
  if (!problem) problem = client::CallMachine::problem_with(options_.retry);
  if (problem) problem->provider = options_.provider.name;
  if (logs(LogLevel::debug)) {
    for (const auto& note : options_.credential->describe().notes) options_.log->write(LogLevel::debug, note);
  }
  return problem;
}

std::optional<Error> Core::resolve_base_url() {
  const auto& row = options_.provider;
  auto text = options_.base_url.value_or("");
  // A test's server that did not come up, say: its calls must not go to the service itself.
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
    return config("no base URL: set ClientOptions::base_url or the environment variable " +
                  row.auth.base_url_variable);
  }
  if (text.find(protocol::region_mark) != text.npos)
    return config("the base URL has no region: give the provider's row one");
  auto url = protocol::parse_base_url(text);
  if (!url) return std::move(url).error();
  base_url_ = std::move(*url);
  base_query_ = std::exchange(base_url_.query, {});
  base_text_ = protocol::to_string(base_url_);
  keys_may_go_ =
      base_url_.scheme != "http" || protocol::is_loopback(base_url_.host) || options_.allow_plain_http_key;
  return std::nullopt;
}

/// Appends the headers that the environment has for this provider.
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

/// Those of a variable that has one in each line. What they hold is not shown: any of them may be a key.
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
  // A transport of the caller's own (an engine, a script) may need no key; a real service does.
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

void Core::name_user_agent() {
  user_agent_ = "inferwire/" + std::string(version()) + " (" + std::string(platform()) + "; " +
                std::string(architecture()) + ")";
  if (!options_.transport) user_agent_ += " " + http::curl_product();
  if (!options_.user_agent.empty()) user_agent_ += " " + options_.user_agent;
}

/// A tenant's key that was not found, say: his calls must not go out with the key of whoever serves him.
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
  report.base_url = base_text_;
  report.settings.insert(report.settings.end(), found_headers_.begin(), found_headers_.end());
  if (!report.problem) report.problem = wrong;
  return report;
}

void Core::choose_log() {
  if (!options_.log) {
    const auto wanted = auth::variable(*options_.environment, "INFERWIRE_LOG");
    if (const auto level = level_of(wanted, options_.visibility)) {
      options_.log = Log::standard_error(*level);
    }
  }
  if (options_.log) log_least_ = options_.log->level();
}

Result<HttpRequest> Core::request(const Route& route, std::string_view model, std::optional<std::string> body,
                                  bool stream, const CallOptions& options) {
  if (const auto& wrong = problem()) return *wrong;
  if (route.path.empty()) {
    auto error = config("this provider has no such endpoint");
    error.kind = ErrorKind::unsupported;
    return error;
  }
  const auto& path = stream && !route.stream_path.empty() ? route.stream_path : route.path;
  HttpRequest request{.method = body ? "POST" : "GET"};
  request.url.reserve(base_text_.size() + path.size() + base_query_.size() + 1);
  request.url = base_text_;
  // It would become a part of the host's name, and the key would go to another host.
  if (!path.starts_with('/')) return config("the path of an endpoint begins with a slash");
  constexpr std::string_view placeholder = "{model}";
  if (const auto at = path.find(placeholder); at == std::string::npos) {
    request.url += path;
  } else {
    if (model.empty()) {
      auto error = config("the request names no model, and the path needs one");
      error.kind = ErrorKind::invalid_request;
      error.param = "model";
      return error;
    }
    request.url.append(path, 0, at);
    request.url += protocol::percent_encode_segment(model);
    request.url.append(path, at + placeholder.size());
  }
  return complete(std::move(request), std::move(body), stream, options);
}

Result<HttpRequest> Core::request(std::string_view method, std::string_view path,
                                  std::optional<std::string> body, bool stream, const CallOptions& options) {
  if (const auto& wrong = problem()) return *wrong;
  if (!protocol::is_token(method)) return config("this method cannot be sent");
  if (auto checked = check_path(path); !checked) return std::move(checked).error();
  HttpRequest request{.method = std::string(method), .url = base_text_ + std::string(path)};
  return complete(std::move(request), std::move(body), stream, options);
}

Result<void> Core::check_path(std::string_view path) {
  if (const auto& wrong = problem()) return *wrong;
  if (!path.starts_with('/')) return config("the path of a request begins with a slash");
  if (auto url = protocol::parse_url(base_text_ + std::string(path)); !url) return std::move(url).error();
  return {};
}

/// Adds what the options say, and the headers.
Result<HttpRequest> Core::complete(HttpRequest request, std::optional<std::string> body, bool stream,
                                   const CallOptions& options) {
  char mark = request.url.find('?') == std::string::npos ? '?' : '&';
  if (!base_query_.empty()) (request.url += std::exchange(mark, '&')) += base_query_;
  for (const auto& [name, value] : options.query) {
    (request.url += std::exchange(mark, '&')) += protocol::percent_encode_segment(name);
    (request.url += '=') += protocol::percent_encode_segment(value);
  }
  for (const auto& edit : options.body) {
    if (!body) body = "{}";
    if (auto edited = apply(edit, *body); !edited) return std::move(edited).error();
  }
  request.headers.reserve(4 + options_.headers.size() + options.headers.size());
  if (body) {
    request.body = *std::move(body);
    request.headers.push_back({"Content-Type", "application/json"});
  }
  const auto& streams = options_.provider.stream;
  request.headers.push_back(stream ? Header{streams.accept_header, streams.accept}
                                   : Header{"Accept", "application/json"});
  request.headers.push_back({"User-Agent", user_agent_});
  protocol::layer_headers(request.headers, options_.headers);
  for (const auto& name : options.without_headers) protocol::remove_header(request.headers, name);
  for (const auto& header : options.headers) {
    if (auto checked = protocol::check_header(header.name, header.value); !checked)
      return std::move(checked).error();
    protocol::set_header(request.headers, header);
  }
  const auto& key_header = (options.retry ? *options.retry : options_.retry).idempotency_header;
  if (!key_header.empty() && !find_header(request.headers, key_header)) {
    request.headers.push_back({key_header, "inferwire-" + client::random_uuid()});
  }
  return request;
}

void Core::note_own_authorization() {
  if (!logs(LogLevel::debug)) return;
  std::call_once(noted_authorization_, [this] {
    options_.log->write(LogLevel::debug,
                        "the header Authorization is the caller's own: no credential is asked");
  });
}

Result<void> Core::check_headers(const std::vector<Header>& headers,
                                 const std::vector<Header>& unsigned_headers) const {
  // The transport of our own looks at them itself.
  if (in_process_) {
    if (auto checked = protocol::check_headers(headers); !checked) return checked;
  }
  if (keys_may_go_) return {};
  for (const auto& header : headers) {
    const bool is_of_credential = std::ranges::find(unsigned_headers, header) == unsigned_headers.end();
    if (is_of_credential || protocol::is_secret_header(header.name)) {
      return config("a key would be sent over plain http to " + base_url_.host +
                    "; use https, or allow it by ClientOptions::allow_plain_http_key");
    }
  }
  return {};
}

}  // namespace inferwire::inline v0_1::detail
