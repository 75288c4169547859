#include "driver/operations.hpp"

#include <memory>

#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "json/codec.hpp"
#include "protocol/headers.hpp"
#include "support/canned_transport.hpp"

namespace inferwire_driver {

using nlohmann::json;
namespace chat = inferwire::chat;

namespace {

struct Way {
  inferwire::Provider provider;
  std::string base_url;
  std::string model;
};

bool ends_with(const std::string& text, std::string_view end) {
  return std::string_view(text).ends_with(end);
}

/// The client options that lead to `path`: the path itself is the library's business.
std::optional<Way> way_to(const std::string& provider, const std::string& host, const std::string& path) {
  constexpr std::string_view endpoint = "/serving-endpoints/";
  constexpr std::string_view invocations = "/invocations";
  constexpr std::string_view completions = "/chat/completions";
  if (provider == "databricks" && path.starts_with(endpoint) && ends_with(path, invocations)) {
    return Way{inferwire::Provider::databricks(), host,
               path.substr(endpoint.size(), path.size() - endpoint.size() - invocations.size())};
  }
  if (provider == "databricks") return Way{inferwire::Provider::databricks_openai(), host, {}};
  if (provider == "openai" && ends_with(path, completions)) {
    return Way{inferwire::Provider::openai(), host + path.substr(0, path.size() - completions.size()), {}};
  }
  return std::nullopt;
}

}  // namespace

json run_request(const json& request) {
  const auto& options = request.at("options");
  const auto way = way_to(request.at("provider").get<std::string>(), options.at("host").get<std::string>(),
                          options.at("path").get<std::string>());
  if (!way || request.at("endpoint") != "chat") return {{"unsupported", true}};

  auto question = inferwire::json::decode<chat::Request>(request.at("value").dump());
  if (!question) return {{"ok", false}, {"error", describe(question.error())}};
  if (question->model.empty()) question->model = way->model;

  auto transport = std::make_shared<inferwire_test::CannedTransport>(
      inferwire_test::CannedAnswer{.head = {.status = 500}});
  inferwire::Client client(
      {.provider = way->provider, .base_url = way->base_url, .api_key = "sk-driver", .transport = transport});
  if (request.at("mode") == "stream") {
    client.chat.stream(*question).next();
  } else {
    static_cast<void>(client.chat.create(*question));
  }
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
