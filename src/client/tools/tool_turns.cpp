#include "client/tools/tool_turns.hpp"

#include "wire/tool_call_ids.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace inferwire::inline v0_1::client {

namespace {

/// The error of an empty answer.
Error no_answer() {
  return {.kind = ErrorKind::decode, .detail = "the answer is empty: it has neither text nor calls"};
}

bool has_id(const chat::Request& request, const std::string& id) {
  return std::ranges::any_of(request.messages, [&id](const chat::Message& message) {
    return message.tool_call_id == id ||
           std::ranges::find(message.tool_calls, id, &chat::ToolCall::id) != message.tool_calls.end();
  });
}

/// A result repeats the call's caller, which OpenAI's programmatic tool calls need to go on.
template <class Output, class Call>
Output result_of(const Call& call, const std::string& result) {
  Output output;
  output.call_id = call.call_id;
  output.output = result;
  if (const Json* const caller = call.extra.find("caller")) output.extra.set("caller", *caller);
  return output;
}

std::string_view name_of_tool(const chat::Tool& tool) noexcept {
  if (tool.function) return tool.function->name;
  return tool.custom ? std::string_view(tool.custom->name) : std::string_view();
}
std::string_view name_of_tool(const responses::Tool& tool) noexcept { return tool.name; }

/// Adds tools in place of those of the same names: services refuse a request that has a name twice.
template <class Tool>
void put(std::vector<Tool>& tools, std::vector<Tool> more) {
  for (Tool& one : more) {
    std::erase_if(tools, [&one](const Tool& tool) { return name_of_tool(tool) == name_of_tool(one); });
    tools.push_back(std::move(one));
  }
}

/// How much reasoning an answer that follows in a conversation keeps. After calls with reasoning DeepSeek
/// refuses requests in which it is absent; others have at least accepted those calls, and so the members.
chat::KeepReasoning kept_reasoning(const chat::Request& request) {
  const bool accepted = std::ranges::any_of(request.messages, [](const chat::Message& message) {
    return !message.tool_calls.empty() && (message.reasoning_content || message.reasoning);
  });
  return accepted ? chat::KeepReasoning::always : chat::KeepReasoning::beside_calls;
}

template <class Element>
void insert(std::vector<Element>& conversation, std::size_t place, std::vector<Element> more) {
  const auto at = conversation.begin() + static_cast<std::ptrdiff_t>(std::min(place, conversation.size()));
  conversation.insert(at, std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

bool is_of_model(const chat::Role& role) { return role == chat::Role::assistant; }

/// Whether an element may stand between others that belong together, such as a call and its result.
bool is_inside_turn(const chat::Message& message) {
  return is_of_model(message.role) || message.tool_call_id || message.role == chat::Role::tool;
}
bool is_inside_turn(const responses::Item& item) {
  const auto* const message = std::get_if<responses::Message>(&item);
  return message == nullptr || is_of_model(message->role);
}

/// Looks for `last` where it was first: the program may have added an equal one behind it.
template <class Element>
std::size_t place_behind(const Element& last, const std::vector<Element>& conversation, std::size_t seen) {
  if (seen <= conversation.size() && conversation[seen - 1] == last) return seen;
  const auto found = std::find(conversation.rbegin(), conversation.rend(), last);
  if (found != conversation.rend()) return static_cast<std::size_t>(conversation.rend() - found);
  std::size_t place = std::min(seen, conversation.size());
  while (place < conversation.size() && is_inside_turn(conversation[place])) ++place;
  return place;
}

}  // namespace

void add_tools(chat::Request& request, const Toolbox& tools) { put(request.tools, tools.for_chat()); }
void add_tools(responses::Request& request, const Toolbox& tools) {
  put(request.tools, tools.for_responses());
}

std::vector<chat::Message>& conversation(chat::Request& request) noexcept { return request.messages; }
std::vector<responses::Item>& conversation(responses::Request& request) {
  if (!request.input) request.input = std::vector<responses::Item>();
  if (auto* const text = std::get_if<std::string>(&*request.input)) {
    request.input = {responses::user(std::move(*text))};
  }
  return std::get<std::vector<responses::Item>>(*request.input);
}

chat::Request end_of(const chat::Request& request) {
  chat::Request end;
  if (!request.messages.empty()) end.messages = {request.messages.back()};
  return end;
}
responses::Request end_of(responses::Request& request) {
  responses::Request end;
  if (const auto& items = conversation(request); !items.empty()) end.input = {items.back()};
  end.previous_response_id = request.previous_response_id;
  return end;
}

void drop_stored(chat::Request&) noexcept {}
void drop_stored(responses::Request& request) {
  if (request.conversation) conversation(request).clear();
}

std::size_t place_of_turn(chat::Request& request, chat::Request end, std::size_t seen) {
  return seen == 0 ? 0 : place_behind(conversation(end).back(), conversation(request), seen);
}
std::size_t place_of_turn(responses::Request& request, responses::Request end, std::size_t seen) {
  return seen == 0 ? 0 : place_behind(conversation(end).back(), conversation(request), seen);
}

Result<chat::Response> ask(const Client& client, const chat::Request& request, const CallOptions& options) {
  return client.chat.create(request, options);
}
Result<responses::Response> ask(const Client& client, const responses::Request& request,
                                const CallOptions& options) {
  return client.responses.create(request, options);
}

void make_ids_unique(const chat::Request& request, chat::Response& response) {
  for (chat::Choice& choice : response.choices) {
    for (chat::ToolCall& call : choice.message.tool_calls) {
      while (call.has_generated_id() && has_id(request, call.id)) wire::give_another_id(call);
    }
  }
}
void make_ids_unique(const responses::Request&, const responses::Response&) {}

std::optional<Error> failure_of(const chat::Response& response) {
  const auto* const message = response.message();
  if (message == nullptr) return no_answer();
  // The deprecated function_call is for the program: it has no id that a result could name.
  if (has_calls(response) || message->function_call) return std::nullopt;
  const auto finish = response.finish();
  if (finish == Finish::tool_calls) {
    return Error{.kind = ErrorKind::decode,
                 .detail = "the answer's finish_reason says that it calls tools, but it has no calls"};
  }
  // Gemini leaves out a call that it could not read.
  if (finish == Finish::error && message->text().empty()) {
    return Error{.kind = ErrorKind::truncated,
                 .detail = "the server broke the answer off before it had text or calls"};
  }
  return std::nullopt;
}
std::optional<Error> failure_of(const responses::Response& response) {
  using responses::ResponseStatus;
  const auto& status = response.status;
  if (auto failure = response.failure()) return failure;
  if (status == ResponseStatus::completed || status == ResponseStatus::incomplete) return {};
  if (!status || status->empty()) return response.output.empty() ? std::optional(no_answer()) : std::nullopt;
  return Error{.kind = ErrorKind::response_failed,
               .detail = "the response is not complete: its status is '" + status->str() + "'"};
}

bool has_calls(const chat::Response& response) noexcept { return !response.tool_calls().empty(); }
bool has_calls(const responses::Response& response) {
  return std::ranges::any_of(response.open_items(), [](const responses::Item* item) {
    return !std::holds_alternative<Unknown>(*item);
  });
}

std::string awaited(const chat::Response&) { return {}; }
std::string awaited(const responses::Response& response) {
  std::string types;
  for (const responses::Item* const item : response.open_items()) {
    const auto* const unknown = std::get_if<Unknown>(item);
    if (unknown != nullptr) types += (types.empty() ? "" : ", ") + unknown->type();
  }
  return types;
}

bool is_whole(const chat::Response& response) noexcept { return !wire::is_cut(response.finish()); }
bool is_whole(const responses::Response& response) {
  return response.status != responses::ResponseStatus::incomplete;
}

bool has_cut_calls(const chat::Response& response) {
  return std::ranges::any_of(response.tool_calls(),
                             [](const chat::ToolCall* call) { return call->is_incomplete(); });
}
bool has_cut_calls(const responses::Response& response) {
  return std::ranges::any_of(response.output, [](const responses::Item& item) {
    const auto* const call = std::get_if<responses::FunctionCall>(&item);
    const auto* const custom = std::get_if<responses::CustomToolCall>(&item);
    return (call != nullptr && call->is_incomplete()) || (custom != nullptr && custom->is_incomplete());
  });
}

std::vector<CalledTool> calls_of(const chat::Response& response) {
  std::vector<CalledTool> calls;
  for (const chat::ToolCall* const one : response.tool_calls()) {
    if (one->function) {
      calls.push_back({.id = one->id, .name = one->function->name, .arguments = one->function->arguments});
    } else {
      const auto custom = one->custom.value_or(chat::CustomCall());
      calls.push_back({.id = one->id, .name = custom.name, .arguments = custom.input});
    }
  }
  return calls;
}
std::vector<CalledTool> calls_of(const responses::Response& response) {
  std::vector<CalledTool> calls;
  for (const responses::Item* const item : response.open_items()) {
    if (const auto* const one = std::get_if<responses::FunctionCall>(item)) {
      calls.push_back({.id = one->call_id, .name = one->name, .arguments = one->arguments});
    } else if (const auto* const custom = std::get_if<responses::CustomToolCall>(item)) {
      calls.push_back({.id = custom->call_id, .name = custom->name, .arguments = custom->input});
    }
  }
  return calls;
}

void add_turn(chat::Request& request, std::size_t seen, const chat::Response& response,
              std::span<const CalledTool> calls) {
  std::vector<chat::Message> turn;
  if (auto message = response.as_request(kept_reasoning(request))) turn.push_back(*std::move(message));
  for (const CalledTool& call : calls) turn.push_back(chat::tool(call.id, call.result));
  insert(request.messages, seen, std::move(turn));
}
void add_turn(responses::Request& request, std::size_t seen, const responses::Response& response,
              std::span<const CalledTool> calls) {
  auto& items = conversation(request);
  std::vector<responses::Item> turn;
  if (request.conversation) {  // the server stores the input it has seen, and its answer
    items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(std::min(seen, items.size())));
    seen = 0;
  } else {
    turn = response.to_input_items();
  }
  auto call = calls.begin();
  for (const responses::Item* const item : response.open_items()) {
    if (call == calls.end()) break;
    if (const auto* const one = std::get_if<responses::FunctionCall>(item)) {
      turn.emplace_back(result_of<responses::FunctionCallOutput>(*one, (call++)->result));
    } else if (const auto* const custom = std::get_if<responses::CustomToolCall>(item)) {
      turn.emplace_back(result_of<responses::CustomToolCallOutput>(*custom, (call++)->result));
    }
  }
  insert(items, seen, std::move(turn));
}

}  // namespace inferwire::inline v0_1::client
