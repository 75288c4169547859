#include "engine/responses_plan.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "engine/response_input.hpp"
#include "engine/rule_check.hpp"
#include "engine/sampling_plan.hpp"
#include "wire/documents.hpp"

namespace inferwire::inline v0_1::engine {
namespace {

using Offence = std::optional<Refusal>;

/// "Set of 16 key-value pairs"
constexpr std::size_t most_pairs = 16;
constexpr std::string_view logprobs_wanted = "message.output_text.logprobs";

// --- Relations between members ---

Offence check_metadata(const Document& document) {
  const auto* metadata = member(document, "metadata");
  if (metadata == nullptr) return std::nullopt;
  const Place root, here = root.member("metadata");
  if (metadata->size() > most_pairs) {
    return refuse::invalid_value(
        here.text(), "at most 16 pairs are supported, but got " + std::to_string(metadata->size()));
  }
  for (const auto& [key, value] : metadata->items()) {
    if (!value.is_string()) return refuse::wrong_type(here.member(key).text(), "a string", kind_of(value));
  }
  return std::nullopt;
}

Offence check_tool_choice(const Document& document) {
  const auto* choice = member(document, "tool_choice");
  const auto* tools = member(document, "tools");
  if (choice == nullptr) return std::nullopt;
  const bool forces = choice->is_object() || *choice == "required";
  if (!forces && *choice != "none" && *choice != "auto") {
    return refuse::invalid_value("tool_choice", "expected one of 'none', 'auto', 'required', but got '" +
                                                    choice->get_ref<const std::string&>().substr(0, 64) +
                                                    "'");
  }
  if (forces && (tools == nullptr || tools->empty())) {
    return refuse::invalid_value("tool_choice", "it is only allowed when 'tools' are specified");
  }
  return std::nullopt;
}

Offence check_format(const Document& document) {
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

Offence check_capabilities(const Document& document) {
  constexpr std::string_view later = "is not supported by this engine";
  if (const auto* tools = member(document, "tools"); tools != nullptr && !tools->empty()) {
    return refuse::unsupported("tools", later);
  }
  const auto* text = member(document, "text");
  const auto* format = text != nullptr ? member(*text, "format") : nullptr;
  if (format != nullptr && *member(*format, "type") != "text")
    return refuse::unsupported("text.format", later);
  if (member(document, "reasoning") != nullptr) {
    return refuse::unsupported("reasoning", "is only accepted by reasoning models");
  }
  if (member(document, "prompt") != nullptr) {
    return refuse::invalid_value("prompt.id", "there is no prompt template of this id");
  }
  if (is_true(document, "background")) return refuse::unsupported("background", later);
  for (const std::string_view stored : {"previous_response_id", "conversation"}) {
    if (member(document, stored) == nullptr) continue;
    return refuse::unsupported(std::string(stored), "is not supported by this engine, which stores nothing");
  }
  return std::nullopt;
}

// --- From the request to the plan ---

std::vector<Token> tokens_of(const std::vector<ChatTurn>& turns, const LanguageModel& model) {
  return model.tokenize(model.render(turns, {}), true);
}

/// Leaves out the oldest turns, instructions apart, until there is room for the answer; the last one stays.
void drop_oldest(std::vector<ChatTurn>& turns, std::vector<Token>& prompt, std::int64_t room,
                 const LanguageModel& model) {
  const auto is_old = [](const ChatTurn& turn) { return turn.role != "system"; };
  while (static_cast<std::int64_t>(prompt.size()) > room && std::ranges::count_if(turns, is_old) > 1) {
    turns.erase(std::ranges::find_if(turns, is_old));
    prompt = tokens_of(turns, model);
  }
}

/// Clients of strict languages want these members, empty as they are.
void say_empty(Extra& extra, const char* name, const char* json) { extra.append(name, Json::raw(json)); }

responses::Response echo(responses::Request& request, std::string served_model) {
  responses::Response response{
      .object = "response",
      .max_output_tokens = request.max_output_tokens,
      .model = std::move(served_model),
      .parallel_tool_calls = request.parallel_tool_calls.value_or(true),
      .store = false,
      .temperature = request.temperature.value_or(1),
      .text = request.text.value_or(responses::TextConfig()),
      .tool_choice = request.tool_choice.value_or(ToolChoiceMode(ToolChoiceMode::automatic)),
      .top_p = request.top_p.value_or(1),
      .truncation = request.truncation.value_or("disabled"),
      .user = std::move(request.user),
      .metadata = std::move(request.metadata),
      .top_logprobs = request.top_logprobs.value_or(0),
      .max_tool_calls = request.max_tool_calls,
      .prompt_cache_key = std::move(request.prompt_cache_key),
      .prompt_cache_retention = std::move(request.prompt_cache_retention),
      .safety_identifier = std::move(request.safety_identifier)};
  if (!response.text->format) response.text->format.emplace();
  if (request.instructions) response.instructions = *request.instructions;
  say_empty(response.extra, "tools", "[]");
  if (response.metadata.empty()) say_empty(response.extra, "metadata", "{}");
  return response;
}

}  // namespace

std::variant<ResponsesPlan, Refusal> plan_response(const Document& document, std::string_view body,
                                                   const Endpoint& endpoint, const Dialect& dialect,
                                                   std::uint64_t seed) {
  const auto model = endpoint.model ? endpoint.model : toy_model();
  const auto offence = [&]() -> Offence {
    if (auto bad = check_rules(document, protocol::responses_rules(), dialect.speaker,
                               dialect.refuses_unknown_members)) {
      return bad;
    }
    if (auto bad = check_input(*member(document, "input"))) return bad;
    if (auto bad = check_stream_options(document)) return bad;
    if (auto bad = check_metadata(document)) return bad;
    if (auto bad = check_tool_choice(document)) return bad;
    if (auto bad = check_format(document)) return bad;
    return check_capabilities(document);
  }();
  if (offence) return *offence;

  auto decoded = json::decode<responses::Request>(body, json::Reading::strict);
  if (!decoded) return refuse::invalid_value(decoded.error().path, decoded.error().detail);
  auto& request = *decoded;

  auto turns = turns_of(request);
  const bool has_system = !turns.empty() && turns.front().role == "system";
  if (!has_system && !endpoint.default_system_prompt.empty()) {
    turns.insert(turns.begin(), {.role = "system", .text = endpoint.default_system_prompt});
  }
  auto prompt = tokens_of(turns, *model);
  const auto window = std::min<std::int64_t>(endpoint.context_window, model->context_window());
  const auto wanted = request.max_output_tokens.value_or(1);
  if (request.truncation == "auto") drop_oldest(turns, prompt, window - wanted, *model);
  const auto size = static_cast<std::int64_t>(prompt.size());
  if (wanted > window - size) return refuse::context_length("input", window, size, wanted);

  const bool logprobs = std::ranges::find(request.include, logprobs_wanted) != request.include.end();
  return ResponsesPlan{
      .model = model,
      .prompt = std::move(prompt),
      .options = {.sampling = {.temperature = static_cast<float>(request.temperature.value_or(1)),
                               .top_p = static_cast<float>(request.top_p.value_or(1)),
                               .seed = seed,
                               .top_logprobs = to_int(request.top_logprobs.value_or(0))},
                  .max_tokens = to_int(request.max_output_tokens.value_or(window - size))},
      .logprobs = logprobs,
      .streamed = request.stream.value_or(false),
      .response = echo(request, served_name(endpoint))};
}

}  // namespace inferwire::inline v0_1::engine
