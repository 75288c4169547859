#include "driver/operations.hpp"

#include <memory>

#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "json/codec.hpp"
#include "protocol/headers.hpp"
#include "support/canned_transport.hpp"

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

/// What the paths of an endpoint end in where its name is not part of them.
std::string_view tail_of(const std::string& endpoint) {
  if (endpoint == "chat") return "/chat/completions";
  if (endpoint == "completions") return "/completions";
  return {};
}

/// The client options that lead to `path`: the path itself is the library's business.
std::optional<Way> way_to(const std::string& provider, const std::string& host, const std::string& path,
                          std::string_view tail) {
  constexpr std::string_view serving = "/serving-endpoints/";
  constexpr std::string_view invocations = "/invocations";
  if (provider == "databricks" && path.starts_with(serving) && ends_with(path, invocations)) {
    return Way{inferwire::Provider::databricks(), host,
               path.substr(serving.size(), path.size() - serving.size() - invocations.size())};
  }
  if (provider == "databricks") return Way{inferwire::Provider::databricks_openai(), host, {}};
  if (provider == "lmi") {
    return Way{
        path == invocations ? inferwire::Provider::lmi_invocations() : inferwire::Provider::lmi(), host, {}};
  }
  if ((provider == "openai" || provider == "ai21") && ends_with(path, tail)) {
    return Way{provider == "ai21" ? inferwire::Provider::ai21() : inferwire::Provider::openai(),
               host + path.substr(0, path.size() - tail.size()),
               {}};
  }
  return std::nullopt;
}

/// Makes the typed call of the request in wire shape `value`; what becomes of it does not matter.
template <class Request, class Resource>
std::optional<inferwire::Error> call(const Resource& resource, const json& value, const std::string& model,
                                     bool stream) {
  auto question = inferwire::json::decode<Request>(value.dump());
  if (!question) return std::move(question).error();
  if (question->model.empty()) question->model = model;
  if (stream) {
    resource.stream(*question).next();
  } else {
    static_cast<void>(resource.create(*question));
  }
  return std::nullopt;
}

}  // namespace

json run_request(const json& request) {
  const auto& options = request.at("options");
  const auto endpoint = request.at("endpoint").get<std::string>();
  const auto way = way_to(request.at("provider").get<std::string>(), options.at("host").get<std::string>(),
                          options.at("path").get<std::string>(), tail_of(endpoint));
  if (!way || tail_of(endpoint).empty()) return {{"unsupported", true}};

  auto transport = std::make_shared<inferwire_test::CannedTransport>(
      inferwire_test::CannedAnswer{.head = {.status = 500}});
  inferwire::Client client(
      {.provider = way->provider, .base_url = way->base_url, .api_key = "sk-driver", .transport = transport});
  const auto& value = request.at("value");
  const bool stream = request.at("mode") == "stream";
  const auto problem =
      endpoint == "completions"
          ? call<inferwire::completions::Request>(client.completions, value, way->model, stream)
          : call<inferwire::chat::Request>(client.chat, value, way->model, stream);
  if (problem) return {{"ok", false}, {"error", describe(*problem)}};
  if (!transport->sent()) return {{"ok", false}, {"error", {{"kind", "config"}}}};
  const auto& sent = *transport->sent();
  json out = {{"ok", true}, {"method", sent.method}, {"url", sent.url}, {"headers", json::array()}};
  for (const auto& header : sent.headers) {
    const bool secret = inferwire::protocol::is_secret_header(header.name);
    out["headers"].push_back({header.name, secret ? "***" : header.value});
  }
  put_bytes(out, "body", sent.body);
  return out;
}

}  // namespace inferwire_driver
