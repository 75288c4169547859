#include "inferwire/tools.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "wire/first_choice.hpp"

namespace inferwire::inline v0_1 {

namespace {

// What the two rooms differ in.

/// Whether what an answer that ended so calls may be run: all of it has come, and nobody has stepped in.
bool may_run(Finish finish) noexcept {
  return finish == Finish::tool_calls || finish == Finish::stop || finish == Finish::none;
}

const std::vector<chat::ToolCall>& calls_of(const chat::Response& response) noexcept {
  static const std::vector<chat::ToolCall> none;
  const auto* const choice = wire::first_choice(response.choices);
  return choice != nullptr ? choice->message.tool_calls : none;
}

bool has_calls(const chat::Response& response) noexcept { return !calls_of(response).empty(); }
bool has_calls(const responses::Response& response) noexcept {
  return std::ranges::any_of(response.output, [](const responses::Item& item) {
    return std::holds_alternative<responses::FunctionCall>(item) ||
           std::holds_alternative<responses::CustomToolCall>(item);
  });
}

void add_tools(chat::Request& request, const Toolbox& tools) {
  std::ranges::move(tools.for_chat(), std::back_inserter(request.tools));
}
void add_tools(responses::Request& request, const Toolbox& tools) {
  std::ranges::move(tools.for_responses(), std::back_inserter(request.tools));
}

void add_answer(chat::Request& request, const chat::Response& response) {
  const auto* const choice = wire::first_choice(response.choices);
  if (choice != nullptr) request.messages.push_back(choice->message.as_request());
}

/// The conversation so far, for more of it.
std::vector<responses::Item>& items_of(responses::Request& request) {
  if (auto* const text = std::get_if<std::string>(&request.input)) {
    std::vector<responses::Item> items;
    if (!text->empty()) items.emplace_back(responses::user(std::move(*text)));
    request.input = std::move(items);
  }
  return std::get<std::vector<responses::Item>>(request.input);
}

void add_answer(responses::Request& request, const responses::Response& response) {
  auto& items = items_of(request);
  // A conversation that the server keeps has both by now.
  if (request.conversation) return items.clear();
  std::ranges::move(response.to_input_items(), std::back_inserter(items));
}

CalledTool call(const Toolbox& tools, std::string id, std::string name, std::string arguments) {
  auto result = tools.call(name, arguments);
  return {std::move(id), std::move(name), std::move(arguments), std::move(result)};
}

std::vector<CalledTool> answer_calls(const Toolbox& tools, chat::Request& request,
                                     const chat::Response& response) {
  std::vector<CalledTool> called;
  for (const chat::ToolCall& one : calls_of(response)) {
    const auto name = one.function ? one.function->name : one.custom ? one.custom->name : std::string();
    called.push_back(call(tools, one.id, name, one.function ? one.function->arguments : std::string()));
    request.messages.push_back(chat::tool(one.id, called.back().result));
  }
  return called;
}

std::vector<CalledTool> answer_calls(const Toolbox& tools, responses::Request& request,
                                     const responses::Response& response) {
  std::vector<CalledTool> called;
  for (const responses::Item& item : response.output) {
    if (const auto* const one = std::get_if<responses::FunctionCall>(&item)) {
      called.push_back(call(tools, one->call_id, one->name, one->arguments));
      items_of(request).emplace_back(responses::function_output(one->call_id, called.back().result));
    } else if (const auto* const custom = std::get_if<responses::CustomToolCall>(&item)) {
      called.push_back(call(tools, custom->call_id, custom->name, {}));
      responses::CustomToolCallOutput output;
      output.call_id = custom->call_id;
      output.output = called.back().result;
      items_of(request).emplace_back(std::move(output));
    }
  }
  return called;
}

Result<chat::Response> ask(const Client& client, const chat::Request& request, const CallOptions& options) {
  return client.chat.create(request, options);
}
Result<responses::Response> ask(const Client& client, const responses::Request& request,
                                const CallOptions& options) {
  return client.responses.create(request, options);
}

void add(Optional<std::int64_t>& sum, const Optional<std::int64_t>& tokens) {
  if (tokens) sum = sum.value_or(0) + *tokens;
}

}  // namespace

Toolbox& Toolbox::add(std::string name, std::string description, Json parameters, Function function) {
  std::erase_if(tools_, [&name](const Tool& tool) { return tool.name == name; });
  tools_.push_back({std::move(name), std::move(description), std::move(parameters), std::move(function)});
  return *this;
}

Toolbox& Toolbox::set_strict(bool strict) noexcept {
  strict_ = strict;
  return *this;
}

Json Toolbox::no_parameters() {
  return Json::raw(R"({"type":"object","properties":{},"required":[],"additionalProperties":false})");
}

std::vector<chat::Tool> Toolbox::for_chat() const {
  std::vector<chat::Tool> definitions;
  for (const Tool& tool : tools_) {
    definitions.push_back({.function = chat::FunctionDefinition{.name = tool.name,
                                                                .description = tool.description,
                                                                .parameters = tool.parameters,
                                                                .strict = strict_}});
  }
  return definitions;
}

std::vector<responses::Tool> Toolbox::for_responses() const {
  std::vector<responses::Tool> definitions;
  for (const Tool& tool : tools_) {
    definitions.push_back({.name = tool.name,
                           .description = tool.description,
                           .parameters = tool.parameters,
                           .strict = strict_});
  }
  return definitions;
}

std::string Toolbox::call(std::string_view name, std::string_view arguments) const {
  const auto tool = std::ranges::find(tools_, name, &Tool::name);
  if (tool == tools_.end()) {
    std::string known;
    for (const Tool& one : tools_) known += (known.empty() ? "" : ", ") + one.name;
    return "There is no tool '" + std::string(name) + "'. There are: " + known + ".";
  }
  const bool blank = arguments.find_first_not_of(" \t\r\n") == std::string_view::npos;
  const auto document = Json::parse(blank ? std::string_view("{}") : arguments);
  if (!document) return "The arguments are not JSON: " + document.error().detail + ".";
  if (!document->is_object()) return "The arguments are not a JSON object.";
  try {
    const auto result = tool->function(*document);
    if (result) return *result;
    const auto& error = result.error();
    return "The call failed: " + (error.path.empty() ? "" : error.path + ": ") + error.detail + ".";
  } catch (...) {  // what it says may not be for the model
    return "The call failed.";
  }
}

template <class Request, class Response>
ToolLoopOf<Request, Response>::ToolLoopOf(Request request, const Toolbox& tools, int most_requests)
    : request_(std::move(request)), tools_(&tools), most_requests_(most_requests), left_(most_requests) {
  add_tools(request_, tools);
}

template <class Request, class Response>
void ToolLoopOf<Request, Response>::take(Result<Response> reply) {
  calls_.clear();
  error_.reset();
  if (!reply) {
    error_ = std::move(reply).error();
    state_ = ToolLoopState::failed;
    return;
  }
  response_ = *std::move(reply);
  --left_;
  if (response_.usage) {
    add(usage_.prompt_tokens, response_.usage->prompt());
    add(usage_.completion_tokens, response_.usage->completion());
    add(usage_.total_tokens, response_.usage->total());
  }
  if (!has_calls(response_)) {
    add_answer(request_, response_);
    state_ = ToolLoopState::answered;
  } else if (!may_run(response_.finish())) {
    state_ = ToolLoopState::cut;
  } else if (left_ <= 0) {
    state_ = ToolLoopState::exhausted;
  } else {
    run_calls();
  }
}

template <class Request, class Response>
void ToolLoopOf<Request, Response>::take(Collected<Response> reply) {
  if (reply.error) return take(Result<Response>(*std::move(reply.error)));
  take(Result<Response>(std::move(reply.response)));
}

template <class Request, class Response>
Result<Response> ToolLoopOf<Request, Response>::run(const Client& client, const CallOptions& options) {
  if (state_ == ToolLoopState::failed) go_on();
  while (state_ == ToolLoopState::asking) take(ask(client, request_, options));
  if (error_) return *error_;
  return response_;
}

template <class Request, class Response>
void ToolLoopOf<Request, Response>::go_on() {
  if (state_ == ToolLoopState::exhausted) run_calls();
  left_ = most_requests_;
  state_ = ToolLoopState::asking;
}

/// Each call gets one answer, in the order of the calls.
template <class Request, class Response>
void ToolLoopOf<Request, Response>::run_calls() {
  add_answer(request_, response_);
  calls_ = answer_calls(*tools_, request_, response_);
}

// Marked here too: a template is shown no more than its arguments are.
template class INFERWIRE_API ToolLoopOf<chat::Request, chat::Response>;
template class INFERWIRE_API ToolLoopOf<responses::Request, responses::Response>;

}  // namespace inferwire::inline v0_1
