#include "client/stream/chat_elements.hpp"

#include "client/call/http_error.hpp"
#include "client/stream/chunk_ops.hpp"
#include "client/stream/decode_answer.hpp"
#include "wire/chat_chunk.hpp"
#include "wire/documents.hpp"
#include "wire/error_body.hpp"
#include "wire/first_choice.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::client {

std::optional<Error> failure_in(const chat::Response& answer, const ResponseHead& head,
                                std::string_view text) {
  const auto* const choice = wire::first_choice(answer.choices);
  if (choice == nullptr || choice->finish() != chat::Finish::error) return std::nullopt;
  auto facts = wire::error_in(choice->extra, true);
  if (!facts) return std::nullopt;
  return embedded_error(head, *std::move(facts), text);
}

namespace {

bool decode_chat_chunk(json::Decoder& decoder, std::string_view text, std::string_view, void* element,
                       Error& error) {
  return wire::decode_chunk(decoder, text, *static_cast<chat::Chunk*>(element), error);
}

/// Whether a choice has the message of a whole answer. If it also has a delta, as MiniMax writes, it is a
/// chunk.
bool has_message(const chat::ChunkChoice& choice) {
  const Json* const message = choice.extra.find("message");
  return message != nullptr && message->is_object() && choice.delta == chat::Delta();
}

bool is_whole_chat(const void* element) {
  const auto& choices = static_cast<const chat::Chunk*>(element)->choices;
  return !choices.empty() && std::ranges::all_of(choices, has_message);
}

/// Makes one chunk with the content of the whole answer: a delta has the members of a message, and other
/// members are folded by name.
[[gnu::cold]] bool decode_whole_chat(json::Decoder& decoder, std::string_view text, std::int64_t choices,
                                     void* element, Error& error) {
  // What `create` rejects is rejected here, too: chunks, for example, need not have choices.
  std::optional<std::string> usual;
  auto answer = decode_chat(decoder, text, usual);
  if (!answer) {
    error = std::move(answer).error();
    return false;
  }
  if (auto failure = failure_in(*answer, {}, text)) {
    error = *std::move(failure);
    return false;
  }
  const bool are_parts = wire::are_parts(answer->choices, choices);
  *answer = chat::Response();  // frees its memory before the text is decoded again
  auto& chunk = *static_cast<chat::Chunk*>(element);
  const auto& type = json::describe<chat::Chunk>();
  const bool decoded = usual ? decoder.decode_copy(*usual, &chunk, type, json::Reading::tolerant, error)
                             : decoder.decode_any(text, &chunk, type, json::Reading::tolerant, error);
  if (!decoded) return false;
  if (!are_parts) number_apart(chunk.choices);
  std::int64_t calls = 0;
  for (auto& choice : chunk.choices) {
    // A message can be decoded as a delta, since it was just decoded as a message. A filtered choice has
    // none.
    const Json* const message = choice.extra.find("message");
    const bool there = message != nullptr && !message->is_null();
    if (there &&
        !json::thread_decoder().decode_copy(message->text(), &choice.delta, json::describe<chat::Delta>(),
                                            json::Reading::tolerant, error)) {
      return false;
    }
    choice.extra.erase("message");
    if (!are_parts) calls = 0;
    for (auto& call : choice.delta.tool_calls) call.index = calls++;
  }
  return true;
}

}  // namespace

template <>
const ElementOps& element_ops<chat::Chunk>() {
  static constexpr ElementOps ops =
      chunk_ops<chat::Chunk>(&decode_chat_chunk, &decode_whole_chat, &is_whole_chat);
  return ops;
}

}  // namespace inferwire::inline v0_1::client
