#include "inferwire/responses.hpp"

#include "base/utf8.hpp"
#include "json/edit.hpp"
#include "json/text_at.hpp"
#include "wire/arguments.hpp"
#include "wire/documents.hpp"
#include "wire/error_kind.hpp"
#include "wire/parts_of.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace inferwire::inline v0_1::responses {
namespace {

using wire::parts_of;

/// Longer ids are refused, although servers issue them.
constexpr std::size_t longest_id = 64;

/// Members of received items that must not be sent. (openai-node 7b7d6ca, toResponseInputItems; Databricks)
constexpr std::array<std::string_view, 3> output_only{"created_by", "parsed", "parsed_arguments"};

void cut(Optional<std::string>& id) {
  if (id) id->resize(utf8::whole_characters(*id, longest_id).size());
}

Extra without_output_only(const Extra& extra) {
  Extra out;
  for (const Member& member : extra) {
    const bool refused =
        member.value.is_null() || std::ranges::find(output_only, member.name) != output_only.end();
    if (!refused) out.append(member.name, member.value);
  }
  return out;
}

void clean(Message& message) {
  auto* const parts = parts_of(message.content);
  if (parts == nullptr) return;
  for (ContentPart& part : *parts) {
    auto* const text = std::get_if<OutputText>(&part);
    if (text == nullptr) continue;
    text->logprobs.reset();
    text->extra = without_output_only(text->extra);
  }
}
void clean(FunctionCall& call) { wire::mend_arguments(call.arguments); }
template <class T>
void clean(T&) {}

template <class T>
Item as_input(T item) {
  if constexpr (requires { item.status.reset(); }) item.status.reset();
  if constexpr (requires { cut(item.id); }) cut(item.id);
  item.extra = without_output_only(item.extra);
  clean(item);
  return item;
}

/// Removes `created_by`, which items of hosted tools and the pieces of their output may not have.
/// (openai-node b3e607d, toResponseInputItem)
std::string without_creator(std::string object) {
  std::ignore = json::remove(object, "/created_by");
  return object;
}
Item as_input(Unknown item) {
  const std::string& text = item.json.text();
  if (text.find("\"created_by\"") == text.npos) return item;
  auto cleaned = without_creator(text);
  if (const auto output = item.json.find("/output"); output && output->is_array()) {
    std::string pieces;
    for (const Json& piece : output->items()) {
      if (!pieces.empty()) pieces += ',';
      pieces += without_creator(piece.text());
    }
    std::ignore = json::replace(cleaned, "/output", "[" + pieces + "]");
  }
  return Unknown{Json::raw(std::move(cleaned))};
}

/// The id that an answer to the item must name: its own, or that of its call. Nothing: it needs no answer, or
/// only from the server itself. (OpenAI: guides of MCP, shell, apply patch, computer use and tool search)
Optional<std::string> asks_by(const Item& item) {
  if (const auto* const call = std::get_if<FunctionCall>(&item)) return call->call_id;
  if (const auto* const custom = std::get_if<CustomToolCall>(&item)) return custom->call_id;
  const auto* const unknown = std::get_if<Unknown>(&item);
  if (unknown == nullptr) return {};
  constexpr std::array<std::string_view, 4> calls{"shell_call", "apply_patch_call", "computer_call",
                                                  "local_shell_call"};
  const auto type = unknown->type();
  if (type == "mcp_approval_request") return json::text_at(unknown->json, "/id");
  const bool by_program =
      type == "tool_search_call" && json::text_at(unknown->json, "/execution") == "client";
  if (by_program || std::ranges::find(calls, type) != calls.end())
    return json::text_at(unknown->json, "/call_id");
  return {};
}
Optional<std::string> answers_to(const Item& item) {
  if (const auto* const output = std::get_if<FunctionCallOutput>(&item)) return output->call_id;
  if (const auto* const output = std::get_if<CustomToolCallOutput>(&item)) return output->call_id;
  const auto* const unknown = std::get_if<Unknown>(&item);
  if (unknown == nullptr) return {};
  if (unknown->type() == "mcp_approval_response") return json::text_at(unknown->json, "/approval_request_id");
  if (unknown->type().ends_with("_output")) return json::text_at(unknown->json, "/call_id");
  return {};
}

/// Whether only the server that made this reasoning can resolve it.
bool is_reference(const Item& item) noexcept {
  const auto* const reasoning = std::get_if<Reasoning>(&item);
  return reasoning != nullptr && !reasoning->encrypted_content && reasoning->content.empty();
}

bool is_reasoning(const Item& item) noexcept { return std::holds_alternative<Reasoning>(item); }

/// Removes the id, by which OpenAI finds the reasoning that an item belongs to and requires it to be sent,
/// from items that do not need one.
void forget_id(Item& item) noexcept {
  if (auto* const message = std::get_if<Message>(&item)) message->id.reset();
  if (auto* const call = std::get_if<FunctionCall>(&item)) call->id.reset();
  if (auto* const custom = std::get_if<CustomToolCall>(&item)) custom->id.reset();
}

}  // namespace

bool ResponseError::retryable() const { return as_error().retryable; }

Error ResponseError::as_error() const {
  Error error{.detail = message.empty() ? "the response failed" : message,
              .code = code,
              .type = type.value_or(""),
              .param = param.value_or("")};
  wire::judge_embedded(error);
  error.kind = ErrorKind::response_failed;
  return error;
}

std::string Response::output_text() const {
  std::string out;
  for (const Item& item : output) {
    const auto* const message = std::get_if<Message>(&item);
    if (message == nullptr || !message->content) continue;
    const auto* const parts = parts_of(message->content);
    if (parts == nullptr) {
      out += std::get<std::string>(*message->content);
      continue;
    }
    for (const ContentPart& part : *parts) {
      if (const auto* said = std::get_if<OutputText>(&part)) out += said->text;
    }
  }
  return out;
}

std::string Response::reasoning_text() const {
  std::string out;
  for (const Item& item : output) {
    const auto* const thought = std::get_if<Reasoning>(&item);
    if (thought == nullptr) continue;
    for (const ReasoningText& piece : thought->content.empty() ? thought->summary : thought->content) {
      out += piece.text;
    }
  }
  return out;
}

std::string Response::refusal() const {
  std::string out;
  for (const Item& item : output) {
    const auto* const message = std::get_if<Message>(&item);
    const auto* const parts = message != nullptr ? parts_of(message->content) : nullptr;
    if (parts == nullptr) continue;
    for (const ContentPart& part : *parts) {
      if (const auto* words = std::get_if<Refusal>(&part)) out += words->refusal;
    }
  }
  return out;
}

std::vector<const FunctionCall*> Response::tool_calls() const& {
  std::vector<const FunctionCall*> calls;
  for (const Item& item : output) {
    if (const auto* call = std::get_if<FunctionCall>(&item)) calls.push_back(call);
  }
  return calls;
}

std::vector<const Item*> Response::open_items() const& {
  std::set<std::string> answered;
  for (const Item& item : output) {
    if (auto call = answers_to(item); call && !call->empty()) answered.insert(*std::move(call));
  }
  std::vector<const Item*> open;
  for (const Item& item : output) {
    const auto call = asks_by(item);
    if (call && !answered.contains(*call)) open.push_back(&item);
  }
  return open;
}

Finish Response::finish() const {
  if (!status) return Finish::none;
  if (status == ResponseStatus::failed) return Finish::error;
  if (status == ResponseStatus::completed) return open_items().empty() ? Finish::stop : Finish::tool_calls;
  if (status == ResponseStatus::incomplete) {
    const std::string_view reason = incomplete_details ? std::string_view(incomplete_details->reason) : "";
    if (reason == "max_output_tokens") return Finish::length;
    return reason == "content_filter" ? Finish::content_filter : Finish::other;
  }
  const bool under_way = status == ResponseStatus::queued || status == ResponseStatus::in_progress;
  return under_way ? Finish::none : Finish::other;
}

Optional<Error> Response::failure() const {
  if (status != ResponseStatus::failed) return {};
  if (error) return error->as_error();
  const Json* const words = extra.find("error");  // instead of an object
  return ResponseError{.message = words != nullptr ? words->as_string().value_or("") : ""}.as_error();
}

std::vector<Item> Response::to_input_items() const {
  // OpenAI refuses reasoning that nothing follows, as in an answer that was cut off while the model reasoned:
  // "of type 'reasoning' was provided without its required following item".
  const std::span followed(output.begin(),
                           std::find_if_not(output.rbegin(), output.rend(), is_reasoning).base());
  const bool is_reasoning_lost = store == false && std::ranges::any_of(followed, is_reference);
  std::vector<Item> items;
  items.reserve(followed.size());
  for (const Item& item : followed) {
    if (is_reasoning_lost && is_reference(item)) continue;
    items.push_back(std::visit([](const auto& kind) { return as_input(kind); }, item));
    if (is_reasoning_lost) forget_id(items.back());
  }
  return items;
}

Result<Json> to_json(const Item& item) { return wire::encoded(item); }
Result<Json> to_json(const std::vector<Item>& items) { return wire::encoded(items); }
Result<Json> to_json(const Request& request) { return wire::encoded(request); }
Result<Json> to_json(const Response& response) { return wire::encoded(response); }
Result<Json> to_json(const Event& event) { return wire::encoded(event); }
Result<Json> to_json(const List& list) { return wire::encoded(list); }
Result<Json> to_json(const Deletion& deletion) { return wire::encoded(deletion); }

bool operator==(const CustomToolFormat&, const CustomToolFormat&) = default;
bool operator==(const Tool&, const Tool&) = default;
bool operator==(const NamedToolChoice&, const NamedToolChoice&) = default;
bool operator==(const TextFormat&, const TextFormat&) = default;
bool operator==(const TextConfig&, const TextConfig&) = default;
bool operator==(const ReasoningConfig&, const ReasoningConfig&) = default;
bool operator==(const Prompt&, const Prompt&) = default;
bool operator==(const Conversation&, const Conversation&) = default;
bool operator==(const Request&, const Request&) = default;
bool operator==(const ResponseError&, const ResponseError&) = default;
bool operator==(const IncompleteDetails&, const IncompleteDetails&) = default;
bool operator==(const Response&, const Response&) = default;
bool operator==(const List&, const List&) = default;
bool operator==(const Deletion&, const Deletion&) = default;

}  // namespace inferwire::inline v0_1::responses

namespace inferwire::inline v0_1 {

INFERWIRE_FROM_JSON(responses::Item, strict)
INFERWIRE_FROM_JSON(std::vector<responses::Item>, strict)
INFERWIRE_FROM_JSON(responses::Request, strict)
INFERWIRE_FROM_JSON(responses::Response, tolerant)
INFERWIRE_FROM_JSON(responses::Event, tolerant)
INFERWIRE_FROM_JSON(responses::List, tolerant)
INFERWIRE_FROM_JSON(responses::Deletion, tolerant)

template struct detail::Lifetime<responses::ToolChoice>;

}  // namespace inferwire::inline v0_1
