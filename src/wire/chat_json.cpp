#include "inferwire/chat.hpp"
#include "wire/documents.hpp"

namespace inferwire::inline v0_1 {

namespace chat {

Result<Json> to_json(const Message& message) { return wire::encoded(message); }
Result<Json> to_json(const std::vector<Message>& messages) { return wire::encoded(messages); }
Result<Json> to_json(const Request& request) { return wire::encoded(request); }
Result<Json> to_json(const Response& response) { return wire::encoded(response); }
Result<Json> to_json(const Chunk& chunk) { return wire::encoded(chunk); }

}  // namespace chat

template <>
Result<chat::Message> from_json(const Json& document) {
  return json::decode<chat::Message>(document.text(), json::Reading::strict);
}

template <>
Result<std::vector<chat::Message>> from_json(const Json& document) {
  return json::decode<std::vector<chat::Message>>(document.text(), json::Reading::strict);
}

template <>
Result<chat::Request> from_json(const Json& document) {
  return json::decode<chat::Request>(document.text(), json::Reading::strict);
}

template <>
Result<chat::Response> from_json(const Json& document) {
  return json::decode<chat::Response>(document.text());
}

template <>
Result<chat::Chunk> from_json(const Json& document) {
  return json::decode<chat::Chunk>(document.text());
}

}  // namespace inferwire::inline v0_1
