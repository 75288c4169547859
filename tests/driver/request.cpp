#include "driver/operations.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/models.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "json/codec.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace inferwire_driver {

using nlohmann::json;

namespace {

struct Way {
  inferwire::Provider provider;
  std::string base_url;
  std::string model;
};

bool ends_with(const std::string& text, std::string_view end) {
  return std::string_view(text).ends_with(end);
}

/// The end of an endpoint's path, where the endpoint's name is not part of the path.
std::string_view tail_of(const std::string& endpoint) {
  if (endpoint == "chat") return "/chat/completions";
  if (endpoint == "completions") return "/completions";
  if (endpoint == "embeddings") return "/embeddings";
  if (endpoint == "models") return "/models";
  if (endpoint == "responses") return "/responses";
  return {};
}

/// The client options with which calls go to `path`: the library makes the path itself.
std::optional<Way> way_to(const std::string& provider, const std::string& host, const std::string& path,
                          std::string_view tail) {
  constexpr std::string_view serving = "/serving-endpoints/";
  constexpr std::string_view invocations = "/invocations";
  if (provider == "databricks" && path.starts_with(serving) && ends_with(path, invocations)) {
    return Way{inferwire::Provider::databricks(), host,
               path.substr(serving.size(), path.size() - serving.size() - invocations.size())};
  }
  if (provider == "databricks" && ends_with(path, "/open-responses")) {
    return Way{inferwire::Provider::databricks_open_responses(), host, {}};
  }
  if (provider == "databricks" && path.starts_with("/ai-gateway/")) {
    return Way{inferwire::Provider::databricks_gateway(), host, {}};
  }
  constexpr std::string_view endpoints = "/api/2.0/serving-endpoints/";
  if (provider == "databricks") {
    return Way{inferwire::Provider::databricks_openai(), host,
               path.starts_with(endpoints) ? path.substr(endpoints.size()) : ""};
  }
  constexpr std::string_view sagemaker = "/endpoints/";
  if (provider == "sagemaker" && path.starts_with(sagemaker)) {
    const auto name = path.substr(sagemaker.size());
    return Way{inferwire::Provider::sagemaker("eu-west-1"), host, name.substr(0, name.find('/'))};
  }
  if (provider == "lmi") {
    return Way{
        path == invocations ? inferwire::Provider::lmi_invocations() : inferwire::Provider::lmi(), host, {}};
  }
  const auto at = path.rfind(tail);
  if ((provider == "openai" || provider == "ai21") && at != std::string::npos) {
    const auto name = std::string_view(path).substr(at + tail.size());
    return Way{provider == "ai21" ? inferwire::Provider::ai21() : inferwire::Provider::openai(),
               host + path.substr(0, at), std::string(name.substr(name.starts_with('/') ? 1 : 0))};
  }
  return std::nullopt;
}

/// Whether the request writes tools, tool_choice or text.format in the nested way.
bool is_nested(const json& value) {
  const auto has = [](const json& object, const char* name) {
    return object.is_object() && object.contains(name);
  };
  const auto tools = value.value("tools", json::array());
  const auto format = value.value("text", json::object()).value("format", json::object());
  return has(format, "json_schema") || has(value.value("tool_choice", json()), "function") ||
         std::any_of(tools.begin(), tools.end(), [&](const json& tool) { return has(tool, "function"); });
}

/// Makes the typed call for the request `value`, which is in wire shape. Ignores how the call ends; gives an
/// error only if the value cannot be read.
template <class Request, class Resource>
std::optional<inferwire::Error> call(const Resource& resource, const json& value, const std::string& model,
                                     bool stream) {
  auto question = inferwire::json::decode<Request>(value.dump());
  if (!question) return std::move(question).error();
  if (question->model.empty()) question->model = model;
  const inferwire::CallOptions options{.nested_tools = is_nested(value)};
  if constexpr (requires { resource.stream(*question); }) {
    if (stream) {
      auto streamed = resource.stream(*question, options);
      streamed.next();
      return std::nullopt;
    }
  }
  static_cast<void>(resource.create(*question, options));
  return std::nullopt;
}

/// Makes the call of `endpoint`. `model` is what follows "/models" or Databricks' "/serving-endpoints" in the
/// path.
std::optional<inferwire::Error> call(const inferwire::Client& client, const std::string& endpoint,
                                     const json& value, const std::string& model, bool stream) {
  if (endpoint == "completions") {
    return call<inferwire::completions::Request>(client.completions, value, model, stream);
  }
  if (endpoint == "embeddings") {
    return call<inferwire::embeddings::Request>(client.embeddings, value, model, stream);
  }
  if (endpoint == "responses") {
    return call<inferwire::responses::Request>(client.responses, value, model, stream);
  }
  if (endpoint == "chat") return call<inferwire::chat::Request>(client.chat, value, model, stream);
  if (model.empty()) {
    static_cast<void>(client.models.list());
  } else {
    static_cast<void>(client.models.retrieve(model));
  }
  return std::nullopt;
}

/// The row with base64 off if the wire shape has no encoding_format: its caller wants the service to choose
/// the encoding, and a row is how a client says so.
inferwire::Provider row_for(inferwire::Provider row, const json& value) {
  row.base64_embeddings = row.base64_embeddings && value.is_object() && value.contains("encoding_format");
  return row;
}

}  // namespace

json run_request(const json& request) {
  const auto& options = request.at("options");
  const auto endpoint = request.at("endpoint").get<std::string>();
  const auto way = way_to(request.at("provider").get<std::string>(), options.at("host").get<std::string>(),
                          options.at("path").get<std::string>(), tail_of(endpoint));
  if (!way || tail_of(endpoint).empty()) return {{"unsupported", true}};

  const auto script = std::make_shared<inferwire::testing::ScriptTransport>();
  script->push(inferwire::testing::Reply::error(500));
  inferwire::ClientOptions of_client{.provider = row_for(way->provider, request.at("value")),
                                     .base_url = way->base_url,
                                     .retry = inferwire::RetryPolicy::none(),
                                     .transport = script};
  if (way->provider.auth.scheme == &inferwire::auth_scheme::sigv4) {
    of_client.credential = inferwire::Credential::sigv4(
        {.access_key_id = "AKIDEXAMPLE", .secret_access_key = "secret", .region = way->provider.auth.region});
  } else {
    of_client.api_key = "sk-driver";
  }
  const inferwire::Client client(std::move(of_client));
  const auto& value = request.at("value");
  const bool stream = request.at("mode") == "stream";
  const auto problem = call(client, endpoint, value, way->model, stream);
  if (problem) return {{"ok", false}, {"error", describe(*problem)}};
  const auto requests = script->requests();
  if (requests.empty()) return {{"ok", false}, {"error", {{"kind", "config"}}}};
  const auto& sent = requests.back();
  json out = {{"ok", true}, {"method", sent.method}, {"url", sent.url}, {"headers", json::array()}};
  for (const auto& header : sent.headers) out["headers"].push_back({header.name, header.value});
  put_bytes(out, "body", sent.body);
  return out;
}

}  // namespace inferwire_driver
