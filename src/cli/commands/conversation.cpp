#include "cli/commands/conversation.hpp"

#include "cli/commands/whole_file.hpp"
#include "cli/terminal/output.hpp"
#include "json/text.hpp"
#include "json/text_at.hpp"

#include <utility>
#include <vector>

namespace inferwire::inline v0_1::cli {
namespace {

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

/// The other name of the limit of an answer's tokens, of which a request has one; other names unchanged.
std::string_view other_name(std::string_view name) {
  if (name == "max_tokens") return "max_completion_tokens";
  return name == "max_completion_tokens" ? "max_tokens" : name;
}

}  // namespace

void set_system(chat::Request& request, const std::string& text) {
  auto& messages = request.messages;
  if (!messages.empty() && messages.front().role == chat::Role::system) messages.erase(messages.begin());
  if (!text.empty()) messages.insert(messages.begin(), chat::system(text));
}

Result<void> save(const chat::Request& request, const Extra& others, const std::string& path) {
  const auto own = to_json(request);
  if (!own) return own.error();
  Extra members;
  for (auto& [name, value] : own->members()) members.append(std::move(name), std::move(value));
  const Extra of_request = members;
  for (const auto& [name, value] : others) {
    const bool is_there = of_request.find(name) != nullptr || of_request.find(other_name(name)) != nullptr;
    if (!is_there) members.append(name, value);
  }
  std::string text = "{";
  for (const auto& [name, value] : members) {
    json::append_name(text, name);
    text += value.text();
  }
  text += "}\n";
  if (!write_whole(path, [&text](const WritePiece& write) { return write(text); }))
    return file_error(path, "cannot be written: " + reason_in_errno());
  return {};
}

Result<void> load(chat::Request& request, Extra& others, const std::string& path) {
  const auto text = contents_of(path);
  if (!text) return text.error();
  const auto document = Json::parse(*text);
  const auto list = document ? document->find("/messages") : std::nullopt;
  if (!list || !list->is_array()) return file_error(path, "is no conversation: it has no list of messages");

  std::vector<chat::Message> messages;
  for (const auto& item : list->items()) {
    if (json::text_at(item, "/role").empty())
      return file_error(path,
                        "is no conversation: messages[" + std::to_string(messages.size()) + "] has no role");
    messages.push_back(message_of(item));
  }
  request.messages = std::move(messages);
  if (auto model = json::text_at(*document, "/model"); !model.empty()) request.model = std::move(model);
  others.clear();
  for (auto& [name, value] : document->members()) {
    if (name != "model" && name != "messages") others.set(std::move(name), std::move(value));
  }
  return {};
}

}  // namespace inferwire::inline v0_1::cli
