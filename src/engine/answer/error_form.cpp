#include "engine/answer/error_form.hpp"

#include "engine/json_text.hpp"

#include <span>
#include <string_view>

namespace inferwire::inline v0_1::engine {
namespace {

struct Code {
  std::string_view ours;
  std::string_view theirs;
};

// Codes seen on the service; for errors that were not seen, the name in Databricks' API error list.
constexpr Code databricks_codes[]{
    {"invalid_json", "BAD_REQUEST"},
    {"unknown_parameter", "BAD_REQUEST"},
    {"context_length_exceeded", "BAD_REQUEST"},
    {"unsupported_parameter", "BAD_REQUEST"},
    {"unsupported_task", "BAD_REQUEST"},
    {"missing_api_key", "UNAUTHENTICATED"},
    {"permission_denied", "PERMISSION_DENIED"},
    {"unknown_url", "ENDPOINT_NOT_FOUND"},
    {"model_not_found", "ENDPOINT_NOT_FOUND"},
    {"endpoint_not_found", "RESOURCE_DOES_NOT_EXIST"},
    {"endpoint_exists", "RESOURCE_ALREADY_EXISTS"},
    {"method_not_allowed", "METHOD_NOT_ALLOWED"},
    {"unsupported_media_type", "BAD_REQUEST"},
    {"payload_too_large", "BAD_REQUEST"},
    {"rate_limit_exceeded", "REQUEST_LIMIT_EXCEEDED"},
    {"overloaded", "TEMPORARILY_UNAVAILABLE"},
    {"timeout", "DEADLINE_EXCEEDED"},
    {"server_error", "INTERNAL_ERROR"},
};

// The names of DJL Serving's exceptions.
constexpr Code lmi_types[]{
    {"unknown_url", "ResourceNotFoundException"},
    {"model_not_found", "ModelNotFoundException"},
    {"method_not_allowed", "MethodNotAllowedException"},
    {"rate_limit_exceeded", "WlmCapacityException"},
    {"overloaded", "WlmCapacityException"},
    {"timeout", "InternalServerException"},
    {"server_error", "InternalServerException"},
};

constexpr Code sagemaker_types[]{
    {"missing_api_key", "MissingAuthenticationTokenException"},
    {"invalid_api_key", "InvalidSignatureException"},
    {"permission_denied", "AccessDeniedException"},
    {"unknown_url", "UnknownOperationException"},
    {"rate_limit_exceeded", "ThrottlingException"},
    {"overloaded", "ServiceUnavailable"},
    {"timeout", "InternalFailure"},
    {"server_error", "InternalFailure"},
};

std::string_view find(std::span<const Code> codes, std::string_view code, std::string_view otherwise) {
  for (const auto& [ours, theirs] : codes) {
    if (ours == code) return theirs;
  }
  return otherwise;
}

bool is_wrong_key(const Refusal& refusal) { return refusal.code == "invalid_api_key"; }

OrderedJson openai_body(const Refusal& refusal) {
  const auto* type = refusal.status >= 500   ? "server_error"
                     : refusal.status == 429 ? "requests"
                                             : "invalid_request_error";
  const auto or_null = [](std::string_view text) { return text.empty() ? OrderedJson() : OrderedJson(text); };
  return {{"error",
           {{"message", refusal.message},
            {"type", type},
            {"param", or_null(refusal.param)},
            {"code", or_null(refusal.code)}}}};
}

OrderedJson databricks_body(const Refusal& refusal) {
  // The service was seen to send a number as the code, and this message.
  if (is_wrong_key(refusal)) return {{"error_code", 403}, {"message", "Invalid access token."}};
  const auto code = find(databricks_codes, refusal.code, "INVALID_PARAMETER_VALUE");
  return {{"error_code", code}, {"message", refusal.message}};
}

OrderedJson fastapi_body(const Refusal& refusal) {
  if (refusal.status != 400) return {{"detail", refusal.message}};
  auto place = OrderedJson::array({"body"});
  if (!refusal.param.empty()) place.push_back(refusal.param);
  return {
      {"detail", OrderedJson::array({{{"type", refusal.code}, {"loc", place}, {"msg", refusal.message}}})}};
}

}  // namespace

int error_status(ErrorForm form, const Refusal& refusal) {
  if (form == ErrorForm::fastapi && refusal.status == 400) return 422;
  if (form == ErrorForm::databricks && is_wrong_key(refusal)) return 403;
  if (form != ErrorForm::sagemaker) return refusal.status;
  if (refusal.status == 401) return 403;
  return refusal.code == "model_not_found" ? 400 : refusal.status;
}

std::vector<Header> error_headers(ErrorForm form, const Refusal& refusal) {
  std::vector<Header> headers;
  if (!refusal.allow.empty()) headers.push_back({"allow", refusal.allow});
  if (!refusal.retry_after.empty()) headers.push_back({"retry-after", refusal.retry_after});
  if (error_status(form, refusal) == 401) headers.push_back({"www-authenticate", "Bearer"});
  if (form == ErrorForm::sagemaker) {
    headers.push_back(
        {"x-amzn-ErrorType", std::string(find(sagemaker_types, refusal.code, "ValidationError"))});
  }
  return headers;
}

std::string error_body(ErrorForm form, const Refusal& refusal) {
  OrderedJson body;
  switch (form) {
    case ErrorForm::openai: body = openai_body(refusal); break;
    case ErrorForm::databricks: body = databricks_body(refusal); break;
    case ErrorForm::fastapi: body = fastapi_body(refusal); break;
    case ErrorForm::lmi:
      body = {{"code", refusal.status},
              {"type", find(lmi_types, refusal.code, "BadRequestException")},
              {"message", refusal.message}};
      break;
    case ErrorForm::sagemaker: body = {{"message", refusal.message}}; break;
  }
  return print(body);
}

}  // namespace inferwire::inline v0_1::engine
