#include "client/http_error.hpp"

#include <charconv>
#include <string>
#include <utility>

#include "protocol/retry_after.hpp"

namespace inferwire::inline v0_1::client {

namespace {

constexpr std::size_t kept_body_bytes = 64u << 10;

/// Codes that say more than the status does (behaviour.md 2.7 and the OpenAI reference). Code beats status.
struct CodeRow {
  std::string_view code;
  ErrorKind kind;
};
constexpr CodeRow code_rows[] = {
    {"insufficient_quota", ErrorKind::quota},
    {"billing_hard_limit_reached", ErrorKind::quota},
    {"context_length_exceeded", ErrorKind::context_length},
    {"exceed_context_size_error", ErrorKind::context_length},
    {"content_filter", ErrorKind::content_filter},
    {"content_policy_violation", ErrorKind::content_filter},
    {"invalid_api_key", ErrorKind::auth},
    {"UNAUTHENTICATED", ErrorKind::auth},
    {"PERMISSION_DENIED", ErrorKind::permission_denied},
    {"RESOURCE_DOES_NOT_EXIST", ErrorKind::not_found},
    {"ENDPOINT_NOT_FOUND", ErrorKind::not_found},
    {"ALREADY_EXISTS", ErrorKind::conflict},
    {"RESOURCE_ALREADY_EXISTS", ErrorKind::conflict},
    {"RESOURCE_CONFLICT", ErrorKind::conflict},
    {"ABORTED", ErrorKind::conflict},
    {"REQUEST_LIMIT_EXCEEDED", ErrorKind::rate_limit},
    {"RESOURCE_EXHAUSTED", ErrorKind::rate_limit},
    {"rate_limit_exceeded", ErrorKind::rate_limit},
    {"TEMPORARILY_UNAVAILABLE", ErrorKind::overloaded},
    {"overloaded_error", ErrorKind::overloaded},
    {"server_error", ErrorKind::server},
    {"INTERNAL_ERROR", ErrorKind::server},
    // SageMaker
    {"ModelStreamError", ErrorKind::failed_dependency},
    {"InternalStreamFailure", ErrorKind::server},
    {"ThrottlingException", ErrorKind::rate_limit},
};

ErrorKind kind_of_status(int status) {
  switch (status) {
    case 401: return ErrorKind::auth;
    case 403: return ErrorKind::permission_denied;
    case 404: return ErrorKind::not_found;
    case 408:
    case 499: return ErrorKind::request_timeout;
    case 409: return ErrorKind::conflict;
    case 413: return ErrorKind::too_large;
    case 422: return ErrorKind::unprocessable;
    case 424: return ErrorKind::failed_dependency;
    case 429: return ErrorKind::rate_limit;
    case 501: return ErrorKind::unsupported;
    case 503:
    case 529: return ErrorKind::overloaded;
    default: return status >= 500 ? ErrorKind::server : ErrorKind::invalid_request;
  }
}

bool mentions(std::string_view text, std::initializer_list<std::string_view> phrases) {
  for (const auto phrase : phrases) {
    if (text.find(phrase) != std::string_view::npos) return true;
  }
  return false;
}

/// The statuses that may pass by themselves (behaviour R1, wire 1.9).
bool passing(int status) {
  if (status == 408 || status == 409 || status == 429) return true;
  return status >= 500 && status != 501 && status != 505 && status != 507 && status != 530;
}

/// The kind that code, type and words say; the status decides what they leave open.
ErrorKind kind_of(int status, const Error& error) {
  for (const auto& row : code_rows) {
    if (error.code == row.code || error.type == row.code) return row.kind;
  }
  if (status == 403 &&
      mentions(error.detail, {"Invalid access token", "Token is expired", "token expired"})) {
    return ErrorKind::auth;  // Databricks says 403 where others say 401
  }
  if (status == 400 || status == 413 || status == 422) {
    if (mentions(error.detail, {"prompt token count", "maximum context length", "Input is too long",
                                "exceeds the limit of tokens", "context window"})) {
      return ErrorKind::context_length;
    }
    if (mentions(error.detail, {"input_guardrail", "content filter", "content management policy"})) {
      return ErrorKind::content_filter;
    }
  }
  return kind_of_status(status);
}

bool retryable(int status, const Error& error) {
  switch (error.kind) {
    case ErrorKind::quota:
    case ErrorKind::auth:
    case ErrorKind::context_length:
    case ErrorKind::content_filter: return false;
    default: return passing(status);
  }
}

void take(Error& error, wire::ErrorFacts facts) {
  error.detail = std::move(facts.message);
  error.code = std::move(facts.code);
  error.type = std::move(facts.type);
  error.param = std::move(facts.param);
  error.original_code = std::move(facts.original_code);
  error.original_status = facts.original_status;
  error.retry_after = facts.retry_delay;
  if (error.request_id.empty()) error.request_id = std::move(facts.request_id);
}

/// "x-should-retry: true|false" beats the table; any other value counts for nothing.
std::optional<bool> should_retry_header(const ResponseHead& head) {
  const auto value = find_header(head.headers, "x-should-retry");
  if (value == "true" || value == "True" || value == "TRUE") return true;
  if (value == "false" || value == "False" || value == "FALSE") return false;
  return std::nullopt;
}

}  // namespace

std::string_view request_id(const ResponseHead& head) {
  for (const auto name : {"x-request-id", "request-id", "x-databricks-request-id", "x-amzn-requestid",
                          "apim-request-id", "cf-ray"}) {
    if (const auto value = find_header(head.headers, name)) return *value;
  }
  return {};
}

Error http_error(const ResponseHead& head, std::string_view body, std::chrono::system_clock::time_point now) {
  Error error{.status = head.status, .request_id = std::string(request_id(head))};
  take(error, wire::read_error_body(body, head.reason));
  error.kind = kind_of(head.status, error);
  error.retryable = should_retry_header(head).value_or(retryable(head.status, error));
  error.body.assign(body.substr(0, kept_body_bytes));
  if (const auto asked = protocol::retry_after(head.headers, now)) error.retry_after = asked;
  return error;
}

Error embedded_error(const ResponseHead& head, wire::ErrorFacts facts) {
  Error error{.status = head.status, .request_id = std::string(request_id(head))};
  take(error, std::move(facts));
  int code = 0;
  std::from_chars(error.code.data(), error.code.data() + error.code.size(), code);
  const int status = code >= 400 && code < 600 ? code : 0;
  error.kind = kind_of(status, error);
  if (status == 0 && error.kind == ErrorKind::invalid_request &&
      error.type.find("invalid") == std::string::npos) {
    error.kind = ErrorKind::server;
  }
  error.retryable = error.kind == ErrorKind::rate_limit || error.kind == ErrorKind::overloaded ||
                    (error.kind == ErrorKind::server && (status == 0 || passing(status)));
  return error;
}

Error exception_error(const ResponseHead& head, std::string_view type, std::string_view body) {
  auto facts = wire::read_error_body(body, {});
  facts.type = type;
  auto error = embedded_error(head, std::move(facts));
  error.kind = ErrorKind::stream_error;
  return error;
}

}  // namespace inferwire::inline v0_1::client
