#include "engine/script/played_plan.hpp"

#include "engine/script/played_text.hpp"
#include "engine/script/scripted.hpp"
#include "wire/documents.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// Makes a plan's model certain of the text, and removes what would change it: biases, among them those of
/// `ignore_eos`, and penalties.
template <class Plan>
void say_text(Plan& plan, std::string_view text) {
  plan.model = play_text(std::move(plan.model), text);
  auto& sampling = plan.options.sampling;
  sampling.logit_bias.clear();
  sampling.frequency_penalty = 0;
  sampling.presence_penalty = 0;
}

/// Makes every choice of the plan the message: its text or its content, then its calls.
void say_message(ChatPlan& plan, const reply::Message& message) {
  const auto model = plan.model;
  const auto said = message.parts.empty() ? message.text : list_of(message.parts);
  say_text(plan, said);
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

}  // namespace

void play_script(ChatPlan& plan, const CallFrame& frame) {
  if (const auto* text = scripted<reply::Text>(frame)) say_message(plan, {.text = text->text});
  if (const auto* message = scripted<reply::Message>(frame)) say_message(plan, *message);
}

void play_script(CompletionPlan& plan, const CallFrame& frame) {
  if (const auto* text = scripted<reply::Text>(frame)) say_text(plan, text->text);
}

void play_script(ResponsesPlan& plan, const CallFrame& frame) {
  if (const auto* text = scripted<reply::Text>(frame)) {
    say_text(plan, text->text);
    plan.parts.assign(1, Part());
  }
}

void play_script(EmbeddingPlan& plan, const CallFrame& frame) {
  if (const auto* row = scripted<reply::Row>(frame)) {
    plan.dimensions = row->values.size();
    plan.model = play_row(std::move(plan.model), row->values);
  }
}

}  // namespace inferwire::inline v0_1::engine
