#include "inferwire/chat.hpp"

#include "client/async_stream_core.hpp"
#include "client/chunk_ops.hpp"
#include "client/pending_job.hpp"
#include "inferwire/client.hpp"

namespace inferwire::inline v0_1 {

namespace client {

namespace {

/// One chunk that adds everything the answer has.
bool decode_whole_chat(json::Decoder& decoder, std::string_view text, void* element, Error& error) {
  chat::Response answer;
  if (!decoder.decode(text, answer, json::Reading::tolerant, error)) return false;
  auto& chunk = *static_cast<chat::Chunk*>(element);
  chunk = {.id = std::move(answer.id),
           .object = std::move(answer.object),
           .created = answer.created,
           .model = std::move(answer.model),
           .usage = std::move(answer.usage),
           .service_tier = std::move(answer.service_tier),
           .system_fingerprint = std::move(answer.system_fingerprint),
           .extra = std::move(answer.extra)};
  for (auto& choice : answer.choices) {
    auto& message = choice.message;
    chat::ChunkChoice whole{.index = choice.index,
                            .delta = {.role = std::move(message.role),
                                      .content = std::move(message.content),
                                      .refusal = std::move(message.refusal),
                                      .reasoning_content = std::move(message.reasoning_content),
                                      .reasoning = std::move(message.reasoning),
                                      .extra = std::move(message.extra)},
                            .finish_reason = std::move(choice.finish_reason),
                            .logprobs = std::move(choice.logprobs),
                            .stop_reason = std::move(choice.stop_reason),
                            .extra = std::move(choice.extra)};
    std::int64_t index = 0;
    for (auto& call : message.tool_calls) {
      chat::ToolCallDelta delta{.index = index++, .id = std::move(call.id), .type = std::move(call.type)};
      delta.extra = std::move(call.extra);
      if (call.function) {
        delta.function = {.name = std::move(call.function->name),
                          .arguments = std::move(call.function->arguments),
                          .extra = std::move(call.function->extra)};
      }
      whole.delta.tool_calls.push_back(std::move(delta));
    }
    chunk.choices.push_back(std::move(whole));
  }
  return true;
}

}  // namespace

template <>
const ElementOps& element_ops<chat::Chunk>() {
  static constexpr ElementOps ops = chunk_ops<chat::Chunk>(&decode_whole_chat);
  return ops;
}

}  // namespace client

namespace chat {

Result<Response> Resource::create(const Request& request, const CallOptions& options) const {
  return client::create<Chunk>(core_, &Provider::chat, request, request.n.value_or(1), options);
}

Stream<Chunk> Resource::stream(const Request& request, const CallOptions& options) const {
  return client::stream<Chunk>(core_, &Provider::chat, request, request.n.value_or(1), options);
}

Pending<Response> Resource::start(const Request& request, const CallOptions& options) const {
  return client::start<Chunk>(core_, &Provider::chat, request, request.n.value_or(1), options);
}

AsyncStream<Chunk> Resource::open(const Request& request, const CallOptions& options) const {
  return client::open<Chunk>(core_, &Provider::chat, request, request.n.value_or(1), options);
}

}  // namespace chat

}  // namespace inferwire::inline v0_1
