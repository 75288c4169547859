#include "driver/operations.hpp"

#include <memory>
#include <optional>
#include <utility>

#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "json/codec.hpp"
#include "support/canned_transport.hpp"

namespace inferwire_driver {

using nlohmann::json;
namespace chat = inferwire::chat;

namespace {

std::optional<inferwire::Provider> provider_called(const std::string& name) {
  if (name == "databricks") return inferwire::Provider::databricks();
  if (name == "openai") return inferwire::Provider::openai();
  return std::nullopt;
}

std::string outcome_of(const std::optional<inferwire::Error>& error) {
  if (!error) return "ok";
  switch (error->kind) {
    case inferwire::ErrorKind::decode: return "decode_error";
    case inferwire::ErrorKind::truncated: return "incomplete_stream";
    case inferwire::ErrorKind::stream_error:
    case inferwire::ErrorKind::response_failed: return "stream_error";
    default: return "http_error";
  }
}

json describe(const inferwire::Usage& usage) {
  json out = json::object();
  auto put = [&out](const char* name, std::optional<std::int64_t> count) {
    if (count) out[name] = *count;
  };
  put("prompt", usage.prompt());
  put("completion", usage.completion());
  put("total", usage.total());
  put("cached", usage.cached());
  put("reasoning", usage.reasoning());
  put("cache_write", usage.cache_write());
  return out;
}

json describe(const std::vector<chat::ToolCall>& calls) {
  json out = json::array();
  for (const auto& call : calls) {
    if (!call.function) continue;
    const auto& text = call.function->arguments;
    auto arguments = json::parse(text.empty() ? "{}" : text, nullptr, false);
    out.push_back({{"id", call.id},
                   {"name", call.function->name},
                   {"arguments", arguments.is_discarded() ? json(text) : std::move(arguments)}});
  }
  return out;
}

void describe(json& out, const chat::Response& response) {
  put_bytes(out, "text", response.text());
  if (!response.choices.empty()) {
    const auto& choice = response.choices.front();
    put_bytes(out, "reasoning", choice.message.reasoning_text());
    if (choice.message.refusal) put_bytes(out, "refusal", *choice.message.refusal);
    if (choice.finish_reason) {
      out["finish_reason"] = chat::name(choice.finish());
      put_bytes(out, "finish_reason_raw", choice.finish_reason->str());
    }
    if (!choice.message.tool_calls.empty()) out["tool_calls"] = describe(choice.message.tool_calls);
  }
  if (response.usage) out["usage"] = describe(*response.usage);
  put_bytes(out, "response_id", response.id);
  put_bytes(out, "model", response.model);
  if (const auto text = inferwire::json::encode(response)) put_bytes(out, "value", *text);
}

}  // namespace

json run_replay(const json& request) {
  const auto provider = provider_called(request.at("provider").get<std::string>());
  if (!provider || request.at("endpoint") != "chat") return {{"unsupported", true}};

  inferwire_test::CannedAnswer answer{
      .head = {.status = request.at("status").get<int>(), .reason = request.value("reason", "")},
      .chunks = chunks_of(request)};
  for (const auto& header : request.at("headers")) {
    answer.head.headers.push_back({header.at(0).get<std::string>(), header.at(1).get<std::string>()});
  }
  inferwire::Client client(
      {.provider = *provider,
       .api_key = "sk-driver",
       .transport = std::make_shared<inferwire_test::CannedTransport>(std::move(answer))});
  const chat::Request question{.model = "driver", .messages = {chat::user("Hello")}};

  std::optional<inferwire::Error> error;
  std::optional<chat::Response> response;
  if (request.at("mode") == "stream") {
    auto collected = client.chat.stream(question).collect();
    error = std::move(collected.error);
    response = std::move(collected.response);
  } else {
    auto result = client.chat.create(question);
    if (result) {
      response = *std::move(result);
    } else {
      error = std::move(result).error();
    }
  }
  json out = {{"outcome", outcome_of(error)}};
  if (response) describe(out, *response);
  if (error) out["error"] = describe(*error);
  return out;
}

}  // namespace inferwire_driver
