#include "engine/plan/responses_plan.hpp"

#include "engine/plan/part_plan.hpp"
#include "engine/plan/prompt_template.hpp"
#include "engine/plan/reasoning.hpp"
#include "engine/plan/response_input.hpp"
#include "engine/plan/rule_check.hpp"
#include "engine/plan/sampling_plan.hpp"
#include "json/outline.hpp"
#include "json/scanner.hpp"
#include "wire/documents.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

constexpr std::string_view reasoning_wanted = "reasoning.encrypted_content";
constexpr std::string_view logprobs_wanted = "message.output_text.logprobs";

// --- Relations between members ---

Offence check_text_format(const Document& document) {
  const auto* text = member(document, "text");
  const auto* format = text != nullptr ? member(*text, "format") : nullptr;
  if (format == nullptr || *member(*format, "type") != "json_schema") return std::nullopt;
  const bool nested = member(*format, "json_schema") != nullptr;
  if (nested || (member(*format, "name") != nullptr && member(*format, "schema") != nullptr)) {
    return std::nullopt;
  }
  return refuse::missing(member(*format, "name") == nullptr ? "text.format.name" : "text.format.schema");
}

// --- What the endpoint can do ---

Offence check_responses_capabilities(const Document& document, const Endpoint& endpoint) {
  constexpr std::string_view later = "is not supported by this engine";
  if (member(document, "reasoning") != nullptr && endpoint.reasoning == Reasoning::none) {
    return refuse::unsupported("reasoning", "is only accepted by reasoning models");
  }
  if (member(document, "conversation") != nullptr) return refuse::unsupported("conversation", later);
  return std::nullopt;
}

/// Checks all but the rules.
Offence check_response(const Question& question) {
  const auto& [document, body, endpoint, dialect, seed] = question;
  if (const auto* input = member(document, "input"); input != nullptr) {
    if (auto bad = check_input(*input, dialect.conversation.object_arguments)) return bad;
  }
  if (auto bad = check_stream_options(document)) return bad;
  if (auto bad = check_metadata(document)) return bad;
  if (auto bad = check_tools(document, flat_spelling, dialect)) return bad;
  if (auto bad = check_tool_choice(document, flat_spelling, dialect)) return bad;
  if (auto bad = check_text_format(document)) return bad;
  return check_responses_capabilities(document, endpoint);
}

// --- The conversation that it continues ---

bool is_under_way(const responses::Response& response) {
  return response.status == responses::ResponseStatus::queued ||
         response.status == responses::ResponseStatus::in_progress;
}

/// The conversation up to the response that the request names, which must have ended.
OrRefusal<KeptResponse> before(const Document& document, const Memory& memory) {
  const auto* id = member(document, "previous_response_id");
  if (id == nullptr) return KeptResponse();
  const auto found = memory.keeper->find(text(id));
  if (!found) return refuse::no_previous_response(text(id));
  auto response = found->as_it_stands();
  if (is_under_way(response)) {
    return refuse::invalid_value("previous_response_id", "the response is " + response.status->str());
  }
  KeptResponse earlier{.input = found->input, .bytes = found->bytes};
  for (auto& item : response.output) earlier.input.push_back(std::move(item));
  return earlier;
}

/// Replaces references by the kept items; returns the size of these in bytes. No two items may have one id,
/// those of `earlier` included: pages of a list end at the id of their last item.
OrRefusal<std::size_t> resolve_references(responses::Request& request, const Items& earlier,
                                          const KeptResponses& keeper) {
  auto* const items = request.input ? std::get_if<Items>(&*request.input) : nullptr;
  std::size_t bytes = 0;
  if (items == nullptr) return bytes;
  std::set<std::string_view> said;
  for (const auto& item : earlier) said.insert(id_of(item));
  std::map<std::string, responses::Item*, std::less<>> places;
  for (auto& item : *items) {
    const auto id = id_of(item);
    // Repeated references could make a request arbitrarily long.
    if (!id.empty() && !said.insert(id).second) return refuse::duplicate_item(id);
    if (std::holds_alternative<responses::ItemReference>(item)) places.emplace(id, &item);
  }
  const auto fill = [&](const responses::Item& item) {
    const auto place = places.find(id_of(item));
    if (place == places.end()) return;
    if (const auto json = responses::to_json(item)) bytes += json->text().size();
    *place->second = item;
    places.erase(place);
  };
  if (places.empty()) return bytes;
  for (const auto& kept : keeper.all()) {
    std::ranges::for_each(kept->input, fill);
    std::ranges::for_each(kept->as_it_stands().output, fill);
  }
  if (places.empty()) return bytes;
  const auto first = std::ranges::find_if(*items, [](const responses::Item& item) {
    return std::holds_alternative<responses::ItemReference>(item);
  });
  return refuse::no_item(id_of(*first), request.store.value_or(true));
}

/// The memory that the request's input takes if kept: its texts, and its items, which may be many and short.
std::size_t size_of_input(const Document& document, std::string_view body) {
  const auto* input = member(document, "input");
  const auto items = input == nullptr ? 0 : input->is_array() ? input->size() : 1;
  return body.size() + items * sizeof(responses::Item);
}

// --- From the request to the plan ---

/// Puts `instructions` before the turns, or the endpoint's if no instructions come first.
std::vector<ChatTurn> instructed(std::vector<ChatTurn> turns, std::optional<std::string> instructions,
                                 const Endpoint& endpoint) {
  const auto say = [&turns](std::string text) {
    turns.insert(turns.begin(), {.role = "system", .text = std::move(text)});
  };
  if (instructions) say(*std::move(instructions));
  const bool has_system = !turns.empty() && turns.front().role == "system";
  if (!has_system && !endpoint.default_system_prompt.empty()) say(endpoint.default_system_prompt);
  return turns;
}

std::vector<Token> tokens_of(const std::vector<ChatTurn>& turns, const LanguageModel& model) {
  return model.tokenize(model.render(turns, {}), true);
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

// --- The request, as the model reads it ---

/// A request that follows the rules, with the conversation that it continues.
struct ReadRequest {
  responses::Request request{};
  KeptResponse earlier{};  ///< the earlier conversation; `bytes` includes the request's input
  std::vector<ChatTurn> turns{};
};

OrRefusal<ReadRequest> read_request(const Question& question, const Memory& memory) {
  const auto& [document, body, endpoint, dialect, seed] = question;
  if (auto bad = check_rules(document, protocol::responses_rules(), dialect.speaker)) return *std::move(bad);
  // Other services accept `previous_response_id` in place of both; here, that would ask nothing.
  if (member(document, "input") == nullptr && member(document, "prompt") == nullptr) {
    return refuse::missing("input");
  }
  auto earlier = before(document, memory);
  if (!earlier) return std::move(earlier).refusal();
  if (auto bad = check_response(question)) return *std::move(bad);

  auto decoded = json::decode<responses::Request>(body, json::Reading::strict);
  if (!decoded) return refuse::invalid_value(decoded.error().path, decoded.error().detail);
  ReadRequest read{.request = *std::move(decoded), .earlier = *std::move(earlier)};
  auto referred = resolve_references(read.request, read.earlier.input, *memory.keeper);
  if (!referred) return std::move(referred).refusal();
  if (auto bad = check_outputs(read.request, read.earlier.input)) return *std::move(bad);
  read.earlier.bytes += size_of_input(document, body) + *referred;

  auto instructions = instructions_of(document, memory.prompts);
  if (!instructions) return std::move(instructions).refusal();
  read.turns = instructed(turns_of(read.request, read.earlier.input), *std::move(instructions), endpoint);
  return read;
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
