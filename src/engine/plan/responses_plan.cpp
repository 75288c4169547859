#include "engine/plan/responses_plan.hpp"

#include "engine/endpoints.hpp"
#include "engine/plan/part_plan.hpp"
#include "engine/plan/reasoning.hpp"
#include "engine/plan/response_input.hpp"
#include "engine/plan/sampling_plan.hpp"
#include "json/outline.hpp"
#include "json/scanner.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

constexpr std::string_view reasoning_wanted = "reasoning.encrypted_content";
constexpr std::string_view logprobs_wanted = "message.output_text.logprobs";

std::vector<Token> tokens_of(const std::vector<ChatTurn>& turns, const LanguageModel& model) {
  return model.tokenize(model.render(turns), true);
}

bool is_old(const ChatTurn& turn) { return turn.role != "system"; }

std::vector<ChatTurn> without_oldest(std::vector<ChatTurn> turns, std::ptrdiff_t count) {
  std::erase_if(turns, [&count](const ChatTurn& turn) { return is_old(turn) && count-- > 0; });
  return turns;
}

/// The tokens of the turns, without the oldest ones if there would be no room for the answer; instructions
/// and the last turn stay.
std::vector<Token> fitting_tokens(const std::vector<ChatTurn>& turns, std::int64_t room,
                                  const LanguageModel& model) {
  const auto fits = [room](const std::vector<Token>& tokens) {
    return static_cast<std::int64_t>(tokens.size()) <= room;
  };
  auto all = tokens_of(turns, model);
  if (fits(all)) return all;
  // Dropping turns one by one and tokenizing the rest each time would take too long.
  auto fewest = std::ptrdiff_t{1}, most = std::ranges::count_if(turns, is_old) - 1;
  while (fewest < most) {
    const auto middle = fewest + (most - fewest) / 2;
    if (fits(tokens_of(without_oldest(turns, middle), model))) {
      most = middle;
    } else {
      fewest = middle + 1;
    }
  }
  if (most < 1) return all;
  return tokens_of(without_oldest(turns, most), model);
}

/// The user's last message.
std::string question_of(const std::vector<ChatTurn>& turns) {
  const auto last = std::ranges::find(turns.rbegin(), turns.rend(), "user", &ChatTurn::role);
  return last == turns.rend() ? std::string() : last->text;
}

ToolRequest tools_of(const responses::Request& request, const Document& document, const Items& earlier,
                     const std::vector<ChatTurn>& turns) {
  ToolRequest tools{.several = request.parallel_tool_calls.value_or(true),
                    .question = question_of(turns),
                    .has_results = ends_with_results(turns),
                    .calls = calls_of(request, earlier)};
  for (const auto& tool : request.tools) {
    tools.tools.push_back(offered(tool, tools.tools.size(), flat_spelling));
  }
  apply_tool_choice(tools, document, flat_spelling);
  return tools;
}

OutputFormat format_of(const responses::Request& request) {
  if (!request.text || !request.text->format) return {};
  const auto& format = *request.text->format;
  return {.type = format.type,
          .name = format.name,
          .schema = format.schema ? &*format.schema : nullptr,
          .strict = format.strict.value_or(false)};
}

std::optional<Part> thought_of(const responses::Request& request, const Endpoint& endpoint) {
  const bool on_request = endpoint.reasoning == Reasoning::on_request;
  if (endpoint.reasoning == Reasoning::none || (on_request && !request.reasoning)) return std::nullopt;
  return reasoning_part(request.reasoning && request.reasoning->effort ? request.reasoning->effort->str()
                                                                       : "");
}

bool includes(const responses::Request& request, std::string_view what) {
  return std::ranges::find(request.include, what) != request.include.end();
}

/// Clients in strictly typed languages require these members, even though they are empty.
void say_empty(Extra& extra, const char* name, const char* json) { extra.append(name, Json::raw(json)); }

/// Removes white space outside strings: in a stream, the data of an event is one line.
void compact(Optional<Json>& document) {
  if (!document) return;
  std::string out;
  json::each_byte(document->text(), [&](char c, bool in_string) {
    if (in_string || !json::is_space(c)) out += c;
    return true;
  });
  document = Json::raw(std::move(out));
}

responses::Response echo(responses::Request& request, std::string served_model) {
  responses::Response response{
      .object = "response",
      .max_output_tokens = request.max_output_tokens,
      .model = std::move(served_model),
      .parallel_tool_calls = request.parallel_tool_calls.value_or(true),
      .previous_response_id = std::move(request.previous_response_id),
      .reasoning = request.reasoning,
      .temperature = request.temperature.value_or(1),
      .text = request.text.value_or(responses::TextConfig()),
      .tool_choice = request.tool_choice.value_or(ToolChoiceMode(ToolChoiceMode::automatic)),
      .tools = request.tools,
      .top_p = request.top_p.value_or(1),
      .truncation = request.truncation.value_or("disabled"),
      .user = std::move(request.user),
      .metadata = std::move(request.metadata),
      .background = request.background,
      .prompt = std::move(request.prompt),
      .top_logprobs = request.top_logprobs.value_or(0),
      .max_tool_calls = request.max_tool_calls,
      .prompt_cache_key = std::move(request.prompt_cache_key),
      .prompt_cache_options = std::move(request.prompt_cache_options),
      .prompt_cache_retention = std::move(request.prompt_cache_retention),
      .safety_identifier = std::move(request.safety_identifier)};
  if (!response.text->format) response.text->format.emplace();
  if (request.instructions) response.instructions = *request.instructions;
  for (auto& tool : response.tools) compact(tool.parameters);
  compact(response.text->format->schema);
  if (response.prompt) compact(response.prompt->variables);
  if (request.tools.empty()) say_empty(response.extra, "tools", "[]");
  if (response.metadata.empty()) say_empty(response.extra, "metadata", "{}");
  return response;
}

/// How the answer writes the tools, their choice and the format that it repeats: all in one spelling.
json::Spelling spelling_of(const Document& document, const Dialect& dialect) {
  const auto nests = [](const Document* value, std::string_view name) {
    return value != nullptr && member(*value, name) != nullptr;
  };
  const auto* tools = member(document, "tools");
  const auto* config = member(document, "text");
  const bool nested = nests(member(document, "tool_choice"), "function") ||
                      (config != nullptr && nests(member(*config, "format"), "json_schema")) ||
                      (tools != nullptr && std::ranges::any_of(*tools, [&](const Document& tool) {
                         return nests(&tool, "function");
                       }));
  return nested && dialect.responses.repeats_nests ? json::Spelling::nested : json::Spelling::flat;
}

std::vector<Token> prompt_of(const ReadRequest& read, std::int64_t window, const LanguageModel& model) {
  if (read.request.truncation != "auto") return tokens_of(read.turns, model);
  return fitting_tokens(read.turns, window - read.request.max_output_tokens.value_or(1), model);
}

}  // namespace

OrRefusal<ResponsesPlan> plan_response(const Question& question, const Memory& memory) {
  const auto& endpoint = question.endpoint;
  const auto& dialect = question.dialect;
  const auto& keeper = memory.keeper;
  auto read = read_request(question, memory);
  if (!read) return std::move(read).refusal();
  auto& [request, earlier, turns] = *read;
  if (dialect.conversation.answers_all_calls) {
    if (auto bad = check_all_answered(request, earlier.input)) return *std::move(bad);
  }
  const bool keeps = dialect.responses.keeps && keeper->keeps(earlier.bytes) && request.store.value_or(true);
  const bool background = request.background.value_or(false);
  if (background && !keeps) return refuse::unsupported("background", "is for responses that are stored");

  const auto model = endpoint.model ? endpoint.model : toy_model();
  auto parts =
      plan_parts(thought_of(request, endpoint), tools_of(request, question.document, earlier.input, turns),
                 format_of(request), "text.format.schema", dialect, model);
  if (!parts) return std::move(parts).refusal();
  const auto window = window_of(endpoint, *model);
  auto prompt = prompt_of(*read, window, *model);
  const auto limit = answer_limit("input", prompt.size(), request.max_output_tokens, window);
  if (!limit) return std::move(limit).refusal();
  const auto most = most_tokens("max_output_tokens", request.max_output_tokens, *limit,
                                {.likely = request.top_logprobs.value_or(0)});
  if (!most) return std::move(most).refusal();

  ResponsesPlan plan{
      .model = model,
      .prompt = std::move(prompt),
      .options = {.sampling = {.temperature = static_cast<float>(request.temperature.value_or(1)),
                               .top_p = static_cast<float>(request.top_p.value_or(1)),
                               .seed = question.seed,
                               .top_logprobs = to_int(request.top_logprobs.value_or(0))},
                  .max_tokens = *most,
                  .fills_lists = !endpoint.model},
      .parts = *std::move(parts),
      .reasoning_summary = request.reasoning && request.reasoning->summary,
      .encrypted_reasoning = includes(request, reasoning_wanted),
      .logprobs = includes(request, logprobs_wanted),
      .streamed = request.stream.value_or(false),
      .background = background};
  if (keeps) {
    plan.keeper = keeper;
    plan.kept = std::move(earlier);
    for (auto& item : listed_input(request)) plan.kept.input.push_back(std::move(item));
  }
  plan.response = echo(request, served_name(endpoint));
  plan.response.store = keeps;
  plan.spelling = spelling_of(question.document, dialect);
  return plan;
}

OrRefusal<std::size_t> count_input(const Question& question, const Memory& memory) {
  const auto& endpoint = question.endpoint;
  auto read = read_request(question, memory);
  if (!read) return std::move(read).refusal();
  const auto model = endpoint.model ? endpoint.model : toy_model();
  return prompt_of(*read, window_of(endpoint, *model), *model).size();
}

}  // namespace inferwire::inline v0_1::engine
