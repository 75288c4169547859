#include "wire/error_kind.hpp"

#include "base/ascii.hpp"
#include "base/decimal.hpp"
#include "base/previous_response.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

namespace inferwire::inline v0_1::wire {

namespace {

/// Codes and types that say more than the status, from OpenAI's reference and from answers of services. The
/// code takes precedence.
struct CodeRow {
  std::string_view code;
  ErrorKind kind;
  int status{};  ///< if set, the code counts only with this status or none: it may mean something else
};
constexpr CodeRow code_rows[] = {
    {"insufficient_quota", ErrorKind::quota},
    {"billing_hard_limit_reached", ErrorKind::quota},
    {"billing_not_active", ErrorKind::quota},
    {"exceeded_current_quota_error", ErrorKind::quota},    // Kimi
    {"budget_exceeded", ErrorKind::quota},                 // LiteLLM
    {"Arrearage", ErrorKind::quota},                       // DashScope
    {"AllocationQuota.FreeTierOnly", ErrorKind::quota},    // DashScope
    {"insufficient_user_quota", ErrorKind::quota},         // New API
    {"pre_consume_token_quota_failed", ErrorKind::quota},  // New API
    {"AccountOverdueError", ErrorKind::quota},             // Volcengine
    {"1113", ErrorKind::quota, 429},                       // Z.ai: the balance is insufficient
    {"4006", ErrorKind::quota, 429},                       // Cloudflare: the daily free allocation is used up
    {"context_length_exceeded", ErrorKind::context_length},
    {"exceed_context_size_error", ErrorKind::context_length},
    {"tokens_limit_reached", ErrorKind::context_length},  // GitHub, by 413
    {"content_filter", ErrorKind::content_filter},
    {"content_policy_violation", ErrorKind::content_filter},
    {"data_inspection_failed", ErrorKind::content_filter},    // DashScope
    {"sensitive_words_detected", ErrorKind::content_filter},  // New API, by 500
    {"ResponsibleAIPolicyViolation", ErrorKind::content_filter},
    {"image_content_policy_violation", ErrorKind::content_filter},
    {"bio_policy", ErrorKind::content_filter},
    {"cyber_policy", ErrorKind::content_filter},
    {"misalignment_policy_violation", ErrorKind::content_filter},
    {"invalid_api_key", ErrorKind::auth},
    {"API_KEY_INVALID", ErrorKind::auth},  // Gemini, by 400
    {"model_not_found", ErrorKind::not_found},
    {"invalid_model", ErrorKind::not_found},         // Mistral, by 400
    {"model_not_supported", ErrorKind::not_found},   // GitHub Copilot, by 400
    {"model_not_available", ErrorKind::not_found},   // Together, by 400
    {"model_decommissioned", ErrorKind::not_found},  // Groq, by 400
    {"1211", ErrorKind::not_found, 400},             // Z.ai
    {previous_response_not_found, ErrorKind::not_found},
    {"rate_limit_exceeded", ErrorKind::rate_limit},
    {"overloaded", ErrorKind::overloaded},
    {"overloaded_error", ErrorKind::overloaded},
    {"capacity_exceeded", ErrorKind::overloaded},  // Groq
    {"server_error", ErrorKind::server, 200},      // SageMaker names a container's refusal so, too
    // Databricks
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
    {"TEMPORARILY_UNAVAILABLE", ErrorKind::overloaded},
    {"DEADLINE_EXCEEDED", ErrorKind::request_timeout},
    {"FEATURE_DISABLED", ErrorKind::not_found, 400},  // 404 and 403 are more precise
    {"INTERNAL_ERROR", ErrorKind::server},
    {"DATA_LOSS", ErrorKind::server},
    // MiniMax
    {"1001", ErrorKind::request_timeout, 200},
    {"1002", ErrorKind::rate_limit, 200},
    {"1004", ErrorKind::auth, 200},
    {"1008", ErrorKind::quota, 200},           // the balance is insufficient
    {"1026", ErrorKind::content_filter, 200},  // the prompt
    {"1027", ErrorKind::content_filter, 200},  // the answer
    {"1039", ErrorKind::rate_limit, 200},      // tokens, not requests
    {"2049", ErrorKind::auth, 200},
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
    case 402: return ErrorKind::quota;  // OpenRouter, DeepSeek: no credit left
    case 403: return ErrorKind::permission_denied;
    case 404:
    case 410: return ErrorKind::not_found;  // Azure, NVIDIA: a model that is retired
    case 407: return ErrorKind::config;     // a proxy requires NetworkOptions::proxy_user
    case 408:
    case 499: return ErrorKind::request_timeout;
    case 409: return ErrorKind::conflict;
    case 413: return ErrorKind::too_large;
    case 422: return ErrorKind::unprocessable;
    case 424: return ErrorKind::failed_dependency;
    case 429: return ErrorKind::rate_limit;
    case 501: return ErrorKind::unsupported;
    case 498:  // Groq: its flex tier is full
    case 503:
    case 529: return ErrorKind::overloaded;
    default: return status >= 500 ? ErrorKind::server : ErrorKind::invalid_request;
  }
}

/// Codes of Databricks for a bad request.
constexpr std::string_view databricks_bad_requests[] = {"BAD_REQUEST", "INVALID_PARAMETER_VALUE",
                                                        "MALFORMED_REQUEST", "INVALID_STATE"};
/// Codes of OpenAI for a bad request, in responses that failed.
constexpr std::string_view openai_bad_requests[] = {
    "invalid_request_error",
    "invalid_prompt",
    "invalid_image",
    "invalid_image_format",
    "invalid_image_mode",
    "invalid_image_url",
    "invalid_base64_image",
    "image_too_large",
    "image_too_small",
    "image_parse_error",
    "image_file_too_large",
    "image_file_not_found",
    "empty_image_file",
    "unsupported_image_media_type",
    "failed_to_download_image",
    "data_residency_mismatch",
};
/// Codes and types for a bad request from other servers that do not give the status: vLLM, SageMaker,
/// MiniMax.
constexpr std::string_view bad_requests[] = {"BadRequestError", "ValidationException", "ValidationError",
                                             "2013"};

// The statuses with which phrases in the message count. 0: there was no status.
bool is_rejection(int status) noexcept {
  return status == 0 || status == 400 || status == 413 || status == 422 || status == 424;
}
bool is_bad_request(int status) noexcept { return status == 0 || status == 400; }
bool is_forbidden(int status) noexcept { return status == 403; }
bool is_rejection_or_forbidden(int status) noexcept { return is_rejection(status) || is_forbidden(status); }
bool is_rejection_or_500(int status) noexcept { return is_rejection(status) || status == 500; }
bool is_below_500(int status) noexcept { return status < 500; }

// Phrases in servers' messages, in lower case, for errors whose code and status do not tell the kind; with
// the servers that send them.

/// An invalid token: Databricks, which sends 403 instead of 401.
constexpr std::string_view bad_token[] = {"invalid access token", "token is expired", "token expired"};
/// A wrong key: xAI, Gemini.
constexpr std::string_view bad_key[] = {"incorrect api key", "api key not valid"};
/// A model that does not exist: OpenAI without a code, DeepSeek, OpenRouter, SiliconFlow, xAI, Routeway. A
/// path: LM Studio, with a success status.
constexpr std::string_view not_there[] = {
    "invalid model id", "model not exist", "is not a valid model id",       "model does not exist",
    "model not found",  "no model found",  "unexpected endpoint or method",
};
/// Credit or a budget that is used up: xAI, Claude, SiliconFlow, LiteLLM, Fireworks, OpenRouter.
constexpr std::string_view no_credit[] = {
    "used all available credits",
    "run out of credits",
    "doesn't have any credits",
    "credit balance is too low",
    "reached your specified api usage limits",
    "balance is insufficient",
    "budget has been exceeded",
    "reaching the monthly spending limit",
    "key limit exceeded",
};
/// A prompt that does not fit: OpenAI, Databricks, vLLM, SGLang, llama.cpp, Ollama, LM Studio, Claude,
/// Gemini, Bedrock, TGI, xAI, Kimi, Groq, DashScope, TensorRT-LLM, LiteLLM, Z.ai, Volcengine, Poolside,
/// Cohere.
constexpr std::string_view too_long[] = {
    "context length",
    "context window",
    "context size",
    "contextwindowexceedederror",
    "exceed context limit",
    "prompt token count",
    "maximum prompt length",
    "input length",
    "prompt exceeds max length",
    "more than max tokens allowed",
    "too many tokens:",
    "exceeds maximum sequence length",
    "this model is compiled to take up to",
    "input is too long",
    "prompt is too long",
    "reduce the length of the messages",
    "exceeds the limit of tokens",
    "exceeded model token limit",
    "maximum number of tokens",
    "longer than the maximum model length",
    "exceeds max_model_len",
    "`inputs` must have less than",
    "`max_new_tokens` must be <=",
};
/// Also a prompt that does not fit, from llama.cpp with 500: the context is used up, or an embedding needs a
/// larger batch.
constexpr std::string_view too_long_by_500[] = {"context size has been exceeded", "is too large to process"};
/// Scaled to zero, and started by this very request: SageMaker. Out of order for a while: NVIDIA.
constexpr std::string_view no_capacity[] = {"has no capacity to process this request",
                                            "degraded function cannot be invoked"};
/// Blocked by a content filter: Databricks, Azure, OpenAI, DashScope, DeepSeek; OpenRouter and xAI with 403.
constexpr std::string_view filtered[] = {
    "input_guardrail",
    "output_guardrail",
    "content filter",
    "content management policy",
    "flagged as potentially",
    "safety system",
    "may contain inappropriate content",
    "content exists risk",
    "input was flagged",
    "content violates usage guidelines",
};
/// Also blocked by a filter: MiniMax, with 500 as well.
constexpr std::string_view filtered_by_500[] = {"new_sensitive"};

/// Phrases in servers' messages, what they mean, and with which statuses they count.
struct PhrasesRow {
  std::span<const std::string_view> phrases;
  ErrorKind kind;
  bool (*counts_beside)(int status) noexcept;
};
constexpr PhrasesRow phrases_rows[] = {
    {bad_token, ErrorKind::auth, is_forbidden},
    {bad_key, ErrorKind::auth, is_bad_request},
    {not_there, ErrorKind::not_found, is_bad_request},
    {no_capacity, ErrorKind::overloaded, is_bad_request},
    {no_credit, ErrorKind::quota, is_below_500},
    {too_long, ErrorKind::context_length, is_rejection},
    {too_long_by_500, ErrorKind::context_length, is_rejection_or_500},
    {filtered, ErrorKind::content_filter, is_rejection_or_forbidden},
    {filtered_by_500, ErrorKind::content_filter, is_rejection_or_500},
};

/// Whether `text` contains one of `phrases`, case-insensitively.
bool mentions(std::string_view text, std::span<const std::string_view> phrases) {
  return std::ranges::any_of(phrases, [text](std::string_view phrase) {
    return ascii::find_ignoring_case(text, phrase) != text.npos;
  });
}

/// The kind by code, type and message of `error`; if those do not tell, by `status`. 0: there was no status.
ErrorKind kind_of(int status, const Error& error) {
  // OpenAI and Groq report a request that exceeds a rate limit by itself with 429 or 413: waiting does not
  // help.
  if (error.detail.starts_with("Request too large")) status = 413;
  // DashScope names too many tokens in a minute like missing credit, and only its link tells them apart.
  const bool links_to_limits = error.detail.find("error-code#token-limit") != error.detail.npos;
  if (status == 429 && links_to_limits) return ErrorKind::rate_limit;
  for (const auto& row : code_rows) {
    // A status of 500 or more also says that the server failed, and more precisely: 503 is not 500.
    if (row.kind == ErrorKind::server && status >= 500) continue;
    if (row.kind == ErrorKind::rate_limit && status == 413) continue;
    if (row.status != 0 && status != 0 && status != row.status) continue;
    if (error.code == row.code || error.type == row.code || error.original_code == row.code) return row.kind;
  }
  for (const PhrasesRow& row : phrases_rows) {
    if (row.counts_beside(status) && mentions(error.detail, row.phrases)) return row.kind;
  }
  const auto kind = kind_of_status(status);
  // A status that only says that the server failed is less precise than Databricks' code.
  const bool refused =
      std::ranges::find(databricks_bad_requests, error.code) != std::end(databricks_bad_requests);
  return refused && kind == ErrorKind::server ? ErrorKind::invalid_request : kind;
}

/// Whether code or type mean the same as status 400.
bool says_bad_request(const Error& error) noexcept {
  const auto same = [&error](std::string_view name) { return error.code == name || error.type == name; };
  return std::ranges::any_of(databricks_bad_requests, same) || std::ranges::any_of(bad_requests, same) ||
         std::ranges::any_of(openai_bad_requests, same) || error.type.find("invalid") != error.type.npos;
}

/// Whether an error with this status may go away by itself.
bool is_passing(int status) noexcept {
  if (status == 408 || status == 409 || status == 429) return true;
  return status >= 500 && status != 501 && status != 505 && status != 507 && status != 530;
}

/// Whether a request that failed with this error, whose kind is known, may be retried.
bool is_retryable(int status, const Error& error) noexcept {
  switch (error.kind) {
    case ErrorKind::quota:
    case ErrorKind::auth:
    case ErrorKind::permission_denied:
    case ErrorKind::too_large:
    case ErrorKind::context_length:
    case ErrorKind::content_filter: return false;
    case ErrorKind::rate_limit:
    case ErrorKind::overloaded: return true;  // whatever the status: SageMaker throttles with 400
    case ErrorKind::request_timeout: return status == 0 || is_passing(status);  // MiniMax gives no status
    default: return is_passing(status);
  }
}

/// The number in `text` if it is an HTTP error status; else 0.
int status_in(std::string_view text) noexcept {
  const int status = parse_integer<int>(text).value_or(0);
  return status >= 400 && status < 600 ? status : 0;
}

/// The status that determines kind and retries: a server in front of another reports the other's status.
int telling_status(int status, std::optional<int> original, std::string_view original_code) noexcept {
  constexpr int timed_out = 408;
  if (original == 0) status = timed_out;  // the container did not answer SageMaker in time
  if (original && *original >= 400) status = *original;
  // vLLM refuses a request with 400, and LMI in front of it answers 500.
  const int inner = status_in(original_code);
  return status >= 500 && inner >= 400 && inner < 500 ? inner : status;
}

}  // namespace

void judge(Error& error, int status, std::optional<int> original_status) {
  status = telling_status(status, original_status, error.original_code);
  error.kind = kind_of(status, error);
  error.retryable = is_retryable(status, error);
}

void judge_embedded(Error& error, std::optional<int> original_status) {
  const int status = telling_status(status_in(error.code), original_status, error.original_code);
  error.kind = kind_of(status, error);
  const bool untold = status == 0 && error.kind == ErrorKind::invalid_request;
  if (untold && !says_bad_request(error)) error.kind = ErrorKind::server;
  error.retryable = is_retryable(status, error) || (error.kind == ErrorKind::server && status == 0);
}

}  // namespace inferwire::inline v0_1::wire
