#include "client/call/observation.hpp"

#include "client/call/call_log.hpp"
#include "client/call/http_error.hpp"
#include "json/scanner.hpp"
#include "protocol/headers.hpp"
#include "protocol/redact.hpp"
#include "protocol/url.hpp"

#include <list>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

/// The numbers and booleans at the top level of a body, and its model. The body was encoded or checked by
/// this library.
struct Settings {
  explicit Settings(std::string_view body) {
    for (json::Items items(json::trim(body)); items.next();) {
      const auto value = json::trim(items.value());
      if (value.starts_with('"') && items.raw_key() == "model") model = json::string_of(value).value_or("");
      if (value.empty() || value.front() == '"' || value.front() == '{' || value.front() == '[' ||
          value == "null") {
        continue;
      }
      auto name = items.key();
      if (protocol::is_secret_member(name)) continue;  // a numeric password
      names.push_back(std::move(name));
      list.push_back({names.back(), value});
    }
  }

  std::list<std::string> names;  // the settings are views of these
  std::vector<Setting> list;
  std::string model;
};

/// Method and path of a raw call, whose operation does not say where it goes; else empty.
std::string target_of(const Subject& subject, const HttpRequest& request, const Concealer& concealer) {
  if (subject.operation != "request") return {};
  std::string path(protocol::split_url(request.url).path);
  concealer.conceal(path);
  return request.method + ' ' + path;
}

}  // namespace

std::unique_ptr<Observation> Observation::begin(detail::Core& core, const HttpRequest& request,
                                                const Subject& subject, AnswerForm form,
                                                const CallOptions& options, const Concealer& concealer) {
  const auto& url = core.base_url();
  const int usual_port = url.scheme == "http" ? 80 : 443;
  const Settings settings(request.body);
  const CallStart start{.operation = subject.operation,
                        .provider = core.provider().name,
                        .model = subject.model.empty() ? settings.model : subject.model,
                        .stream = form == AnswerForm::stream,
                        .host = url.host,
                        .port = url.port == 0 ? usual_port : url.port,
                        .settings = settings.list,
                        .label = options.label ? std::string_view(*options.label) : "",
                        .context = options.context};
  std::unique_ptr<Observation> self(new Observation(core, concealer));
  if (auto* observer = core.observer()) {
    if (auto one = observer->begin(start)) self->observers_.push_back(std::move(one));
  }
  self->wants_facts_ = !self->observers_.empty();
  if (core.logs(LogLevel::error)) {
    self->observers_.push_back(
        std::make_unique<CallLog>(*core.log(), name_of(start, target_of(subject, request, concealer)),
                                  LogLevel::error, core.retry(options).judge.get()));
  }
  self->detailed_ = self->wants_facts_ || core.logs(LogLevel::debug);
  if (self->observers_.empty()) return nullptr;
  return self;
}

/// Failures are information: the credential tries something else, or the call that needs the token fails.
std::unique_ptr<Observation> Observation::begin_fetch(detail::Core& core, const HttpRequest& request,
                                                      const CallOptions& options,
                                                      const Concealer& concealer) {
  if (!core.logs(LogLevel::info)) return nullptr;
  std::unique_ptr<Observation> self(new Observation(core, concealer));
  self->of_token_ = true;
  self->detailed_ = core.logs(LogLevel::debug);
  auto name = mark_of(options.label ? std::string_view(*options.label) : "");
  ((name += core.provider().name) += " token from ") += protocol::shown_origin(request.url);
  self->observers_.push_back(
      std::make_unique<CallLog>(*core.log(), std::move(name), LogLevel::info, nullptr));
  return self;
}

void Observation::attempt(int number, HttpRequest& request) {
  if (!detailed_) return;
  const auto url = of_token_ ? protocol::shown_origin(request.url) : std::string();
  const auto body = shown(std::string_view(request.body));
  for (auto& observer : observers_) {
    const auto headers = shown(request.headers);
    std::vector<Header> add;
    observer->on_attempt({.number = number,
                          .method = request.method,
                          .url = of_token_ ? std::string_view(url) : protocol::without_query(request.url),
                          .body_bytes = request.body.size(),
                          .headers = headers,
                          .body = body},
                         add);
    protocol::layer_headers(request.headers, add);  // the log, which is last, has them too
  }
}

void Observation::answer(int attempt, const ResponseHead& head) {
  if (!detailed_) return;
  std::vector<Header> all;
  for (const auto& [name, value] : head.headers) all.push_back({std::string(name), std::string(value)});
  const auto headers = shown(std::move(all));
  std::string id(request_id(head).id);
  concealer_.conceal(id);
  for (auto& observer : observers_) {
    observer->on_answer({.attempt = attempt,
                         .status = head.status,
                         .http_version = head.http_version,
                         .request_id = id,
                         .headers = headers,
                         .connection_reused = head.connection_reused});
  }
}

void Observation::retry(int attempt, const Error& error, Duration wait) {
  const auto copy = shown(error);
  for (auto& observer : observers_) observer->on_retry({attempt, copy, wait});
}

void Observation::element(std::uint64_t number, std::uint64_t bytes, std::string_view text) {
  const auto copy = detailed_ ? shown(text) : std::string();
  for (auto& observer : observers_) observer->on_element({number, bytes, copy});
}

void Observation::finish(const Error* error, const ResponseInfo& info, std::string_view body) {
  if (std::exchange(finished_, true)) return;
  const auto copy = error != nullptr ? shown(*error) : Error();
  const auto text = shown(body);
  std::string id = info.request_id;
  concealer_.conceal(id);
  for (auto& observer : observers_) {
    observer->on_finish({.error = error != nullptr ? &copy : nullptr,
                         .attempts = info.attempts,
                         .status = info.head.status,
                         .request_id = id,
                         .bytes = info.bytes,
                         .events = info.events,
                         .timings = info.timings,
                         .answer = facts_,
                         .body = text});
  }
}

/// Copies for observers: without secrets, and with bodies only if those are made visible.
std::vector<Header> Observation::shown(std::vector<Header> headers) {
  auto copy = protocol::shown_headers(std::move(headers), core_.visibility().headers);
  for (auto& header : copy) concealer_.conceal(header.value);
  return copy;
}

std::string Observation::shown(std::string_view body) {
  const auto& visible = core_.visibility();
  if (!visible.bodies || of_token_) return {};
  std::string text(body);
  concealer_.conceal(text);  // before it is truncated: not even part of a key may be shown
  return protocol::shown_body(text, visible.max_body_bytes);
}

Error Observation::shown(const Error& error) {
  if (of_token_) {
    return {.kind = error.kind,
            .detail = error.status == 0 ? error.detail : std::string(),
            .status = error.status,
            .timer = error.timer};
  }
  auto copy = error;
  copy.body = shown(std::string_view(error.body));
  return copy;
}

}  // namespace inferwire::inline v0_1::client
