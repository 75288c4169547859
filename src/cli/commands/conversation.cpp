#include "cli/commands/conversation.hpp"

#include "cli/terminal/output.hpp"
#include "json/text_at.hpp"

#include <fstream>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::cli {
namespace {

Error file_refusal(const std::string& path, const std::string& why) {
  return {.kind = ErrorKind::config, .detail = path + ": " + why};
}

/// Other content than text, such as parts and tool calls, is left unchanged.
chat::Message message_of(const Json& item) {
  chat::Message message;
  for (const auto& [name, value] : item.members()) {
    const auto text = value.as_string();
    if (name == "role" && text) {
      message.role = *text;
    } else if (name == "content" && text) {
      message.content = *text;
    } else {
      message.extra.set(name, value);
    }
  }
  return message;
}

}  // namespace

void set_system(chat::Request& request, const std::string& text) {
  auto& messages = request.messages;
  if (!messages.empty() && messages.front().role == chat::Role::system) messages.erase(messages.begin());
  if (!text.empty()) messages.insert(messages.begin(), chat::system(text));
}

Result<void> save(const chat::Request& request, const std::string& path) {
  const auto document = to_json(request);
  if (!document) return document.error();
  std::ofstream file(path, std::ios::binary);
  if (!(file << document->text() << '\n') || !file.flush()) return file_refusal(path, "cannot be written");
  return {};
}

Result<void> load(chat::Request& request, const std::string& path) {
  const auto text = contents_of(path);
  if (!text) return text.error();
  const auto document = Json::parse(*text);
  const auto list = document ? document->find("/messages") : std::nullopt;
  if (!list || !list->is_array()) return file_refusal(path, "is no conversation: it has no list of messages");

  std::vector<chat::Message> messages;
  for (const auto& item : list->items()) messages.push_back(message_of(item));
  request.messages = std::move(messages);
  if (auto model = json::text_at(*document, "/model"); !model.empty()) request.model = std::move(model);
  return {};
}

}  // namespace inferwire::inline v0_1::cli
