#include "wire/chat_chunk.hpp"

#include "wire/agent_chat.hpp"
#include "wire/documents.hpp"

namespace inferwire::inline v0_1::wire {

bool decode_chunk(json::Decoder& decoder, std::string_view padded_text, chat::Chunk& out, Error& error) {
  if (!decoder.decode(padded_text, out, json::Reading::tolerant, error)) return false;
  const Json* const delta = out.choices.empty() ? out.extra.find("delta") : nullptr;
  if (delta == nullptr || !delta->is_object()) return true;
  return decoder.decode_copy(agent_chunk(padded_text, *delta), &out, json::describe<chat::Chunk>(),
                             json::Reading::tolerant, error);
}

}  // namespace inferwire::inline v0_1::wire
