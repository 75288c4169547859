#include "inferwire/chat.hpp"
#include "wire/documents.hpp"

namespace inferwire::inline v0_1::chat {
namespace {

template <class T>
Result<Json> encoded(const T& document) {
  return json::encode(document).transform(&Json::raw);
}

}  // namespace

Result<Json> to_json(const Request& request) { return encoded(request); }
Result<Json> to_json(const Response& response) { return encoded(response); }
Result<Json> to_json(const Chunk& chunk) { return encoded(chunk); }

}  // namespace inferwire::inline v0_1::chat
