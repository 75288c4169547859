#include "inferwire/chat.hpp"
#include "wire/documents.hpp"
#include "wire/tool_call_ids.hpp"

#include <algorithm>

namespace inferwire::inline v0_1 {

namespace chat {

Result<Json> to_json(const Message& message) { return wire::encoded(message); }
Result<Json> to_json(const std::vector<Message>& messages) { return wire::encoded(messages); }
Result<Json> to_json(const Request& request) { return wire::encoded(request); }
Result<Json> to_json(const Response& response) { return wire::encoded(response); }
Result<Json> to_json(const Chunk& chunk) { return wire::encoded(chunk); }

}  // namespace chat

INFERWIRE_FROM_JSON(chat::Message, strict)
INFERWIRE_FROM_JSON(std::vector<chat::Message>, strict)
INFERWIRE_FROM_JSON(chat::Request, strict)
INFERWIRE_FROM_JSON(chat::Chunk, tolerant)

template <>
Result<chat::Response> from_json(const Json& document) {
  auto answer = json::decode<chat::Response>(document.text(), json::Reading::tolerant);
  if (answer) std::ranges::for_each(answer->choices, wire::mark_cut_calls);
  return answer;
}

}  // namespace inferwire::inline v0_1
