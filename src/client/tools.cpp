#include "inferwire/tools.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "client/call.hpp"
#include "json/text.hpp"
#include "wire/tool_call_fold.hpp"

namespace inferwire::inline v0_1 {

namespace {

// What the two rooms differ in.

/// Whether an answer that ended so is whole: nothing of one that was cut is run.
bool is_whole(Finish finish) noexcept {
  return finish != Finish::length && finish != Finish::content_filter && finish != Finish::error;
}
bool is_whole(const chat::Response& response) noexcept { return is_whole(response.finish()); }
bool is_whole(const responses::Response& response) {
  return is_whole(response.finish()) && response.status != responses::Status::incomplete;
}

/// Whether the stream of an answer ended inside one of its calls.
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

/// Why an answer is none.
Error no_answer() {
  return {.kind = ErrorKind::decode, .detail = "the answer is empty: it has neither text nor calls"};
}
std::optional<Error> failure_of(const chat::Response& response) {
  if (response.message() == nullptr) return no_answer();
  return std::nullopt;
}
std::optional<Error> failure_of(const responses::Response& response) {
  using responses::Status;
  const auto& status = response.status;
  if (status == Status::failed) return response.error.value_or(responses::ResponseError()).as_error();
  if (status == Status::completed || status == Status::incomplete) return {};
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

/// What an answer asks of the program, since no function gives it: the types of the items.
std::string awaited(const chat::Response&) { return {}; }
std::string awaited(const responses::Response& response) {
  std::string types;
  for (const responses::Item* const item : response.open_items()) {
    const auto* const unknown = std::get_if<Unknown>(item);
    if (unknown != nullptr) types += (types.empty() ? "" : ", ") + unknown->type();
  }
  return types;
}

bool has_id(const chat::Request& request, const std::string& id) {
  return std::ranges::any_of(request.messages, [&id](const chat::Message& message) {
    return message.tool_call_id == id ||
           std::ranges::find(message.tool_calls, id, &chat::ToolCall::id) != message.tool_calls.end();
  });
}

/// An id that was made up, since the server gave none, may be one that the conversation has already.
void tell_apart(const chat::Request& request, chat::Response& response) {
  for (chat::Choice& choice : response.choices) {
    for (chat::ToolCall& call : choice.message.tool_calls) {
      while (call.has_generated_id() && has_id(request, call.id)) chat::give_another_id(call);
    }
  }
}
void tell_apart(const responses::Request&, const responses::Response&) {}

void add_tools(chat::Request& request, const Toolbox& tools) {
  std::ranges::move(tools.for_chat(), std::back_inserter(request.tools));
}
void add_tools(responses::Request& request, const Toolbox& tools) {
  std::ranges::move(tools.for_responses(), std::back_inserter(request.tools));
}

/// The functions, until the caller cancels.
struct Runner {
  const Toolbox& tools;
  const CancelToken& cancel;

  CalledTool call(std::string id, std::string name, std::string arguments) const {
    auto result =
        cancel.cancelled() ? "The call was not made: the program cancelled it." : tools.call(name, arguments);
    return {std::move(id), std::move(name), std::move(arguments), std::move(result)};
  }
};

/// What an answer calls, and what goes back, in the order of the calls.
std::vector<CalledTool> run(const Runner& runner, const chat::Response& response,
                            std::vector<chat::Message>& results) {
  std::vector<CalledTool> called;
  for (const chat::ToolCall* const one : response.tool_calls()) {
    if (one->function) {
      called.push_back(runner.call(one->id, one->function->name, one->function->arguments));
    } else {
      const auto custom = one->custom.value_or(chat::CustomCall());
      called.push_back(runner.call(one->id, custom.name, custom.input));
    }
    results.push_back(chat::tool(one->id, called.back().result));
  }
  return called;
}

/// A result says who called, which OpenAI's programs of calls need to go on.
template <class Output, class Call>
Output result_of(const Call& call, const std::string& result) {
  Output output;
  output.call_id = call.call_id;
  output.output = result;
  if (const Json* const caller = call.extra.find("caller")) output.extra.set("caller", *caller);
  return output;
}
std::vector<CalledTool> run(const Runner& runner, const responses::Response& response,
                            std::vector<responses::Item>& results) {
  std::vector<CalledTool> called;
  for (const responses::Item* const item : response.open_items()) {
    if (const auto* const one = std::get_if<responses::FunctionCall>(item)) {
      called.push_back(runner.call(one->call_id, one->name, one->arguments));
      results.emplace_back(result_of<responses::FunctionCallOutput>(*one, called.back().result));
    } else if (const auto* const custom = std::get_if<responses::CustomToolCall>(item)) {
      called.push_back(runner.call(custom->call_id, custom->name, custom->input));
      results.emplace_back(result_of<responses::CustomToolCallOutput>(*custom, called.back().result));
    }
  }
  return called;
}

std::vector<chat::Message>& conversation(chat::Request& request) noexcept { return request.messages; }
std::vector<responses::Item>& conversation(responses::Request& request) {
  if (!request.input) request.input = std::vector<responses::Item>();
  if (auto* const text = std::get_if<std::string>(&*request.input)) {
    request.input = std::vector<responses::Item>{responses::user(std::move(*text))};
  }
  return std::get<std::vector<responses::Item>>(*request.input);
}

template <class Element>
void insert(std::vector<Element>& conversation, std::size_t place, std::vector<Element> more) {
  const auto at = conversation.begin() + static_cast<std::ptrdiff_t>(std::min(place, conversation.size()));
  conversation.insert(at, std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// Adds an answer and the results of its calls behind what the answer has seen; more may have been added
/// since.
void add_turn(chat::Request& request, std::size_t seen, const chat::Response& response,
              std::vector<chat::Message> results) {
  if (const auto* const message = response.message()) results.insert(results.begin(), message->as_request());
  insert(request.messages, seen, std::move(results));
}
void add_turn(responses::Request& request, std::size_t seen, const responses::Response& response,
              std::vector<responses::Item> results) {
  auto& items = conversation(request);
  if (request.conversation) {  // the server keeps what it has seen, and its answer
    items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(std::min(seen, items.size())));
    return insert(items, 0, std::move(results));
  }
  insert(results, 0, response.to_input_items());
  insert(items, seen, std::move(results));
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
template <class Details>
void add(Optional<Details>& sums, Optional<std::int64_t> Details::* sum,
         const Optional<std::int64_t>& tokens) {
  if (!tokens) return;
  if (!sums) sums.emplace();
  add((*sums).*sum, tokens);
}
void add(Usage& sum, const Usage& usage) {
  add(sum.prompt_tokens, usage.prompt());
  add(sum.completion_tokens, usage.completion());
  add(sum.total_tokens, usage.total());
  add(sum.prompt_tokens_details, &PromptTokensDetails::cached_tokens, usage.cached());
  add(sum.prompt_tokens_details, &PromptTokensDetails::cache_write_tokens, usage.cache_write());
  add(sum.completion_tokens_details, &CompletionTokensDetails::reasoning_tokens, usage.reasoning());
}

/// The members of an object in its text, without the brackets.
std::string members_of(const ToolGrammar& grammar) {
  return R"("syntax":)" + Json::string(grammar.syntax).text() + R"(,"definition":)" +
         Json::string(grammar.definition).text();
}

}  // namespace

std::string_view name(ToolLoopState state) noexcept {
  switch (state) {
    case ToolLoopState::asking: return "asking";
    case ToolLoopState::answered: return "answered";
    case ToolLoopState::waiting: return "waiting";
    case ToolLoopState::cut: return "cut";
    case ToolLoopState::exhausted: return "exhausted";
    case ToolLoopState::failed: return "failed";
  }
  return "unknown";
}

Toolbox& Toolbox::add(std::string name, std::string description, Json parameters, Function function) {
  std::erase_if(tools_, [&name](const Tool& tool) { return tool.name == name; });
  tools_.push_back({std::move(name), std::move(description), std::move(parameters), std::move(function)});
  return *this;
}

Toolbox& Toolbox::add_custom(std::string name, std::string description, TextFunction function,
                             Optional<ToolGrammar> grammar) {
  add(std::move(name), std::move(description), Json(), Function());
  tools_.back().text_function = std::move(function);
  tools_.back().grammar = std::move(grammar);
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
    if (tool.text_function) {
      std::string custom = R"({"name":)" + Json::string(tool.name).text() + R"(,"description":)" +
                           Json::string(tool.description).text();
      if (tool.grammar) {
        custom += R"(,"format":{"type":"grammar","grammar":{)" + members_of(*tool.grammar) + "}}";
      }
      definitions.push_back({.type = "custom"});
      definitions.back().extra.set("custom", Json::raw(custom + "}"));
      continue;
    }
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
    if (tool.text_function) {
      definitions.push_back({.type = "custom", .name = tool.name, .description = tool.description});
      if (tool.grammar) {
        auto format = R"({"type":"grammar",)" + members_of(*tool.grammar) + "}";
        definitions.back().extra.set("format", Json::raw(std::move(format)));
      }
      continue;
    }
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
    for (const Tool& one : tools_) known += (known.empty() ? " There are: " : ", ") + one.name;
    return "There is no tool '" + std::string(name) + "'." + known + (known.empty() ? "" : ".");
  }
  const bool blank = arguments.find_first_not_of(" \t\r\n") == std::string_view::npos;
  const bool custom = tool->text_function != nullptr;
  const auto document = Json::parse(blank || custom ? std::string_view("{}") : arguments);
  if (!document) return "The arguments are not JSON: " + document.error().detail + ".";
  if (!document->is_object()) return "The arguments are not a JSON object.";
  try {
    const auto result = custom ? tool->text_function(std::string(arguments)) : tool->function(*document);
    const auto is_text = [](std::string_view text) { return json::invalid_utf8(text) == text.npos; };
    if (result) return is_text(*result) ? *result : "The call failed: its text is not UTF-8.";
    const auto& error = result.error();
    const auto why = error.path.empty() ? error.detail : error.path + ": " + error.detail;
    return is_text(why) ? "The call failed: " + why + "." : "The call failed.";
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
void ToolLoopOf<Request, Response>::take(Result<Response> reply, const CancelToken& cancel) {
  calls_.clear();
  error_.reset();
  if (!reply) return end(ToolLoopState::failed, std::move(reply).error());
  response_ = *std::move(reply);
  tell_apart(request_, response_);
  seen_ = conversation(request_).size();
  --left_;
  if (response_.usage) add(usage_, *response_.usage);
  if (auto failure = failure_of(response_)) {
    end(ToolLoopState::failed, *std::move(failure));
  } else if (!has_calls(response_) && awaited(response_).empty()) {
    add_turn(request_, seen_, response_, {});
    seen_ = conversation(request_).size();
    state_ = ToolLoopState::answered;
  } else if (!is_whole(response_)) {
    const bool filtered = response_.finish() == Finish::content_filter;
    end(ToolLoopState::cut, Error{.kind = filtered ? ErrorKind::content_filter : ErrorKind::length,
                                  .detail = "an answer that calls tools was cut, so none was run"});
  } else if (has_cut_calls(response_)) {
    end(ToolLoopState::cut, Error{.kind = ErrorKind::truncated,
                                  .detail = "the stream ended inside of what it calls, so none was run"});
  } else if (left_ <= 0 && has_calls(response_)) {
    end(ToolLoopState::exhausted,
        Error{.kind = ErrorKind::tool,
              .detail = "the model still calls tools after " + std::to_string(most_requests_) + " requests"});
  } else {
    run_calls(cancel);
    const bool waits = state_ == ToolLoopState::waiting;
    if (cancel.cancelled()) end(waits ? state_ : ToolLoopState::failed, client::cancelled());
  }
}

template <class Request, class Response>
void ToolLoopOf<Request, Response>::take(Collected<Response> reply, const CancelToken& cancel) {
  take(std::move(reply).result(), cancel);
}

template <class Request, class Response>
Result<Response> ToolLoopOf<Request, Response>::run(const Client& client, const CallOptions& options) {
  const bool may_be_added = state_ == ToolLoopState::answered || state_ == ToolLoopState::waiting;
  if (may_be_added && conversation(request_).size() > seen_) go_on();
  // The requests are counted on: it may fail each time, after calls have been run.
  if (state_ == ToolLoopState::failed) state_ = ToolLoopState::asking;
  while (state_ == ToolLoopState::asking) take(ask(client, request_, options), options.cancel);
  if (error_) return *error_;
  return response_;
}

template <class Request, class Response>
void ToolLoopOf<Request, Response>::go_on() {
  error_.reset();
  left_ = most_requests_;
  const bool has_calls_left = std::exchange(state_, ToolLoopState::asking) == ToolLoopState::exhausted;
  if (has_calls_left) run_calls({});
}

template <class Request, class Response>
void ToolLoopOf<Request, Response>::run_calls(const CancelToken& cancel) {
  std::remove_reference_t<decltype(conversation(request_))> results;
  calls_ = inferwire::run({*tools_, cancel}, response_, results);
  add_turn(request_, seen_, response_, std::move(results));
  const auto types = awaited(response_);
  if (types.empty()) return;
  seen_ = conversation(request_).size();
  end(ToolLoopState::waiting, Error{.kind = ErrorKind::tool,
                                    .detail = "the model waits for an answer of the program's to: " + types});
}

template <class Request, class Response>
void ToolLoopOf<Request, Response>::end(ToolLoopState state, Error error) {
  state_ = state;
  error_ = std::move(error);
}

// Marked here too: a template is shown no more than its arguments are.
template class INFERWIRE_API ToolLoopOf<chat::Request, chat::Response>;
template class INFERWIRE_API ToolLoopOf<responses::Request, responses::Response>;

}  // namespace inferwire::inline v0_1
