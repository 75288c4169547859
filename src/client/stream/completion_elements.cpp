// The elements of completion streams.
#include "client/stream/chunk_ops.hpp"
#include "client/stream/decode_answer.hpp"
#include "wire/completion_text.hpp"
#include "wire/documents.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

/// Decodes a chunk, which may be one of chat (GenieX).
bool decode_completion_chunk(json::Decoder& decoder, std::string_view text, std::string_view name,
                             void* element, Error& error) {
  if (!decode_chunk<completions::Chunk>(decoder, text, name, element, error)) return false;
  if (wire::take_chat_texts(static_cast<completions::Chunk*>(element)->choices)) {
    decoder = json::Decoder(json::Series::alike);  // the element's content is not what the decoder decoded
  }
  return true;
}

/// Makes one chunk with the content of the whole answer.
bool decode_whole_completion(json::Decoder& decoder, std::string_view text, std::int64_t, void* element,
                             Error& error) {
  auto decoded = decode_answer<completions::Response>(decoder, text);
  if (!decoded) {
    error = std::move(decoded).error();
    return false;
  }
  auto& answer = *decoded;
  number_apart(answer.choices);
  *static_cast<completions::Chunk*>(element) = {.id = std::move(answer.id),
                                                .object = std::move(answer.object),
                                                .created = answer.created,
                                                .model = std::move(answer.model),
                                                .choices = std::move(answer.choices),
                                                .usage = std::move(answer.usage),
                                                .service_tier = std::move(answer.service_tier),
                                                .system_fingerprint = std::move(answer.system_fingerprint),
                                                .extra = std::move(answer.extra)};
  return true;
}

}  // namespace

template <>
const ElementOps& element_ops<completions::Chunk>() {
  static constexpr ElementOps ops =
      chunk_ops<completions::Chunk>(&decode_completion_chunk, &decode_whole_completion);
  return ops;
}

}  // namespace inferwire::inline v0_1::client
