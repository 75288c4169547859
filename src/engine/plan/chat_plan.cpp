#include "engine/plan/chat_plan.hpp"

#include "engine/endpoints.hpp"
#include "engine/plan/attachment.hpp"
#include "engine/plan/chat_check.hpp"
#include "engine/plan/part_plan.hpp"
#include "engine/plan/reasoning.hpp"
#include "wire/documents.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// Joins the parts of a message as the model reads them: without reasoning and parts of unknown types.
struct PartsReader {
  std::string text{};

  void operator()(const chat::TextPart& part) { text += part.text; }
  void operator()(const chat::ImagePart&) { text += image_mark; }
  void operator()(const chat::AudioPart&) { text += sound_mark; }
  void operator()(const chat::FilePart& part) {
    const auto& file = part.file;
    text += read_file({.file_id = file.file_id, .filename = file.filename, .file_data = file.file_data});
  }
  template <class Other>
  void operator()(const Other&) {}
};

/// The content of a message as the model reads it.
std::string text_of(const chat::Message& message) {
  if (!message.content) return message.refusal.value_or("");
  const auto* parts = std::get_if<std::vector<chat::ContentPart>>(&*message.content);
  if (parts == nullptr) return message.text();
  PartsReader reader;
  for (const auto& part : *parts) std::visit(reader, part);
  return std::move(reader.text);
}

/// Whether a message is the result of a tool, by the current role or OpenAI's former one.
bool is_result(const chat::Message& message) {
  return message.role == chat::Role::tool || message.role == "function";
}

/// The role of a message's author, as the model names it.
std::string role_of(const chat::Message& message) {
  if (message.role == chat::Role::developer) return "system";
  return is_result(message) ? "tool" : message.role.str();
}

/// A message as the model reads it; tool calls are written as "name(arguments)".
ChatTurn to_turn(const chat::Message& message) {
  ChatTurn turn{.role = role_of(message), .text = text_of(message)};
  const auto add = [&turn](const Optional<chat::FunctionCall>& call) {
    if (!call) return;
    if (!turn.text.empty()) turn.text += '\n';
    turn.text += call->name + "(" + call->arguments + ")";
  };
  for (const auto& call : message.tool_calls) add(call.function);
  add(message.function_call);
  return turn;
}

/// A document as the model reads it, with its metadata.
std::string to_text(const chat::Document& document) {
  std::string text = "Document: " + document.content;
  const auto tell = [&text](const std::string& key, const std::string& value) {
    text += "\n" + key + ": " + value;
  };
  if (!document.metadata) return text;
  if (const auto* list = std::get_if<std::vector<chat::KeyValue>>(&*document.metadata)) {
    for (const auto& pair : *list) tell(pair.key, pair.value);
  } else {
    for (const auto& [key, value] : std::get<Dictionary<std::string>>(*document.metadata)) tell(key, value);
  }
  return text;
}

/// Inserts the documents, AI21's context for the answer, after the system message.
void add_documents(std::vector<ChatTurn>& turns, const std::vector<chat::Document>& documents) {
  std::vector<ChatTurn> said;
  for (const auto& document : documents) said.push_back({.role = "user", .text = to_text(document)});
  auto place = turns.begin();
  if (place != turns.end() && place->role == "system") ++place;
  turns.insert(place, std::move_iterator(said.begin()), std::move_iterator(said.end()));
}

/// The user's last message.
std::string question_of(const chat::Request& request) {
  const auto last = std::find_if(request.messages.rbegin(), request.messages.rend(),
                                 [](const auto& message) { return message.role == chat::Role::user; });
  return last == request.messages.rend() ? std::string() : last->text();
}

/// The calls since the user's last message.
CallCounts calls_in(const std::vector<chat::Message>& messages) {
  CallCounts calls;
  for (const auto& message : messages) {
    if (message.role == chat::Role::user) calls.clear();
    for (const auto& call : message.tool_calls) {
      if (call.function) ++calls[call.function->name];
    }
    if (message.function_call) ++calls[message.function_call->name];
  }
  return calls;
}

ToolRequest tools_of(const chat::Request& request, const Document& document,
                     const std::vector<ChatTurn>& turns) {
  ToolRequest tools{.several = request.parallel_tool_calls.value_or(true),
                    .question = question_of(request),
                    .has_results = ends_with_results(turns),
                    .calls = calls_in(request.messages)};
  for (const auto& tool : request.tools) {
    tools.tools.push_back(offered(*tool.function, tools.tools.size(), nested_spelling));
  }
  apply_tool_choice(tools, document, nested_spelling);
  return tools;
}

OutputFormat format_of(const chat::Request& request) {
  if (!request.response_format) return {};
  OutputFormat format{.type = request.response_format->type};
  if (const auto& schema = request.response_format->json_schema) {
    format.name = schema->name;
    format.schema = schema->schema ? &*schema->schema : nullptr;
    format.strict = schema->strict.value_or(false);
  }
  return format;
}

std::optional<Part> thought_of(const chat::Request& request, const Endpoint& endpoint) {
  switch (endpoint.reasoning) {
    case Reasoning::none: return std::nullopt;
    case Reasoning::hidden:
    case Reasoning::shown:
      return reasoning_part(request.reasoning_effort ? request.reasoning_effort->str() : std::string());
    case Reasoning::on_request: break;
  }
  if (!request.thinking || request.thinking->type != "enabled") return std::nullopt;
  return reasoning_part(to_int(request.thinking->budget_tokens.value_or(0)));
}

ReasoningBlocks blocks_of(const std::vector<Part>& parts, const Endpoint& endpoint, const Dialect& dialect) {
  const bool thinks = parts.front().kind == Part::Kind::reasoning;
  if (!thinks || !dialect.chat.content_blocks) return ReasoningBlocks::none;
  switch (endpoint.reasoning) {
    case Reasoning::shown: return ReasoningBlocks::plain;
    case Reasoning::on_request: return ReasoningBlocks::with_signature;
    default: return ReasoningBlocks::none;
  }
}

std::vector<ChatTurn> turns_of(const chat::Request& request, const Endpoint& endpoint) {
  std::vector<ChatTurn> turns;
  for (const auto& message : request.messages) turns.push_back(to_turn(message));
  add_documents(turns, request.documents);
  const bool has_system =
      std::ranges::any_of(turns, [](const ChatTurn& turn) { return turn.role == "system"; });
  if (!has_system && !endpoint.default_system_prompt.empty()) {
    turns.insert(turns.begin(), {.role = "system", .text = endpoint.default_system_prompt});
  }
  return turns;
}

}  // namespace

OrRefusal<ChatPlan> plan_chat(const Question& question) {
  const auto& endpoint = question.endpoint;
  const auto& dialect = question.dialect;
  const auto model = endpoint.model ? endpoint.model : toy_model();
  if (auto bad = check_chat(question, *model)) return *std::move(bad);

  const auto decoded = json::decode<chat::Request>(question.body, json::Reading::strict);
  if (!decoded) return refuse::invalid_value(decoded.error().path, decoded.error().detail);
  const auto& request = *decoded;

  const auto turns = turns_of(request, endpoint);
  auto parts = plan_parts(thought_of(request, endpoint), tools_of(request, question.document, turns),
                          format_of(request), "response_format", dialect, model);
  if (!parts) return std::move(parts).refusal();

  ChatPlan plan{.served_model = served_name(endpoint),
                .model = model,
                .prompt = model->tokenize(model->render(turns), true),
                .parts = *std::move(parts),
                .choices = dialect.choices.always_one ? 1 : to_int(request.n.value_or(1)),
                .logprobs = request.logprobs.value_or(false) &&
                            (!dialect.chat.logprobs_need_top || request.top_logprobs.value_or(0) > 0),
                .streamed = is_streamed(request.stream, endpoint, dialect),
                .usage = usage_chunks(request.stream_options, endpoint, dialect)};
  plan.blocks = blocks_of(plan.parts, endpoint, dialect);
  const auto top_logprobs = plan.logprobs ? request.top_logprobs : Optional<std::int64_t>();
  // Both are present only at providers that do not document the second.
  const bool by_new_name = !request.max_tokens && request.max_completion_tokens;
  const auto wanted = by_new_name ? request.max_completion_tokens : request.max_tokens;
  const auto limit = answer_limit("messages", plan.prompt.size(), wanted, window_of(endpoint, *model));
  if (!limit) return std::move(limit).refusal();
  const auto default_tokens = dialect.chat.default_tokens;
  const auto most = most_tokens(by_new_name ? "max_completion_tokens" : "max_tokens", wanted,
                                default_tokens > 0 ? std::min(default_tokens, *limit) : *limit,
                                {.choices = plan.choices, .likely = top_logprobs.value_or(0)});
  if (!most) return std::move(most).refusal();
  plan.options = {
      .sampling = sampling_of(request, top_logprobs, *model, question.seed, dialect.chat.default_temperature),
      .stop = stops_of(request),
      .max_tokens = *most,
      .fills_lists = !endpoint.model};
  if (!endpoint.extra_fields.empty()) plan.extra_fields = Json::raw(endpoint.extra_fields);
  return plan;
}

}  // namespace inferwire::inline v0_1::engine
