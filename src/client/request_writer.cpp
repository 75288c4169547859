#include "client/request_writer.hpp"

#include <utility>

#include "client/chance.hpp"
#include "json/edit.hpp"
#include "protocol/headers.hpp"

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

}  // namespace

Result<HttpRequest> RequestWriter::write(const Route& route, std::string_view model,
                                         std::optional<std::string> body, bool stream,
                                         const CallOptions& options) const {
  if (route.path.empty()) {
    auto error = config("this provider has no such endpoint");
    error.kind = ErrorKind::unsupported;
    return error;
  }
  const auto& path = stream && !route.stream_path.empty() ? route.stream_path : route.path;
  HttpRequest request{.method = body ? "POST" : "GET"};
  request.url.reserve(base_.text.size() + path.size() + base_.query.size() + 1);
  request.url = base_.text;
  // It would become a part of the host's name, and the key would go to another host.
  if (!path.starts_with('/')) return config("the path of an endpoint begins with a slash");
  constexpr std::string_view placeholder = "{model}";
  if (const auto at = path.find(placeholder); at == std::string::npos) {
    request.url += path;
  } else {
    if (model.empty()) {
      auto error = invalid("the request names no model, and the path needs one");
      error.param = "model";
      return error;
    }
    request.url.append(path, 0, at);
    request.url += protocol::percent_encode_segment(model);
    request.url.append(path, at + placeholder.size());
  }
  return complete(std::move(request), std::move(body), stream, options);
}

Result<HttpRequest> RequestWriter::write(std::string_view method, std::string_view path,
                                         std::optional<std::string> body, bool stream,
                                         const CallOptions& options) const {
  if (!protocol::is_token(method)) return invalid("this method cannot be sent");
  if (auto checked = check_path(path); !checked) return std::move(checked).error();
  HttpRequest request{.method = std::string(method), .url = base_.text + std::string(path)};
  return complete(std::move(request), std::move(body), stream, options);
}

Result<void> RequestWriter::check_path(std::string_view path) const {
  if (!path.starts_with('/')) return invalid("the path of a request begins with a slash");
  auto url = protocol::parse_url(base_.text + std::string(path));
  return url ? Result<void>() : invalid(std::move(url).error().detail);
}

/// Adds what the options say, and the headers.
Result<HttpRequest> RequestWriter::complete(HttpRequest request, std::optional<std::string> body, bool stream,
                                            const CallOptions& options) const {
  char mark = request.url.find('?') == std::string::npos ? '?' : '&';
  if (!base_.query.empty()) (request.url += std::exchange(mark, '&')) += base_.query;
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
  if (auto checked = protocol::check_headers(options.headers); !checked) return std::move(checked).error();
  protocol::layer_headers(request.headers, options.headers);
  const auto& key_header = (options.retry ? *options.retry : options_.retry).idempotency_header;
  if (!key_header.empty() && !find_header(request.headers, key_header)) {
    request.headers.push_back({key_header, "inferwire-" + random_uuid()});
  }
  return request;
}

Error RequestWriter::config(std::string detail) const {
  return Error{.kind = ErrorKind::config, .detail = std::move(detail), .provider = options_.provider.name};
}

/// The error of a request, and not of the options, which all requests share.
Error RequestWriter::invalid(std::string detail) const {
  auto error = config(std::move(detail));
  error.kind = ErrorKind::invalid_request;
  return error;
}

}  // namespace inferwire::inline v0_1::client
