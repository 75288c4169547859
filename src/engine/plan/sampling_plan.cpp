#include "engine/plan/sampling_plan.hpp"

#include "base/decimal.hpp"
#include "base/utf8.hpp"
#include "engine/plan/rule_check.hpp"
#include "engine/utf8.hpp"

#include <utility>

namespace inferwire::inline v0_1::engine {

// The limit if the provider documents none.
constexpr int most_choices = 128;
constexpr std::size_t most_stops = 1024;
// The most tokens of an answer; with logprobs, one takes about 400 bytes.
constexpr std::int64_t most_held = 1 << 21;
// "Set of 16 key-value pairs", keys "with a maximum length of 64 characters", values of 512.
constexpr std::size_t most_pairs = 16, longest_key = 64, longest_value = 512;

std::optional<Refusal> check_metadata(const Document& document) {
  const auto* metadata = member(document, "metadata");
  if (metadata == nullptr) return std::nullopt;
  const Place here{.name = "metadata"};
  if (metadata->size() > most_pairs) {
    return refuse::too_many(here.text(), most_pairs, "pairs", metadata->size());
  }
  for (const auto& [key, value] : metadata->items()) {
    const auto place = here.member(key);
    if (!value.is_string()) return refuse::wrong_type(place.text(), "a string", kind_of(value));
    const auto length = utf8::characters_in(key), size = utf8::characters_in(text(&value));
    if (length > longest_key) {
      return refuse::too_many(here.text(), longest_key, "characters of a key", length);
    }
    if (size > longest_value) return refuse::too_many(place.text(), longest_value, "characters", size);
  }
  return std::nullopt;
}

std::optional<Refusal> check_bias(const Document& document, const LanguageModel& model,
                                  const Dialect& dialect) {
  const auto* bias = member(document, "logit_bias");
  if (bias == nullptr) return std::nullopt;
  if (!bias->is_object()) return refuse::wrong_type("logit_bias", "an object", kind_of(*bias));
  const Place here{.name = "logit_bias"};
  for (const auto& [key, value] : bias->items()) {
    const auto token = parse_integer<Token>(key).value_or(-1);
    if (token < 0 || (token >= model.vocabulary_size() && !dialect.any_bias)) {
      const auto limit = dialect.any_bias ? "" : " below " + std::to_string(model.vocabulary_size());
      return refuse::invalid_value(
          here.text(), "expected numbers of tokens" + limit + " as keys, but got '" + shortened(key) + "'");
    }
    if (!value.is_number()) return refuse::wrong_type(here.member(key).text(), "a number", kind_of(value));
    if (const auto number = value.get<double>(); number < -100 || number > 100) {
      return refuse::invalid_value(here.member(key).text(),
                                   "expected a number in [-100, 100], but got " + print_sorted(value));
    }
  }
  return std::nullopt;
}

std::optional<Refusal> check_ranges(std::string_view body) {
  constexpr auto speaker = protocol::Speaker::openai;
  const auto rule = [](std::string_view name) {
    auto found = *protocol::find_rule(protocol::chat_rules(), speaker, name);
    found.conflicts = {};
    return found;
  };
  const protocol::Rule rules[] = {rule("max_completion_tokens"), rule("frequency_penalty"),
                                  rule("presence_penalty"), rule("top_logprobs")};
  return check_rules(body, rules, speaker);
}

std::optional<Refusal> check_stops(const Document& document) {
  const auto* stops = member(document, "stop");
  if (stops == nullptr || stops->size() <= most_stops) return std::nullopt;
  return refuse::too_many("stop", most_stops, "strings", stops->size());
}

std::optional<Refusal> check_choices(const Document& document, const Endpoint& endpoint,
                                     const Dialect& dialect) {
  const auto* n = member(document, "n");
  if (n == nullptr || n->get<double>() <= 1) return std::nullopt;
  if (n->get<double>() > most_choices && !dialect.choices.always_one) {
    return refuse::invalid_value(
        "n", "expected an integer in [1, " + std::to_string(most_choices) + "], but got " + print_sorted(*n));
  }
  if (endpoint.provisioned || dialect.choices.several_anywhere) return std::nullopt;
  return refuse::unsupported("n", "is only available for provisioned throughput endpoints");
}

OrRefusal<int> most_tokens(std::string_view param, std::optional<std::int64_t> asked, std::int64_t room,
                           const AnswerSize& size) {
  const auto at_once = std::max<std::int64_t>(size.choices * (1 + size.likely), 1);
  const auto most = most_held / at_once - size.echoed;
  if (asked.value_or(1) <= most) return to_int(asked.value_or(std::min(room, most)));
  return refuse::invalid_value(
      std::string(param), "at most " + std::to_string(most_held) +
                              " tokens are supported in all choices together, those of logprobs and echoes "
                              "included; here that is " +
                              std::to_string(std::max<std::int64_t>(most, 0)) + " a choice, but got " +
                              std::to_string(asked.value_or(1)));
}

std::optional<Refusal> check_extra_params(const Document& document) {
  const auto* extra = member(document, "extra_params");
  if (extra == nullptr || extra->empty()) return std::nullopt;
  return refuse::unsupported("extra_params", "is not supported by this engine");
}

OrRefusal<int> answer_limit(std::string param, std::size_t prompt_tokens, std::optional<std::int64_t> wanted,
                            std::int64_t window) {
  const auto size = static_cast<std::int64_t>(prompt_tokens);
  const auto room = window - size;
  if (wanted.value_or(1) > room) {
    return refuse::context_length(std::move(param), window, size, wanted.value_or(1));
  }
  return to_int(wanted.value_or(room));
}

bool is_streamed(std::optional<bool> asked, const Endpoint& endpoint, const Dialect& dialect) {
  return asked.value_or(dialect.streams.by_default && endpoint.era == Era::current);
}

UsageChunks usage_chunks(const Optional<StreamOptions>& options, const Endpoint& endpoint,
                         const Dialect& dialect) {
  const auto form = dialect.streams.usage;
  const auto asked = form == UsageForm::as_requested ? options.value_or(StreamOptions()) : StreamOptions();
  return {.every = (form == UsageForm::by_endpoint && endpoint.usage_in_every_chunk) ||
                   asked.continuous_usage_stats.value_or(false),
          .finish = form == UsageForm::with_finish || endpoint.era == Era::preview,
          .last = asked.include_usage.value_or(false)};
}

}  // namespace inferwire::inline v0_1::engine
