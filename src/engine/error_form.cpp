#include "engine/error_form.hpp"

#include "base/previous_response.hpp"
#include "engine/json_text.hpp"

namespace inferwire::inline v0_1::engine {
namespace {

/// The names of a cause.
struct CauseNames {
  std::string_view openai{};                               ///< empty: it has none
  std::string_view databricks{"INVALID_PARAMETER_VALUE"};  ///< seen on the service, or from its error list
  std::string_view lmi{"BadRequestException"};             ///< an exception of DJL Serving
  std::string_view sagemaker{"ValidationError"};
};

constexpr CauseNames names_of(Cause cause) {
  switch (cause) {
    case Cause::unnamed: break;
    case Cause::invalid_json: return {"invalid_json", "BAD_REQUEST"};
    case Cause::missing_required_parameter: return {"missing_required_parameter"};
    case Cause::invalid_type: return {"invalid_type"};
    case Cause::invalid_value: return {"invalid_value"};
    case Cause::unsupported_parameter: return {"unsupported_parameter", "BAD_REQUEST"};
    case Cause::unknown_parameter: return {"unknown_parameter", "BAD_REQUEST"};
    case Cause::context_length_exceeded: return {"context_length_exceeded", "BAD_REQUEST"};
    case Cause::invalid_json_schema: return {"invalid_json_schema"};
    case Cause::invalid_function_parameters: return {"invalid_function_parameters"};
    case Cause::unsupported_task: return {"unsupported_task", "BAD_REQUEST"};
    case Cause::missing_api_key:
      return {.openai = "missing_api_key",
              .databricks = "UNAUTHENTICATED",
              .sagemaker = "MissingAuthenticationTokenException"};
    case Cause::invalid_api_key:
      return {.openai = "invalid_api_key", .sagemaker = "InvalidSignatureException"};
    case Cause::permission_denied:
      return {.openai = "permission_denied",
              .databricks = "PERMISSION_DENIED",
              .sagemaker = "AccessDeniedException"};
    case Cause::unknown_url:
      return {"unknown_url", "ENDPOINT_NOT_FOUND", "ResourceNotFoundException", "UnknownOperationException"};
    case Cause::model_not_found: return {"model_not_found", "ENDPOINT_NOT_FOUND", "ModelNotFoundException"};
    case Cause::previous_response_not_found: return {previous_response_not_found};
    case Cause::endpoint_not_found: return {"endpoint_not_found", "RESOURCE_DOES_NOT_EXIST"};
    case Cause::endpoint_exists: return {"endpoint_exists", "RESOURCE_ALREADY_EXISTS"};
    case Cause::method_not_allowed:
      return {"method_not_allowed", "METHOD_NOT_ALLOWED", "MethodNotAllowedException"};
    case Cause::unsupported_media_type: return {"unsupported_media_type", "BAD_REQUEST"};
    case Cause::payload_too_large: return {"payload_too_large", "BAD_REQUEST"};
    case Cause::rate_limit_exceeded:
      return {"rate_limit_exceeded", "REQUEST_LIMIT_EXCEEDED", "WlmCapacityException", "ThrottlingException"};
    case Cause::overloaded:
      return {"overloaded", "TEMPORARILY_UNAVAILABLE", "WlmCapacityException", "ServiceUnavailable"};
    case Cause::timeout:
      return {"timeout", "DEADLINE_EXCEEDED", "InternalServerException", "InternalFailure"};
    case Cause::server_error:
      return {"server_error", "INTERNAL_ERROR", "InternalServerException", "InternalFailure"};
    case Cause::unscripted: return {"unscripted"};
    case Cause::unrecorded: return {"unrecorded"};
    case Cause::plain_http_key: return {"plain_http_key"};
  }
  return {};
}

OrderedJson openai_body(const Refusal& refusal) {
  const auto* type = refusal.status >= 500   ? "server_error"
                     : refusal.status == 429 ? "requests"
                                             : "invalid_request_error";
  const auto or_null = [](std::string_view text) { return text.empty() ? OrderedJson() : OrderedJson(text); };
  return {{"error",
           {{"message", refusal.message},
            {"type", type},
            {"param", or_null(refusal.param)},
            {"code", or_null(code_of(refusal.cause))}}}};
}

OrderedJson databricks_body(const Refusal& refusal) {
  // The service was seen to send a number as the code, and this message.
  if (refusal.cause == Cause::invalid_api_key)
    return {{"error_code", 403}, {"message", "Invalid access token."}};
  return {{"error_code", names_of(refusal.cause).databricks}, {"message", refusal.message}};
}

OrderedJson fastapi_body(const Refusal& refusal) {
  if (refusal.status != 400) return {{"detail", refusal.message}};
  auto place = OrderedJson::array({"body"});
  if (!refusal.param.empty()) place.push_back(refusal.param);
  const auto type = code_of(refusal.cause);
  return {{"detail", OrderedJson::array({{{"type", type}, {"loc", place}, {"msg", refusal.message}}})}};
}

}  // namespace

std::string_view code_of(Cause cause) { return names_of(cause).openai; }

int error_status(ErrorForm form, const Refusal& refusal) {
  if (form == ErrorForm::fastapi && refusal.status == 400) return 422;
  if (form == ErrorForm::databricks && refusal.cause == Cause::invalid_api_key) return 403;
  if (form != ErrorForm::sagemaker) return refusal.status;
  if (refusal.status == 401) return 403;
  return refusal.cause == Cause::model_not_found ? 400 : refusal.status;
}

std::vector<Header> error_headers(ErrorForm form, const Refusal& refusal) {
  std::vector<Header> headers;
  if (!refusal.allow.empty()) headers.push_back({"allow", refusal.allow});
  if (!refusal.retry_after.empty()) headers.push_back({"retry-after", refusal.retry_after});
  if (error_status(form, refusal) == 401) headers.push_back({"www-authenticate", "Bearer"});
  if (form == ErrorForm::sagemaker) {
    headers.push_back({"x-amzn-ErrorType", std::string(names_of(refusal.cause).sagemaker)});
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
      body = {{"code", refusal.status}, {"type", names_of(refusal.cause).lmi}, {"message", refusal.message}};
      break;
    case ErrorForm::sagemaker: body = {{"message", refusal.message}}; break;
  }
  return print(body);
}

}  // namespace inferwire::inline v0_1::engine
