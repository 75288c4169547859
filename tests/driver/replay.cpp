#include "driver/operations.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/forwarding.hpp"
#include "inferwire/models.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "json/codec.hpp"
#include "wire/remarks.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace inferwire_driver {

using nlohmann::json;
namespace chat = inferwire::chat;
namespace completions = inferwire::completions;
namespace responses = inferwire::responses;

namespace {

std::optional<inferwire::Provider> provider_called(const std::string& name) {
  if (name == "databricks") return inferwire::Provider::databricks();
  if (name == "openai") return inferwire::Provider::openai();
  if (name == "ai21") return inferwire::Provider::ai21();
  if (name == "lmi") return inferwire::Provider::lmi();
  if (name == "sagemaker") return inferwire::Provider::sagemaker("eu-west-1");
  return std::nullopt;
}

std::string outcome_of(const inferwire::Optional<inferwire::Error>& error) {
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
    const bool own_id = !inferwire::wire::has_remark(call.extra, inferwire::wire::generated_id_remark);
    out.push_back({{"id", own_id ? json(call.id) : json()},
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
      out["finish_reason"] = name(choice.finish());
      put_bytes(out, "finish_reason_raw", choice.finish_reason->str());
    }
    if (!choice.message.tool_calls.empty()) out["tool_calls"] = describe(choice.message.tool_calls);
  }
  if (response.usage) out["usage"] = describe(*response.usage);
  put_bytes(out, "response_id", response.id);
  put_bytes(out, "model", response.model);
  if (const auto text = inferwire::json::encode(response)) put_bytes(out, "value", *text);
}

void describe(json& out, const completions::Response& response) {
  put_bytes(out, "text", response.text());
  out["texts"] = json::array();
  for (const auto& choice : response.choices) out["texts"].push_back(choice.text);
  if (!response.choices.empty() && response.choices.front().finish_reason) {
    out["finish_reason"] = inferwire::name(response.choices.front().finish());
    put_bytes(out, "finish_reason_raw", response.choices.front().finish_reason->str());
  }
  if (response.usage) out["usage"] = describe(*response.usage);
  put_bytes(out, "response_id", response.id);
  put_bytes(out, "model", response.model);
  if (const auto text = inferwire::json::encode(response)) put_bytes(out, "value", *text);
}

void describe(json& out, const inferwire::embeddings::Response& response) {
  out["vectors"] = response.data.size();
  if (!response.data.empty()) {
    const auto& first = response.data.front().embedding;
    out["dims"] = first.size();
    out["first"] = first;
  }
  if (response.usage) out["usage"] = describe(*response.usage);
  put_bytes(out, "response_id", response.id);
  put_bytes(out, "model", response.model);
  if (const auto text = inferwire::json::encode(response)) put_bytes(out, "value", *text);
}

void describe(json& out, const inferwire::models::List& list) {
  if (const auto text = inferwire::json::encode(list)) put_bytes(out, "value", *text);
}

void describe(json& out, const responses::Response& response) {
  put_bytes(out, "text", response.output_text());
  put_bytes(out, "reasoning", response.reasoning_text());
  if (auto refusal = response.refusal(); !refusal.empty()) put_bytes(out, "refusal", refusal);
  if (response.status) out["status"] = response.status->str();
  if (response.incomplete_details) out["incomplete_reason"] = response.incomplete_details->reason;
  if (response.finish() != inferwire::Finish::none) out["finish_reason"] = inferwire::name(response.finish());
  for (const auto* call : response.tool_calls()) {
    const auto arguments = call->parsed_arguments();
    out["tool_calls"].push_back(
        {{"id", call->call_id},
         {"name", call->name},
         {"arguments", arguments ? json::parse(arguments->text()) : json(call->arguments)}});
  }
  for (const auto& item : response.output) {
    const auto* const reasoning = std::get_if<responses::Reasoning>(&item);
    if (reasoning == nullptr || !reasoning->encrypted_content) continue;
    put_bytes(out, "encrypted_reasoning", *reasoning->encrypted_content);
  }
  if (response.usage) out["usage"] = describe(*response.usage);
  if (response.error) out["error"] = inferwire_driver::describe(response.error->as_error());
  put_bytes(out, "response_id", response.id);
  put_bytes(out, "model", response.model);
  if (const auto text = inferwire::json::encode(response)) put_bytes(out, "value", *text);
}

/// What the caller holds after a call: an answer, an error, or both if a stream broke.
template <class Response>
json held(const inferwire::Optional<Response>& response, const inferwire::Optional<inferwire::Error>& error) {
  json out = {{"outcome", outcome_of(error)}};
  if (response) describe(out, *response);
  if (error) out["error"] = inferwire_driver::describe(*error);
  return out;
}

template <class Response>
json held(inferwire::Result<Response> result) {
  if (!result) return held<Response>(std::nullopt, std::move(result).error());
  return held<Response>(*std::move(result), std::nullopt);
}

template <class Resource, class Request>
json call(const Resource& resource, const Request& request, bool stream) {
  if (!stream) return held(resource.create(request));
  auto collected = resource.stream(request).collect();
  return held<decltype(collected.response)>(std::move(collected.response), collected.error);
}

/// Gives the answers of another transport with the head of the operation, which may have a reason phrase.
class OtherHead final : public inferwire::ForwardingTransport {
 public:
  OtherHead(std::shared_ptr<Transport> inner, inferwire::ResponseHead head)
      : ForwardingTransport(std::move(inner)), head_(std::move(head)) {}

 private:
  class Answer final : public inferwire::ForwardingExchange {
   public:
    Answer(inferwire::Sink& sink, const inferwire::ResponseHead& head)
        : ForwardingExchange(sink), head_(head) {}

   private:
    void on_head(const inferwire::ResponseHead&) override { ForwardingExchange::on_head(head_); }

    const inferwire::ResponseHead& head_;
  };

  inferwire::Result<std::unique_ptr<inferwire::Exchange>> start_at(
      Transport& inner, inferwire::HttpRequest request, inferwire::Sink& sink,
      const inferwire::ExchangeOptions& options) override {
    return inferwire::ForwardingExchange::begin(std::make_unique<Answer>(sink, head_), inner,
                                                std::move(request), options);
  }

  inferwire::ResponseHead head_;
};

/// An input for each row of the answer, since a call refuses rows of no input.
std::vector<std::string> inputs_for(const std::vector<std::string>& chunks) {
  std::string body;
  for (const auto& chunk : chunks) body += chunk;
  const auto answer = json::parse(body, nullptr, false);
  const auto& rows = answer.is_object() && answer.contains("data") ? answer["data"] : answer;
  const bool rows_of_numbers = rows.is_array() && !rows.empty() && !rows.front().is_number();
  return std::vector<std::string>(rows_of_numbers ? rows.size() : 1, "Hello");
}

}  // namespace

json run_replay(const json& request) {
  const auto provider = provider_called(request.at("provider").get<std::string>());
  if (!provider) return {{"unsupported", true}};

  const auto chunks = chunks_of(request);
  inferwire::ResponseHead head{.status = request.at("status").get<int>(),
                               .reason = request.value("reason", "")};
  for (const auto& header : request.at("headers")) {
    head.headers.add(header.at(0).get<std::string>(), header.at(1).get<std::string>());
  }
  const auto script = std::make_shared<inferwire::testing::ScriptTransport>();
  script->push(inferwire::testing::Reply::stream(chunks));
  inferwire::Client client({.provider = *provider,
                            .api_key = "sk-driver",
                            .retry = inferwire::RetryPolicy::none(),
                            .transport = std::make_shared<OtherHead>(script, std::move(head))});
  const auto endpoint = request.at("endpoint").get<std::string>();
  const bool stream = request.at("mode") == "stream";
  if (endpoint == "chat") {
    return call(client.chat, chat::Request{.model = "driver", .messages = {chat::user("Hello")}}, stream);
  }
  if (endpoint == "completions") {
    return call(client.completions, completions::Request{.model = "driver", .prompt = "Hello"}, stream);
  }
  if (endpoint == "embeddings") {
    return held(client.embeddings.create({.model = "driver", .input = inputs_for(chunks)}));
  }
  if (endpoint == "responses") {
    return call(client.responses, responses::Request{.model = "driver", .input = "Hello"}, stream);
  }
  if (endpoint == "models") return held(client.models.list());
  return {{"unsupported", true}};
}

}  // namespace inferwire_driver
