#include "client/call/error_kind.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include "base/ascii.hpp"

namespace inferwire::inline v0_1::client {

namespace {

/// Codes that say more than the status does (behaviour.md 2.7 and the OpenAI reference). Code beats status.
struct CodeRow {
  std::string_view code;
  ErrorKind kind;
  int status{};  ///< a number means something else beside another status: it counts beside this one, or none
};
constexpr CodeRow code_rows[] = {
    {"insufficient_quota", ErrorKind::quota},
    {"billing_hard_limit_reached", ErrorKind::quota},
    {"billing_not_active", ErrorKind::quota},
    {"exceeded_current_quota_error", ErrorKind::quota},  // Kimi
    {"1113", ErrorKind::quota, 429},                     // Z.ai: the balance is insufficient
    {"4006", ErrorKind::quota, 429},                     // Cloudflare: what is free for the day is used up
    {"1008", ErrorKind::quota, 200},                     // MiniMax: the balance is insufficient
    {"1004", ErrorKind::auth, 200},                      // MiniMax
    {"context_length_exceeded", ErrorKind::context_length},
    {"exceed_context_size_error", ErrorKind::context_length},
    {"content_filter", ErrorKind::content_filter},
    {"content_policy_violation", ErrorKind::content_filter},
    {"invalid_api_key", ErrorKind::auth},
    {"API_KEY_INVALID", ErrorKind::auth},  // Gemini, by 400
    {"model_not_found", ErrorKind::not_found},
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
    {"overloaded", ErrorKind::overloaded},
    {"overloaded_error", ErrorKind::overloaded},
    {"server_error", ErrorKind::server},
    {"INTERNAL_ERROR", ErrorKind::server},
    {"ResponsibleAIPolicyViolation", ErrorKind::content_filter},
    // SageMaker
    {"ModelStreamError", ErrorKind::failed_dependency},
    {"InternalStreamFailure", ErrorKind::server},
    {"ThrottlingException", ErrorKind::rate_limit},
    {"ModelNotReadyException", ErrorKind::overloaded},
    {"AccessDeniedException", ErrorKind::permission_denied},
    {"InvalidSignatureException", ErrorKind::auth},
    {"IncompleteSignature", ErrorKind::auth},
    {"IncompleteSignatureException", ErrorKind::auth},
    {"MissingAuthenticationToken", ErrorKind::auth},
    {"MissingAuthenticationTokenException", ErrorKind::auth},
    {"UnrecognizedClientException", ErrorKind::auth},
    {"ExpiredTokenException", ErrorKind::auth},
    // LMI
    {"WlmCapacityException", ErrorKind::overloaded},
};

ErrorKind kind_of_status(int status) noexcept {
  switch (status) {
    case 401: return ErrorKind::auth;
    case 402: return ErrorKind::quota;  // OpenRouter, DeepSeek: no credit is left
    case 403: return ErrorKind::permission_denied;
    case 404: return ErrorKind::not_found;
    case 407: return ErrorKind::config;  // a proxy wants NetworkOptions::proxy_user
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

/// How servers name a request that is wrong, where they do not tell the status: Databricks, vLLM, SageMaker.
constexpr std::string_view bad_requests[] = {
    "BAD_REQUEST",     "INVALID_PARAMETER_VALUE", "MALFORMED_REQUEST", "INVALID_STATE",
    "BadRequestError", "ValidationException",     "ValidationError",
};

/// What servers say of a prompt that does not fit, in lower case: OpenAI, Databricks, vLLM, SGLang,
/// llama.cpp, Ollama, LM Studio, Claude, Gemini, Bedrock, TGI, xAI, Kimi, Groq, DashScope.
constexpr std::string_view too_long[] = {
    "context length",
    "context window",
    "prompt token count",
    "maximum prompt length",
    "input is too long",
    "prompt is too long",
    "range of input length",
    "reduce the length of the messages",
    "exceeds the limit of tokens",
    "exceeded model token limit",
    "maximum number of tokens",
    "longer than the maximum model length",
    "exceeds the maximum allowed length",
    "exceeds max_model_len",
    "exceed context size",
    "exceeds the available context size",
    "`inputs` must have less than",
    "`max_new_tokens` must be <=",
};
constexpr std::string_view filtered[] = {
    "input_guardrail",           "output_guardrail",       "content filter",
    "content management policy", "flagged as potentially", "safety system",
};

/// What servers say where no credit is left, in lower case: xAI, Claude, SiliconFlow.
constexpr std::string_view no_credit[] = {"used all available credits", "credit balance is too low",
                                          "balance is insufficient"};
/// What servers say of a wrong key by 400, in lower case: xAI, Gemini.
constexpr std::string_view bad_key[] = {"incorrect api key", "api key not valid"};

/// Whether `text`, in any case, holds one of `phrases`.
bool mentions(std::string_view text, std::span<const std::string_view> phrases) {
  return std::ranges::any_of(phrases, [text](std::string_view phrase) {
    return ascii::find_ignoring_case(text, phrase) != text.npos;
  });
}

/// Whether the words of an answer may tell what was wrong with the request.
bool may_blame_request(int status) noexcept {
  return status == 0 || status == 400 || status == 413 || status == 422 || status == 424;
}

}  // namespace

ErrorKind kind_of(int status, const Error& error) {
  // OpenAI and Groq count what is too large against a limit of rates, by 429 or 413: no wait makes it
  // smaller.
  if (error.detail.starts_with("Request too large")) status = 413;
  for (const auto& row : code_rows) {
    // Such a status says as well that the server failed, and in which way: 503 is not 500.
    if (row.kind == ErrorKind::server && status >= 500) continue;
    if (row.kind == ErrorKind::rate_limit && status == 413) continue;
    if (row.status != 0 && status != 0 && status != row.status) continue;
    if (error.code == row.code || error.type == row.code || error.original_code == row.code) return row.kind;
  }
  constexpr std::string_view bad_token[] = {"invalid access token", "token is expired", "token expired"};
  if (status == 403 && mentions(error.detail, bad_token)) {
    return ErrorKind::auth;  // Databricks says 403 where others say 401
  }
  if (status == 400 && mentions(error.detail, bad_key)) return ErrorKind::auth;
  constexpr std::string_view no_model[] = {"invalid model id"};  // OpenAI, by 400 without a code
  if (status == 400 && mentions(error.detail, no_model)) return ErrorKind::not_found;
  if (status < 500 && mentions(error.detail, no_credit)) return ErrorKind::quota;
  if (may_blame_request(status)) {
    if (mentions(error.detail, too_long)) return ErrorKind::context_length;
    if (mentions(error.detail, filtered)) return ErrorKind::content_filter;
  }
  return kind_of_status(status);
}

bool says_bad_request(const Error& error) noexcept {
  const auto same = [&error](std::string_view name) { return error.code == name || error.type == name; };
  return std::ranges::any_of(bad_requests, same) || error.type.find("invalid") != error.type.npos;
}

bool is_passing(int status) noexcept {
  if (status == 408 || status == 409 || status == 429) return true;
  return status >= 500 && status != 501 && status != 505 && status != 507 && status != 530;
}

bool is_retryable(int status, const Error& error) noexcept {
  switch (error.kind) {
    case ErrorKind::quota:
    case ErrorKind::auth:
    case ErrorKind::permission_denied:
    case ErrorKind::too_large:
    case ErrorKind::context_length:
    case ErrorKind::content_filter: return false;
    case ErrorKind::rate_limit:
    case ErrorKind::overloaded: return true;  // SageMaker throttles with status 400, too
    default: return is_passing(status);
  }
}

}  // namespace inferwire::inline v0_1::client
