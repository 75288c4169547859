#include "wire/error_kind.hpp"

#include "base/ascii.hpp"
#include "base/decimal.hpp"
#include "base/previous_response.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace inferwire::inline v0_1::wire {

namespace {

ErrorKind kind_of_status(int status) noexcept {
  switch (status) {
    case 0: return ErrorKind::server;  // nothing tells
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

/// The statuses beside which a row counts: beside others, its words may mean something else, or less than the
/// status. All but `forbidden` contain 0: there is no status.
enum class Beside : std::uint8_t {
  any,
  none,
  bad_request,  ///< 400
  forbidden,    ///< 403
  too_many,     ///< 429
  rejection,    ///< 400, 413, 422, 424
  rejection_or_forbidden,
  rejection_or_500,
  not_413,
  below_500,
  plain_5xx,  ///< one that only says that the server failed
};

bool contains(Beside set, int status) noexcept {
  const bool none = status == 0;
  const bool rejection = none || status == 400 || status == 413 || status == 422 || status == 424;
  switch (set) {
    case Beside::any: return true;
    case Beside::none: return none;
    case Beside::bad_request: return none || status == 400;
    case Beside::forbidden: return status == 403;
    case Beside::too_many: return none || status == 429;
    case Beside::rejection: return rejection;
    case Beside::rejection_or_forbidden: return rejection || status == 403;
    case Beside::rejection_or_500: return rejection || status == 500;
    case Beside::not_413: return status != 413;
    case Beside::below_500: return status < 500;
    case Beside::plain_5xx: return none || kind_of_status(status) == ErrorKind::server;
  }
  return false;
}

/// A code or a phrase of servers, and what it means.
struct Row {
  std::string_view words;
  ErrorKind kind;
  Beside beside{};
};

/// Codes and types that say more than the status, from OpenAI's reference and from answers of services. The
/// first row that counts is taken.
constexpr Row code_rows[] = {
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
    {"1113", ErrorKind::quota, Beside::too_many},          // Z.ai: the balance is insufficient
    {"4006", ErrorKind::quota, Beside::too_many},          // Cloudflare: the daily free allocation is used up
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
    {"invalid_model", ErrorKind::not_found},              // Mistral, by 400
    {"model_not_supported", ErrorKind::not_found},        // GitHub Copilot, by 400
    {"model_not_available", ErrorKind::not_found},        // Together, by 400
    {"model_decommissioned", ErrorKind::not_found},       // Groq, by 400
    {"1211", ErrorKind::not_found, Beside::bad_request},  // Z.ai
    {previous_response_not_found, ErrorKind::not_found},
    {"rate_limit_exceeded", ErrorKind::rate_limit, Beside::not_413},
    {"overloaded", ErrorKind::overloaded},
    {"overloaded_error", ErrorKind::overloaded},
    {"capacity_exceeded", ErrorKind::overloaded},       // Groq
    {"server_error", ErrorKind::server, Beside::none},  // SageMaker names a container's refusal so, too
    // Databricks
    {"UNAUTHENTICATED", ErrorKind::auth},
    {"PERMISSION_DENIED", ErrorKind::permission_denied},
    {"RESOURCE_DOES_NOT_EXIST", ErrorKind::not_found},
    {"ENDPOINT_NOT_FOUND", ErrorKind::not_found},
    {"ALREADY_EXISTS", ErrorKind::conflict},
    {"RESOURCE_ALREADY_EXISTS", ErrorKind::conflict},
    {"RESOURCE_CONFLICT", ErrorKind::conflict},
    {"ABORTED", ErrorKind::conflict},
    {"REQUEST_LIMIT_EXCEEDED", ErrorKind::rate_limit, Beside::not_413},
    {"RESOURCE_EXHAUSTED", ErrorKind::rate_limit, Beside::not_413},
    {"TEMPORARILY_UNAVAILABLE", ErrorKind::overloaded},
    {"DEADLINE_EXCEEDED", ErrorKind::request_timeout},
    {"FEATURE_DISABLED", ErrorKind::not_found, Beside::bad_request},  // 404 and 403 are more precise
    {"INTERNAL_ERROR", ErrorKind::server, Beside::below_500},
    {"DATA_LOSS", ErrorKind::server, Beside::below_500},
    // MiniMax
    {"1001", ErrorKind::request_timeout, Beside::none},
    {"1002", ErrorKind::rate_limit, Beside::none},
    {"1004", ErrorKind::auth, Beside::none},
    {"1008", ErrorKind::quota, Beside::none},           // the balance is insufficient
    {"1026", ErrorKind::content_filter, Beside::none},  // the prompt
    {"1027", ErrorKind::content_filter, Beside::none},  // the answer
    {"1039", ErrorKind::rate_limit, Beside::none},      // tokens, not requests
    {"2049", ErrorKind::auth, Beside::none},
    // SageMaker
    {"ModelStreamError", ErrorKind::failed_dependency},
    {"InternalStreamFailure", ErrorKind::server, Beside::below_500},
    {"ThrottlingException", ErrorKind::rate_limit, Beside::not_413},
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

/// Phrases in servers' messages, in lower case, for errors whose code does not tell the kind.
constexpr Row phrase_rows[] = {
    // A token that is not valid: Databricks, which sends 403 instead of 401.
    {"invalid access token", ErrorKind::auth, Beside::forbidden},
    {"token is expired", ErrorKind::auth, Beside::forbidden},
    {"token expired", ErrorKind::auth, Beside::forbidden},
    // A wrong key: xAI, Gemini.
    {"incorrect api key", ErrorKind::auth, Beside::bad_request},
    {"api key not valid", ErrorKind::auth, Beside::bad_request},
    // A model that does not exist: OpenAI without a code, DeepSeek, OpenRouter, SiliconFlow, xAI, Routeway. A
    // path: LM Studio, with a success status.
    {"invalid model id", ErrorKind::not_found, Beside::bad_request},
    {"model not exist", ErrorKind::not_found, Beside::bad_request},
    {"is not a valid model id", ErrorKind::not_found, Beside::bad_request},
    {"model does not exist", ErrorKind::not_found, Beside::bad_request},
    {"model not found", ErrorKind::not_found, Beside::bad_request},
    {"no model found", ErrorKind::not_found, Beside::bad_request},
    {"unexpected endpoint or method", ErrorKind::not_found, Beside::bad_request},
    // Scaled to zero, and started by this very request: SageMaker. Out of order for a while: NVIDIA.
    {"has no capacity to process this request", ErrorKind::overloaded, Beside::bad_request},
    {"degraded function cannot be invoked", ErrorKind::overloaded, Beside::bad_request},
    // Credit or a budget that is used up: xAI, Claude, SiliconFlow, LiteLLM, Fireworks, OpenRouter.
    {"used all available credits", ErrorKind::quota, Beside::below_500},
    {"run out of credits", ErrorKind::quota, Beside::below_500},
    {"doesn't have any credits", ErrorKind::quota, Beside::below_500},
    {"credit balance is too low", ErrorKind::quota, Beside::below_500},
    {"reached your specified api usage limits", ErrorKind::quota, Beside::below_500},
    {"balance is insufficient", ErrorKind::quota, Beside::below_500},
    {"budget has been exceeded", ErrorKind::quota, Beside::below_500},
    {"reaching the monthly spending limit", ErrorKind::quota, Beside::below_500},
    {"key limit exceeded", ErrorKind::quota, Beside::below_500},
    // A prompt that does not fit: OpenAI, Databricks, vLLM, SGLang, llama.cpp, Ollama, LM Studio, Claude,
    // Gemini, Bedrock, TGI, xAI, Kimi, Groq, DashScope, TensorRT-LLM, LiteLLM, Z.ai, Volcengine, Poolside,
    // Cohere.
    {"context length", ErrorKind::context_length, Beside::rejection},
    {"context window", ErrorKind::context_length, Beside::rejection},
    {"context size", ErrorKind::context_length, Beside::rejection},
    {"contextwindowexceedederror", ErrorKind::context_length, Beside::rejection},
    {"exceed context limit", ErrorKind::context_length, Beside::rejection},
    {"prompt token count", ErrorKind::context_length, Beside::rejection},
    {"maximum prompt length", ErrorKind::context_length, Beside::rejection},
    {"input length", ErrorKind::context_length, Beside::rejection},
    {"prompt exceeds max length", ErrorKind::context_length, Beside::rejection},
    {"more than max tokens allowed", ErrorKind::context_length, Beside::rejection},
    {"too many tokens:", ErrorKind::context_length, Beside::rejection},
    {"exceeds maximum sequence length", ErrorKind::context_length, Beside::rejection},
    {"this model is compiled to take up to", ErrorKind::context_length, Beside::rejection},
    {"input is too long", ErrorKind::context_length, Beside::rejection},
    {"prompt is too long", ErrorKind::context_length, Beside::rejection},
    {"reduce the length of the messages", ErrorKind::context_length, Beside::rejection},
    {"exceeds the limit of tokens", ErrorKind::context_length, Beside::rejection},
    {"exceeded model token limit", ErrorKind::context_length, Beside::rejection},
    {"maximum number of tokens", ErrorKind::context_length, Beside::rejection},
    {"longer than the maximum model length", ErrorKind::context_length, Beside::rejection},
    {"exceeds max_model_len", ErrorKind::context_length, Beside::rejection},
    {"`inputs` must have less than", ErrorKind::context_length, Beside::rejection},
    {"`max_new_tokens` must be <=", ErrorKind::context_length, Beside::rejection},
    // Also a prompt that does not fit, from llama.cpp: the context is used up, or an embedding needs a larger
    // batch.
    {"context size has been exceeded", ErrorKind::context_length, Beside::rejection_or_500},
    {"is too large to process", ErrorKind::context_length, Beside::rejection_or_500},
    // Blocked by a content filter: Databricks, Azure, OpenAI, DashScope, DeepSeek; OpenRouter and xAI with
    // 403.
    {"input_guardrail", ErrorKind::content_filter, Beside::rejection_or_forbidden},
    {"output_guardrail", ErrorKind::content_filter, Beside::rejection_or_forbidden},
    {"content filter", ErrorKind::content_filter, Beside::rejection_or_forbidden},
    {"content management policy", ErrorKind::content_filter, Beside::rejection_or_forbidden},
    {"flagged as potentially", ErrorKind::content_filter, Beside::rejection_or_forbidden},
    {"safety system", ErrorKind::content_filter, Beside::rejection_or_forbidden},
    {"may contain inappropriate content", ErrorKind::content_filter, Beside::rejection_or_forbidden},
    {"content exists risk", ErrorKind::content_filter, Beside::rejection_or_forbidden},
    {"input was flagged", ErrorKind::content_filter, Beside::rejection_or_forbidden},
    {"content violates usage guidelines", ErrorKind::content_filter, Beside::rejection_or_forbidden},
    // Also blocked by a filter: MiniMax.
    {"new_sensitive", ErrorKind::content_filter, Beside::rejection_or_500},
};

/// Codes and types for a bad request, which often have a message that says more.
constexpr Row bad_request_rows[] = {
    // Databricks
    {"BAD_REQUEST", ErrorKind::invalid_request, Beside::plain_5xx},
    {"INVALID_PARAMETER_VALUE", ErrorKind::invalid_request, Beside::plain_5xx},
    {"MALFORMED_REQUEST", ErrorKind::invalid_request, Beside::plain_5xx},
    {"INVALID_STATE", ErrorKind::invalid_request, Beside::plain_5xx},
    // OpenAI, in responses that failed
    {"invalid_request_error", ErrorKind::invalid_request, Beside::none},
    {"invalid_prompt", ErrorKind::invalid_request, Beside::none},
    {"invalid_image", ErrorKind::invalid_request, Beside::none},
    {"invalid_image_format", ErrorKind::invalid_request, Beside::none},
    {"invalid_image_mode", ErrorKind::invalid_request, Beside::none},
    {"invalid_image_url", ErrorKind::invalid_request, Beside::none},
    {"invalid_base64_image", ErrorKind::invalid_request, Beside::none},
    {"image_too_large", ErrorKind::invalid_request, Beside::none},
    {"image_too_small", ErrorKind::invalid_request, Beside::none},
    {"image_parse_error", ErrorKind::invalid_request, Beside::none},
    {"image_file_too_large", ErrorKind::invalid_request, Beside::none},
    {"image_file_not_found", ErrorKind::invalid_request, Beside::none},
    {"empty_image_file", ErrorKind::invalid_request, Beside::none},
    {"unsupported_image_media_type", ErrorKind::invalid_request, Beside::none},
    {"failed_to_download_image", ErrorKind::invalid_request, Beside::none},
    {"data_residency_mismatch", ErrorKind::invalid_request, Beside::none},
    // vLLM, SageMaker, MiniMax
    {"BadRequestError", ErrorKind::invalid_request, Beside::none},
    {"ValidationException", ErrorKind::invalid_request, Beside::none},
    {"ValidationError", ErrorKind::invalid_request, Beside::none},
    {"2013", ErrorKind::invalid_request, Beside::none},
};

/// The kind in the first row that counts beside `status` and whose words match.
template <class Matches>
std::optional<ErrorKind> kind_in(std::span<const Row> rows, int status, Matches matches) {
  for (const Row& row : rows) {
    if (contains(row.beside, status) && matches(row.words)) return row.kind;
  }
  return std::nullopt;
}

/// The kind by code, type and message of `error`; if those do not tell, by `status`. 0: there is no status.
ErrorKind kind_of(int status, const Error& error) {
  // OpenAI and Groq report a request that exceeds a rate limit by itself with 429 or 413: waiting does not
  // help.
  if (error.detail.starts_with("Request too large")) status = 413;
  // DashScope names too many tokens in a minute like missing credit, and only its link tells them apart.
  const bool links_to_limits = error.detail.find("error-code#token-limit") != error.detail.npos;
  if (status == 429 && links_to_limits) return ErrorKind::rate_limit;
  const auto is_code = [&error](std::string_view code) {
    return error.code == code || error.type == code || error.original_code == code;
  };
  const auto is_said = [&error](std::string_view phrase) {
    return ascii::find_ignoring_case(error.detail, phrase) != phrase.npos;
  };
  if (const auto kind = kind_in(code_rows, status, is_code)) return *kind;
  if (const auto kind = kind_in(phrase_rows, status, is_said)) return *kind;
  if (const auto kind = kind_in(bad_request_rows, status, is_code)) return *kind;
  const bool says_invalid = error.type.find("invalid") != error.type.npos;
  return status == 0 && says_invalid ? ErrorKind::invalid_request : kind_of_status(status);
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
    case ErrorKind::server:
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
  judge(error, status_in(error.code), original_status);
}

}  // namespace inferwire::inline v0_1::wire
