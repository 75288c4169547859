#include "engine/dialect.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <string_view>

namespace inferwire::inline v0_1::engine {
namespace {

using OrderedJson = nlohmann::ordered_json;

struct DatabricksCode {
  std::string_view ours;
  std::string_view theirs;
};

// Codes seen on the service, and for what has not been seen the name in Databricks' API error list.
constexpr std::array databricks_codes{
    DatabricksCode{"invalid_json", "BAD_REQUEST"},
    DatabricksCode{"unknown_parameter", "BAD_REQUEST"},
    DatabricksCode{"context_length_exceeded", "BAD_REQUEST"},
    DatabricksCode{"unsupported_parameter", "BAD_REQUEST"},
    DatabricksCode{"unsupported_task", "BAD_REQUEST"},
    DatabricksCode{"invalid_api_key", "UNAUTHENTICATED"},
    DatabricksCode{"unknown_url", "ENDPOINT_NOT_FOUND"},
    DatabricksCode{"model_not_found", "ENDPOINT_NOT_FOUND"},
    DatabricksCode{"method_not_allowed", "METHOD_NOT_ALLOWED"},
    DatabricksCode{"unsupported_media_type", "BAD_REQUEST"},
    DatabricksCode{"payload_too_large", "BAD_REQUEST"},
    DatabricksCode{"server_error", "INTERNAL_ERROR"},
};

std::string_view databricks_code(std::string_view code) {
  for (const auto& [ours, theirs] : databricks_codes) {
    if (ours == code) return theirs;
  }
  return "INVALID_PARAMETER_VALUE";
}

}  // namespace

std::string error_body(ErrorForm form, const Refusal& refusal) {
  OrderedJson body;
  if (form == ErrorForm::databricks) {
    body = {{"error_code", databricks_code(refusal.code)}, {"message", refusal.message}};
  } else {
    const auto* type = refusal.status >= 500 ? "server_error" : "invalid_request_error";
    const auto param = refusal.param.empty() ? OrderedJson() : OrderedJson(refusal.param);
    body["error"] = {{"message", refusal.message}, {"type", type}, {"param", param}, {"code", refusal.code}};
  }
  // Messages hold pieces of the request, which need not be UTF-8.
  return body.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace inferwire::inline v0_1::engine
