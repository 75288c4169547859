#include "inferwire/chat.hpp"

#include "wire/arguments.hpp"
#include "wire/first_choice.hpp"
#include "wire/parts_of.hpp"
#include "wire/remarks.hpp"
#include "wire/thinking_part.hpp"

#include <utility>
#include <vector>

namespace inferwire::inline v0_1::chat {
namespace {

using wire::first_choice;
using wire::parts_of;

/// The joined text parts of `content`, or its string.
std::string text_of(const Optional<Content>& content) {
  std::string out;
  if (!content) return out;
  if (const auto* text = std::get_if<std::string>(&*content)) return *text;
  for (const ContentPart& part : std::get<std::vector<ContentPart>>(*content)) {
    if (const auto* text = std::get_if<TextPart>(&part)) out += text->text;
  }
  return out;
}

/// The reasoning in `reasoning_details`.
std::string details_in(const Extra& extra) {
  std::string out;
  const Json* const details = extra.find("reasoning_details");
  if (details == nullptr) return out;
  for (const Json& detail : details->items()) {
    for (const auto* const name : {"/text", "/summary"}) {
      const auto text = detail.find(name);
      if (text) out += text->as_string().value_or("");
    }
  }
  return out;
}

/// The reasoning in a message or a delta, whichever member holds it. OpenRouter sends it twice, MiniMax only
/// in `reasoning_details`.
std::string reasoning_in(const auto& said) {
  if (said.reasoning_content && !said.reasoning_content->empty()) return *said.reasoning_content;
  if (said.reasoning && !said.reasoning->empty()) return *said.reasoning;
  const Json* const text = said.extra.find("reasoning_text");  // GitHub Copilot
  std::string out = text != nullptr ? text->as_string().value_or("") : std::string();
  if (out.empty()) out = details_in(said.extra);
  const auto* parts = parts_of(said.content);
  if (parts == nullptr || !out.empty()) return out;
  for (const ContentPart& part : *parts) {
    out += wire::thinking_in(part).value_or("");
    const auto* thought = std::get_if<ReasoningPart>(&part);
    if (thought == nullptr) continue;
    for (const ReasoningSummary& summary : thought->summary) out += summary.text.value_or("");
  }
  return out;
}

/// The content of an answer, for a request. `may_be_absent`: the message has something else, next to which
/// Claude refuses empty text, and empty text carries no information.
Optional<Content> content_to_send(Optional<Content> content, bool may_be_absent) {
  auto* const parts = parts_of(content);
  if (parts != nullptr) {
    for (ContentPart& part : *parts) {
      auto* const text = std::get_if<TextPart>(&part);
      if (text == nullptr) continue;
      text->citations.reset();
      text->extra.clear();
    }
  }
  if (!may_be_absent) {
    // An empty message, such as one whose reasoning was cut off, is refused without content.
    if (!content) content = "";
    return content;
  }
  if (parts != nullptr) {
    std::erase_if(*parts, [](const ContentPart& part) {
      const auto* const text = std::get_if<TextPart>(&part);
      return text != nullptr && text->text.empty();
    });
  }
  const bool is_empty = content && std::visit([](const auto& said) { return said.empty(); }, *content);
  if (is_empty) content.reset();
  return content;
}

}  // namespace

Message system(std::string text) { return {.role = Role::system, .content = std::move(text)}; }
Message user(std::string text) { return {.role = Role::user, .content = std::move(text)}; }
Message user(std::vector<ContentPart> parts) { return {.role = Role::user, .content = std::move(parts)}; }
Message assistant(std::string text) { return {.role = Role::assistant, .content = std::move(text)}; }

Message tool(std::string tool_call_id, std::string text) {
  return {.role = Role::tool, .content = std::move(text), .tool_call_id = std::move(tool_call_id)};
}

std::string Message::text() const { return text_of(content); }

std::string Message::reasoning_text() const { return reasoning_in(*this); }

Message Message::as_request(KeepReasoning kept_reasoning) const {
  Message out;
  out.role = role.empty() ? Role(Role::assistant) : role;
  out.name = name;
  out.tool_calls = tool_calls;
  for (ToolCall& call : out.tool_calls) {
    if (call.function) wire::mend_arguments(call.function->arguments);
  }
  // DeepSeek and Kimi refuse calls without the reasoning that led to them; other models give worse answers.
  // If both members were received, both are sent back: vLLM reads only `reasoning`.
  if (!tool_calls.empty() || kept_reasoning == KeepReasoning::always) {
    out.reasoning_content = reasoning_content;
    out.reasoning = reasoning;
  }
  // Reasoning of OpenRouter, MiniMax, LiteLLM and GitHub Copilot: Claude refuses calls without the reasoning
  // that it signed.
  for (const auto* const kept : {"reasoning_details", "thinking_blocks", "reasoning_opaque"}) {
    const Json* const blocks = extra.find(kept);
    if (blocks != nullptr && !blocks->is_null()) out.extra.set(kept, *blocks);
  }
  out.tool_call_id = tool_call_id;
  out.function_call = function_call;
  out.cache_control = cache_control;
  const bool refuses = refusal && !refusal->empty();
  const auto sound = audio ? audio->find("/id") : Optional<Json>();
  const bool sounds = sound && !sound->as_string().value_or("").empty();
  out.content = content_to_send(content, !tool_calls.empty() || function_call || refuses || sounds);
  if (out.content) return out;
  if (refuses) out.refusal = refusal;
  // The server keeps the audio: it is sent back by id, unless there is text in its place.
  if (sounds) out.audio = Json::raw(R"({"id":)" + sound->text() + "}");
  return out;
}

bool ToolCall::is_incomplete() const noexcept { return wire::has_remark(extra, wire::incomplete_remark); }
bool ToolCall::has_generated_id() const noexcept {
  return wire::has_remark(extra, wire::generated_id_remark);
}
Result<Json> ToolCall::parsed_arguments() const {
  return function ? wire::parsed_arguments(function->name, function->arguments) : Json::raw("{}");
}

Finish Choice::finish() const noexcept {
  return finish_reason ? finish_of(*finish_reason, !message.tool_calls.empty()) : Finish::none;
}

const Message* Response::message() const& noexcept {
  const Choice* const choice = first_choice(choices);
  return choice != nullptr ? &choice->message : nullptr;
}

Optional<Message> Response::as_request(KeepReasoning reasoning) const {
  const Message* const said = message();
  return said != nullptr ? said->as_request(reasoning) : Optional<Message>();
}

std::string Response::text() const {
  const Message* const said = message();
  return said != nullptr ? said->text() : std::string();
}

std::string Response::reasoning_text() const {
  const Message* const said = message();
  return said != nullptr ? said->reasoning_text() : std::string();
}

std::string Response::refusal() const {
  const Message* const said = message();
  if (said == nullptr) return {};
  if (said->refusal && !said->refusal->empty()) return *said->refusal;
  std::string out;
  const auto* const parts = parts_of(said->content);
  if (parts == nullptr) return out;
  for (const ContentPart& part : *parts) {
    if (const auto* const words = std::get_if<RefusalPart>(&part)) out += words->refusal;
  }
  return out;
}

std::vector<const ToolCall*> Response::tool_calls() const& {
  std::vector<const ToolCall*> calls;
  if (const Message* const said = message()) {
    for (const ToolCall& call : said->tool_calls) calls.push_back(&call);
  }
  return calls;
}

Finish Response::finish() const noexcept {
  const Choice* const choice = first_choice(choices);
  return choice != nullptr ? choice->finish() : Finish::none;
}

std::string Delta::text() const { return text_of(content); }

std::string Delta::reasoning_text() const { return reasoning_in(*this); }

Finish ChunkChoice::finish() const noexcept {
  return finish_reason ? finish_of(*finish_reason, !delta.tool_calls.empty()) : Finish::none;
}

std::string Chunk::text() const {
  const ChunkChoice* const choice = first_choice(choices);
  return choice != nullptr && choice->index == 0 ? choice->delta.text() : std::string();
}

std::string Chunk::reasoning_text() const {
  const ChunkChoice* const choice = first_choice(choices);
  return choice != nullptr && choice->index == 0 ? choice->delta.reasoning_text() : std::string();
}

bool operator==(const CacheControl&, const CacheControl&) = default;
bool operator==(const ImageUrl&, const ImageUrl&) = default;
bool operator==(const TextPart&, const TextPart&) = default;
bool operator==(const ImagePart&, const ImagePart&) = default;
bool operator==(const InputAudio&, const InputAudio&) = default;
bool operator==(const AudioPart&, const AudioPart&) = default;
bool operator==(const File&, const File&) = default;
bool operator==(const FilePart&, const FilePart&) = default;
bool operator==(const ReasoningSummary&, const ReasoningSummary&) = default;
bool operator==(const ReasoningPart&, const ReasoningPart&) = default;
bool operator==(const RefusalPart&, const RefusalPart&) = default;
bool operator==(const FunctionCall&, const FunctionCall&) = default;
bool operator==(const CustomCall&, const CustomCall&) = default;
bool operator==(const ToolCall&, const ToolCall&) = default;
bool operator==(const UrlCitation&, const UrlCitation&) = default;
bool operator==(const Annotation&, const Annotation&) = default;
bool operator==(const Message&, const Message&) = default;
bool operator==(const FunctionDefinition&, const FunctionDefinition&) = default;
bool operator==(const Grammar&, const Grammar&) = default;
bool operator==(const CustomToolFormat&, const CustomToolFormat&) = default;
bool operator==(const CustomToolDefinition&, const CustomToolDefinition&) = default;
bool operator==(const Tool&, const Tool&) = default;
bool operator==(const NamedFunction&, const NamedFunction&) = default;
bool operator==(const AllowedTools&, const AllowedTools&) = default;
bool operator==(const NamedToolChoice&, const NamedToolChoice&) = default;
bool operator==(const Prediction&, const Prediction&) = default;
bool operator==(const CustomVoice&, const CustomVoice&) = default;
bool operator==(const AudioOutput&, const AudioOutput&) = default;
bool operator==(const JsonSchema&, const JsonSchema&) = default;
bool operator==(const ResponseFormat&, const ResponseFormat&) = default;
bool operator==(const Thinking&, const Thinking&) = default;
bool operator==(const KeyValue&, const KeyValue&) = default;
bool operator==(const Document&, const Document&) = default;
bool operator==(const Request&, const Request&) = default;
bool operator==(const Logprobs&, const Logprobs&) = default;
bool operator==(const Choice&, const Choice&) = default;
bool operator==(const Response&, const Response&) = default;
bool operator==(const FunctionCallDelta&, const FunctionCallDelta&) = default;
bool operator==(const CustomCallDelta&, const CustomCallDelta&) = default;
bool operator==(const ToolCallDelta&, const ToolCallDelta&) = default;
bool operator==(const Delta&, const Delta&) = default;
bool operator==(const ChunkChoice&, const ChunkChoice&) = default;
bool operator==(const Chunk&, const Chunk&) = default;

}  // namespace inferwire::inline v0_1::chat

namespace inferwire::inline v0_1 {

template class TextOrList<chat::ContentPart>;
template struct detail::Lifetime<chat::CacheControlValue>;
template struct detail::Lifetime<chat::FunctionCall>;
template struct detail::Lifetime<chat::CustomCall>;
template struct detail::Lifetime<chat::UrlCitation>;
template struct detail::Lifetime<chat::ToolChoice>;
template struct detail::Lifetime<chat::Logprobs>;

}  // namespace inferwire::inline v0_1
