#include "engine/plan/completion_plan.hpp"

#include "engine/endpoints.hpp"
#include "engine/plan/rule_check.hpp"
#include "engine/plan/token_texts.hpp"
#include "engine/utf8.hpp"
#include "wire/documents.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// The limit for all prompts of a request together: each answer has its own state.
constexpr std::size_t most_answers = 4096;

/// Checks the relations between members.
std::optional<Refusal> check_members(const completions::Request& request, const Endpoint& endpoint,
                                     const Dialect& dialect) {
  const bool lone = endpoint.era == Era::preview || dialect.streams.one_prompt;
  if (lone && request.prompts() > 1 && is_streamed(request.stream, endpoint, dialect)) {
    const std::string when = request.stream ? "when 'stream' is true" : "unless 'stream' is false";
    return refuse::invalid_value("prompt", "there must only be one " + when);
  }
  const auto choices = request.n.value_or(1), attempts = request.best_of.value_or(choices);
  if (attempts < choices) {
    return refuse::invalid_value("best_of", "it has to be at least 'n', which is " + std::to_string(choices));
  }
  if (attempts > choices && request.stream.value_or(false)) {
    return refuse::invalid_value("best_of", "it has to be 'n' when 'stream' is true");
  }
  return std::nullopt;
}

std::optional<Refusal> check_completion_capabilities(const Document& document,
                                                     const completions::Request& request,
                                                     const Endpoint& endpoint, const Dialect& dialect) {
  if (auto bad = check_choices(document, endpoint, dialect)) return bad;
  if (request.error_behavior && endpoint.provisioned) {
    return refuse::unsupported("error_behavior", "is only accepted by pay-per-token endpoints");
  }
  if (!request.suffix.value_or("").empty() && !dialect.completions.appends_suffix) {
    return refuse::unsupported("suffix", "is not supported by this engine, whose model cannot look ahead");
  }
  return check_extra_params(document);
}

std::optional<Refusal> check_answers(std::size_t prompts, int attempts) {
  const auto answers = prompts * static_cast<std::size_t>(attempts);
  if (answers <= most_answers) return std::nullopt;
  return refuse::invalid_value("prompt", "at most " + std::to_string(most_answers) +
                                             " answers to all prompts together are supported, but " +
                                             std::to_string(answers) + " are asked for");
}

/// A prompt as the model reads it.
std::vector<Token> tokens_of(const Text& text, bool in_template, const Endpoint& endpoint,
                             const LanguageModel& model) {
  if (const auto* tokens = std::get_if<std::vector<Token>>(&text)) return *tokens;
  const auto characters = std::get<std::string_view>(text);
  if (!in_template) return model.tokenize(characters, false);
  std::vector<ChatTurn> turns;
  if (!endpoint.default_system_prompt.empty()) {
    turns.push_back({.role = "system", .text = endpoint.default_system_prompt});
  }
  turns.push_back({.role = "user", .text = std::string(characters)});
  return model.tokenize(model.render(turns), true);
}

/// The text of a prompt.
std::string characters_of(const Text& text, const LanguageModel& model) {
  if (const auto* characters = std::get_if<std::string_view>(&text)) return std::string(*characters);
  std::string bytes;
  for (const Token token : std::get<std::vector<Token>>(text)) bytes += model.token_bytes(token);
  return to_utf8(bytes);
}

/// Makes a prompt and its answer fit into the window. The answer's limit is lowered; the oldest tokens of a
/// prompt are dropped, for the whole answer, only if the prompt leaves no room for any.
void fit_window(std::vector<Token>& prompt, Optional<std::int64_t>& limit, std::int64_t window) {
  if (std::ssize(prompt) >= window) {
    const auto most = std::max<std::int64_t>(window - limit.value_or(1), 1);
    prompt.erase(prompt.begin(), prompt.end() - static_cast<std::ptrdiff_t>(most));
  }
  if (limit) limit = std::min(*limit, window - std::ssize(prompt));
}

/// Adds the prompts, with the token limits of their completions and with their echoes.
std::optional<Refusal> add_prompts(CompletionPlan& plan, const completions::Request& request,
                                   const std::vector<Text>& texts, const Question& question) {
  const auto& form = question.dialect.completions;
  const auto window = window_of(question.endpoint, *plan.model);
  auto wanted = request.max_tokens;
  if (!wanted && form.default_tokens > 0) wanted = form.default_tokens;
  const bool truncate = request.error_behavior == completions::ErrorBehavior::truncate;
  const bool in_template = form.prompt_templates && !request.use_raw_prompt.value_or(false);
  std::size_t longest = 0;
  for (const auto& text : texts) {
    auto prompt = tokens_of(text, in_template, question.endpoint, *plan.model);
    auto own = wanted;
    if (truncate) fit_window(prompt, own, window);
    auto limit = answer_limit("prompt", prompt.size(), own, window);
    if (!limit) return std::move(limit).refusal();
    plan.most_tokens.push_back(*limit);
    longest = std::max(longest, prompt.size());
    plan.prompts.push_back(std::move(prompt));
    if (request.echo.value_or(false)) plan.echoes.push_back(characters_of(text, *plan.model));
  }
  const auto asked = truncate ? Optional<std::int64_t>() : request.max_tokens;
  const auto most = most_tokens("max_tokens", asked, std::ranges::max(plan.most_tokens),
                                {.choices = static_cast<std::int64_t>(plan.prompts.size()) * plan.attempts,
                                 .likely = request.logprobs.value_or(0),
                                 .echoed = plan.echoes.empty() ? 0 : static_cast<std::int64_t>(longest)});
  if (!most) return std::move(most).refusal();
  for (auto& limit : plan.most_tokens) limit = std::min(limit, *most);
  return std::nullopt;
}

}  // namespace

OrRefusal<CompletionPlan> plan_completion(const Question& question) {
  const auto& [document, body, endpoint, dialect, seed] = question;
  const auto model = endpoint.model ? endpoint.model : toy_model();
  if (auto bad = check_rules(body, protocol::completion_rules(), question.speaker())) {
    return *std::move(bad);
  }
  if (auto bad = check_bias(document, *model, dialect)) return *std::move(bad);
  if (auto bad = check_stops(document)) return *std::move(bad);

  const auto decoded = json::decode<completions::Request>(body, json::Reading::strict);
  if (!decoded) return refuse::invalid_value(decoded.error().path, decoded.error().detail);
  const auto& request = *decoded;
  if (auto bad = check_members(request, endpoint, dialect)) return *std::move(bad);
  if (auto bad = check_completion_capabilities(document, request, endpoint, dialect)) return *std::move(bad);
  auto texts = texts_of(request.prompt, "prompt", model->vocabulary_size());
  if (!texts) return std::move(texts).refusal();

  CompletionPlan plan{.served_model = served_name(endpoint),
                      .model = model,
                      .suffix = request.suffix.value_or(""),
                      .choices = to_int(request.n.value_or(1)),
                      .logprobs = request.logprobs.has_value(),
                      .streamed = is_streamed(request.stream, endpoint, dialect),
                      .usage = usage_chunks(request.stream_options, endpoint, dialect)};
  plan.attempts = to_int(request.best_of.value_or(plan.choices));
  if (auto bad = check_answers(texts->size(), plan.attempts)) return *std::move(bad);
  if (auto bad = add_prompts(plan, request, *texts, question)) return *std::move(bad);
  plan.options = {.sampling = sampling_of(request, request.logprobs, *model, seed),
                  .stop = stops_of(request)};
  return plan;
}

}  // namespace inferwire::inline v0_1::engine
