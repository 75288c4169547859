#include "client/request_writer.hpp"

#include "base/ascii.hpp"
#include "base/percent.hpp"
#include "client/random.hpp"
#include "json/edit.hpp"
#include "protocol/headers.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::client {

namespace {

Result<void> apply(const BodyEdit& edit, std::string& body) {
  switch (edit.kind) {
    case BodyEdit::Kind::set: return json::set(body, edit.pointer, edit.value.text());
    case BodyEdit::Kind::replace: return json::replace(body, edit.pointer, edit.value.text());
    case BodyEdit::Kind::remove: return json::remove(body, edit.pointer);
  }
  return {};
}

Error error_of(const Provider& row, ErrorKind kind, std::string detail) {
  return Error{.kind = kind, .detail = std::move(detail), .provider = row.name};
}

template <class T>
void release(std::vector<T>& list) noexcept {
  std::vector<T>().swap(list);
}

}  // namespace

Result<std::string> path_of(const Provider& row, std::string_view resource, const Route& route,
                            std::string_view model, AnswerForm form) {
  if (route.path.empty()) {
    return error_of(row, ErrorKind::unsupported,
                    "this provider has no endpoint for " + std::string(resource));
  }
  auto path = form == AnswerForm::stream && !route.stream_path.empty() ? route.stream_path : route.path;
  // It would become part of the host name, and the key would be sent to another host.
  if (!path.starts_with('/'))
    return error_of(row, ErrorKind::config, "the path of an endpoint begins with a slash");
  constexpr std::string_view placeholder = "{model}";
  const auto at = path.find(placeholder);
  if (at == path.npos) return path;
  if (model.empty()) {
    auto error =
        error_of(row, ErrorKind::invalid_request, "the request names no model, and the path needs one");
    error.param = "model";
    return error;
  }
  return path.replace(at, placeholder.size(), percent_encode_segment(model));
}

void forget_written(CallOptions& options) noexcept {
  release(options.headers);
  release(options.without_headers);
  release(options.query);
  release(options.body);
}

Result<HttpRequest> RequestWriter::write(RequestDraft&& draft, const CallOptions& options) const {
  auto& [method, path, body, form] = draft;
  if (!path.starts_with('/')) return invalid("the path of a request begins with a slash");
  HttpRequest request{.method = method ? *std::move(method) : body ? "POST" : "GET", .url = base_.with(path)};
  if (!protocol::is_token(request.method)) return invalid("this method cannot be sent");
  if (auto checked = protocol::check_target(path); !checked) return invalid(checked.error().detail);
  char mark = request.url.find('?') == std::string::npos ? '?' : '&';
  if (!base_.query.empty()) (request.url += std::exchange(mark, '&')) += base_.query;
  for (const auto& [name, value] : options.query) {
    (request.url += std::exchange(mark, '&')) += percent_encode_segment(name);
    (request.url += '=') += percent_encode_segment(value);
  }
  for (const auto& edit : options.body) {
    if (!body) body = "{}";
    if (auto edited = apply(edit, *body); !edited) return std::move(edited).error();
  }
  const auto& key_header = (options.retry ? *options.retry : options_.retry).idempotency_header;
  const std::size_t own_headers = key_header.empty() ? 3 : 4;
  request.headers.reserve(own_headers + options_.headers.size() + options.headers.size());
  if (body) {
    request.body = *std::move(body);
    request.headers.push_back({"Content-Type", "application/json"});
  }
  const auto& streams = options_.provider.stream;
  request.headers.push_back(form == AnswerForm::stream ? Header{streams.accept_header, streams.accept}
                                                       : Header{"Accept", "application/json"});
  request.headers.push_back({"User-Agent", user_agent_});
  protocol::layer_headers(request.headers, options_.headers);
  for (const auto& name : options.without_headers) protocol::remove_header(request.headers, name);
  if (auto checked = protocol::check_headers(options.headers); !checked) return std::move(checked).error();
  protocol::layer_headers(request.headers, options.headers);
  const auto is_key_header = [&key_header](const std::string& name) {
    return ascii::equal_ignoring_case(name, key_header);
  };
  if (!key_header.empty() && !find_header(request.headers, key_header) &&
      std::ranges::none_of(options.without_headers, is_key_header)) {
    request.headers.push_back({key_header, "inferwire-" + random_uuid()});
  }
  return request;
}

/// An error in this request, not in the options that all requests share.
Error RequestWriter::invalid(std::string detail) const {
  return error_of(options_.provider, ErrorKind::invalid_request, std::move(detail));
}

}  // namespace inferwire::inline v0_1::client
