#include "engine/plan/chat_plan.hpp"

#include "engine/plan/attachment.hpp"
#include "engine/plan/conversation.hpp"
#include "engine/plan/part_plan.hpp"
#include "engine/plan/reasoning.hpp"
#include "engine/plan/rule_check.hpp"
#include "wire/documents.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

// --- Relations between members ---

Offence check_limits(const Document& document) {
  if (member(document, "max_tokens") != nullptr && member(document, "max_completion_tokens") != nullptr) {
    return refuse::invalid_value("max_completion_tokens", "it cannot be set together with 'max_tokens'");
  }
  if (member(document, "top_logprobs") != nullptr && !is_true(document, "logprobs")) {
    return refuse::invalid_value("top_logprobs", "it is only allowed when 'logprobs' is true");
  }
  return std::nullopt;
}

/// Whether the documents that apply to a question know a member of chats.
bool is_known(std::string_view name, const Question& question) {
  return protocol::find_rule(protocol::chat_rules(), question.speaker(), name) != nullptr;
}

Offence check_parallel_calls(const Question& question) {
  constexpr std::string_view name = "parallel_tool_calls";
  const auto* tools = member(question.document, "tools");
  const bool has_tools = tools != nullptr && !tools->empty();
  if (has_tools || member(question.document, name) == nullptr || !is_known(name, question)) {
    return std::nullopt;
  }
  // These are OpenAI's words.
  return refuse::invalid_value(std::string(name),
                               "'parallel_tool_calls' is only allowed when 'tools' are specified");
}

/// Checks a document's metadata as AI21 documents it: pairs of strings, or a map of them. Other providers do
/// not document `documents`: there it may be anything, which then cannot be decoded.
Offence check_documents(const Document& document) {
  const auto* documents = member(document, "documents");
  if (documents == nullptr || !documents->is_array()) return std::nullopt;
  for (std::size_t i = 0; i < documents->size(); ++i) {
    const auto* metadata = member((*documents)[i], "metadata");
    if (metadata == nullptr) continue;
    const auto place = "documents[" + std::to_string(i) + "].metadata";
    for (const auto& [name, value] : metadata->items()) {
      const auto here = place + (metadata->is_array() ? "[" + name + "]" : "." + name);
      if (!metadata->is_array()) {
        if (!value.is_string()) return refuse::wrong_type(here, "a string", kind_of(value));
        continue;
      }
      for (const char* part : {"key", "value"}) {
        const auto* text_of_part = member(value, part);
        if (text_of_part == nullptr) return refuse::missing(here + "." + part);
        if (!text_of_part->is_string()) {
          return refuse::wrong_type(here + "." + part, "a string", kind_of(*text_of_part));
        }
      }
    }
  }
  return std::nullopt;
}

Offence check_format(const Document& document) {
  const auto* format = member(document, "response_format");
  if (format == nullptr || text(member(*format, "type")) != "json_schema") return std::nullopt;
  return member(*format, "json_schema") == nullptr ? refuse::missing("response_format.json_schema")
                                                   : Offence();
}

// --- What the endpoint can do ---

Offence check_thinking(const Document& document, const Endpoint& endpoint) {
  const auto* thinking = member(document, "thinking");
  if (thinking == nullptr) return std::nullopt;
  if (endpoint.reasoning != Reasoning::on_request) {
    return refuse::unsupported("thinking", "is only accepted by models that think on request");
  }
  const auto type = text(member(*thinking, "type"));
  if (type != "enabled" && type != "disabled") {
    return refuse::invalid_value("thinking.type", "expected one of 'enabled', 'disabled'");
  }
  if (type == "disabled") return std::nullopt;
  const auto* budget = member(*thinking, "budget_tokens");
  if (budget == nullptr) return refuse::missing("thinking.budget_tokens");
  if (node_kind(*budget) != protocol::NodeKind::integer) {
    return refuse::wrong_type("thinking.budget_tokens", "an integer", kind_of(*budget));
  }
  const auto* most = member(document, "max_tokens");
  const bool fits = most == nullptr || budget->get<double>() < most->get<double>();
  if (budget->get<double>() >= 1024 && fits) return std::nullopt;
  return refuse::invalid_value("thinking.budget_tokens",
                               "expected at least 1024, and less than 'max_tokens'");
}

/// Refuses what OpenAI's service supports and this engine does not. Ignoring it silently would be dishonest.
Offence check_unserved(const Document& document) {
  for (const auto* name : {"functions", "function_call"}) {
    if (member(document, name) != nullptr) {
      return refuse::unsupported(name, "is not supported by this engine: it has 'tools' and 'tool_choice'");
    }
  }
  for (const auto* name : {"audio", "web_search_options"}) {
    if (member(document, name) != nullptr)
      return refuse::unsupported(name, "is not supported by this engine");
  }
  const auto* modalities = member(document, "modalities");
  const auto is_text = [](const Document& modality) { return modality == "text"; };
  if (modalities == nullptr || std::ranges::all_of(*modalities, is_text)) return std::nullopt;
  return refuse::invalid_value("modalities", "this engine answers in text only");
}

Offence check_capabilities(const Document& document, const Endpoint& endpoint, const Dialect& dialect) {
  if (auto bad = check_choices(document, endpoint, dialect)) return bad;
  if (auto bad = check_unserved(document)) return bad;
  const bool by_effort = endpoint.reasoning == Reasoning::hidden || endpoint.reasoning == Reasoning::shown;
  if (member(document, "reasoning_effort") != nullptr && !by_effort) {
    return refuse::unsupported("reasoning_effort", "is only accepted by reasoning models");
  }
  if (auto bad = check_thinking(document, endpoint)) return bad;
  return check_extra_params(document);
}

// --- The whole request ---

Offence check_chat(const Question& question, const LanguageModel& model) {
  const auto& [document, body, endpoint, dialect, seed] = question;
  if (auto bad = check_rules(document, protocol::chat_rules(), question.speaker())) return bad;
  const bool preview = endpoint.era == Era::preview;
  auto rules = dialect.conversation;
  rules.system_first_only |= preview;
  rules.alternates = preview;
  rules.cache_control = endpoint.cache_control;
  if (auto bad = check_conversation(*member(document, "messages"), rules)) return bad;
  if (auto bad = check_stream_options(document)) return bad;
  if (is_known("metadata", question)) {
    if (auto bad = check_metadata(document)) return bad;
  }
  if (auto bad = check_limits(document)) return bad;
  if (auto bad = check_tools(document, nested_spelling, dialect)) return bad;
  if (auto bad = check_tool_choice(document, nested_spelling, dialect)) return bad;
  if (auto bad = check_parallel_calls(question)) return bad;
  if (auto bad = check_documents(document)) return bad;
  if (auto bad = check_format(document)) return bad;
  if (auto bad = check_bias(document, model)) return bad;
  if (auto bad = check_ranges(document)) return bad;
  if (auto bad = check_stops(document)) return bad;
  return check_capabilities(document, endpoint, dialect);
}

// --- From the request to the plan ---

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
                .prompt = model->tokenize(model->render(turns, {}), true),
                .parts = *std::move(parts),
                .choices = dialect.choices.always_one ? 1 : to_int(request.n.value_or(1)),
                .logprobs = request.logprobs.value_or(false) &&
                            (!dialect.chat.logprobs_need_top || request.top_logprobs.value_or(0) > 0),
                .streamed = is_streamed(request.stream, endpoint, dialect),
                .usage = usage_chunks(request.stream_options, endpoint, dialect)};
  plan.blocks = blocks_of(plan.parts, endpoint, dialect);
  const auto wanted = request.max_completion_tokens ? request.max_completion_tokens : request.max_tokens;
  const auto limit = answer_limit("messages", plan.prompt.size(), wanted, window_of(endpoint, *model));
  if (!limit) return std::move(limit).refusal();
  const auto default_tokens = dialect.chat.default_tokens;
  const auto most = most_tokens(request.max_completion_tokens ? "max_completion_tokens" : "max_tokens",
                                wanted, default_tokens > 0 ? std::min(default_tokens, *limit) : *limit,
                                {.choices = plan.choices, .likely = request.top_logprobs.value_or(0)});
  if (!most) return std::move(most).refusal();
  plan.options = {.sampling = sampling_of(request, request.top_logprobs, *model, question.seed,
                                          dialect.chat.default_temperature),
                  .stop = stops_of(request),
                  .max_tokens = *most,
                  .fills_lists = !endpoint.model};
  if (!endpoint.extra_fields.empty()) plan.extra_fields = Json::raw(endpoint.extra_fields);
  return plan;
}

}  // namespace inferwire::inline v0_1::engine
