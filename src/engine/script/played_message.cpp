#include "engine/script/played_message.hpp"

#include "engine/script/played_text.hpp"
#include "wire/documents.hpp"

#include <string>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// The content of a message as JSON, from the JSON of its parts.
std::string list_of(const std::vector<std::string>& parts) {
  std::string list;
  for (const auto& part : parts) list += (list.empty() ? "[" : ",") + part;
  return list + "]";
}

chat::Content content_of(const std::string& list) {
  auto message = json::decode<chat::Message>(R"({"role":"assistant","content":)" + list + "}");
  return message && message->content ? *std::move(message->content) : chat::Content();
}

}  // namespace

void play_message(ChatPlan& plan, const reply::Message& message) {
  const auto model = plan.model;
  const auto said = message.parts.empty() ? message.text : list_of(message.parts);
  plan.model = play_text(model, said);
  unbias(plan.options.sampling);
  plan.blocks = ReasoningBlocks::none;
  plan.parts.clear();
  if (!message.parts.empty()) {
    plan.parts.push_back({.kind = Part::Kind::content});
    plan.content = content_of(said);
  } else if (!said.empty() || message.calls.empty()) {
    plan.parts.emplace_back();
  }
  for (const auto& [name, arguments] : message.calls) {
    plan.parts.push_back({.kind = Part::Kind::call, .name = name, .model = play_text(model, arguments)});
  }
}

}  // namespace inferwire::inline v0_1::engine
