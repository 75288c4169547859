#include "inferwire/error.hpp"

#include "base/controls.hpp"
#include "inferwire/version.hpp"

namespace inferwire::inline v0_1 {

std::string_view version() noexcept { return INFERWIRE_VERSION_STRING; }

#if defined(__GNUC__) && !defined(_WIN32)
#if defined(_GLIBCXX_DEBUG)
const char detail::library_built_with_glibcxx_debug{};
#else
const char detail::library_built_without_glibcxx_debug{};
#endif
#endif

std::string_view name(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::config: return "config";
    case ErrorKind::auth: return "auth";
    case ErrorKind::invalid_request: return "invalid_request";
    case ErrorKind::permission_denied: return "permission_denied";
    case ErrorKind::not_found: return "not_found";
    case ErrorKind::conflict: return "conflict";
    case ErrorKind::request_timeout: return "request_timeout";
    case ErrorKind::too_large: return "too_large";
    case ErrorKind::unprocessable: return "unprocessable";
    case ErrorKind::failed_dependency: return "failed_dependency";
    case ErrorKind::rate_limit: return "rate_limit";
    case ErrorKind::quota: return "quota";
    case ErrorKind::server: return "server";
    case ErrorKind::overloaded: return "overloaded";
    case ErrorKind::connection: return "connection";
    case ErrorKind::tls: return "tls";
    case ErrorKind::timeout: return "timeout";
    case ErrorKind::cancelled: return "cancelled";
    case ErrorKind::decode: return "decode";
    case ErrorKind::truncated: return "truncated";
    case ErrorKind::stream_error: return "stream_error";
    case ErrorKind::response_failed: return "response_failed";
    case ErrorKind::context_length: return "context_length";
    case ErrorKind::content_filter: return "content_filter";
    case ErrorKind::length: return "length";
    case ErrorKind::refusal: return "refusal";
    case ErrorKind::schema: return "schema";
    case ErrorKind::tool: return "tool";
    case ErrorKind::unsupported: return "unsupported";
  }
  return "unknown";
}

std::string_view name(ErrorCause cause) noexcept {
  switch (cause) {
    case ErrorCause::none: return "";
    case ErrorCause::unresolved: return "unresolved";
    case ErrorCause::unreachable: return "unreachable";
    case ErrorCause::refused: return "refused";
    case ErrorCause::broken: return "broken";
    case ErrorCause::certificate: return "certificate";
  }
  return "";
}

namespace {

/// Whether a wrong address can cause such an error.
bool is_of_address(ErrorKind kind) noexcept {
  return kind == ErrorKind::not_found || kind == ErrorKind::decode || kind == ErrorKind::unsupported;
}

}  // namespace

std::string Error::message() const {
  std::string out(name(kind));
  auto add = [&out](std::string_view before, std::string_view fact) {
    if (!fact.empty()) (out += before) += fact;
  };
  if (!timer.empty()) (out += " (") += timer + ")";
  add(" from ", provider);
  if (is_of_address(kind)) add(" at ", url);
  if (status != 0) add(": HTTP ", std::to_string(status));
  add(status != 0 ? ", code " : ": code ", code);
  add(": ", path);
  add(": ", detail);
  add(", parameter ", param);
  add(", request id ", request_id);
  if (attempts.size() > 1) (out += ", after ") += std::to_string(attempts.size()) + " attempts";
  // Text from a server must not look like further log lines.
  return utf8::one_line(out);
}

bool operator==(const Attempt&, const Attempt&) = default;
bool operator==(const Error&, const Error&) = default;

}  // namespace inferwire::inline v0_1
