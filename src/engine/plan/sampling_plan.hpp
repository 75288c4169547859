/// \file
/// What all requests for text have in common: checks of related members, and the conversion to sampling
/// options.
#pragma once

#include "engine/dialect.hpp"
#include "engine/document.hpp"
#include "engine/model/generator.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/stream_options.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// The chunks of a stream that carry token counts.
struct UsageChunks {
  bool every{};   ///< all of them, with running totals
  bool finish{};  ///< the one with the finish reason (preview era)
  bool last{};    ///< an additional one at the end, without choices; all others have null
};

/// A token with this bias is never chosen.
inline constexpr float banned = -100;

/// Refuses more `metadata` than OpenAI keeps, or values that are not text.
std::optional<Refusal> check_metadata(const Document& document);
std::optional<Refusal> check_bias(const Document& document, const LanguageModel& model,
                                  const Dialect& dialect);
/// Checks members that the provider may not document, by OpenAI's ranges for them.
std::optional<Refusal> check_ranges(std::string_view body);
/// Refuses more stop strings than the engine supports.
std::optional<Refusal> check_stops(const Document& document);
/// Refuses several choices if only one is allowed.
std::optional<Refusal> check_choices(const Document& document, const Endpoint& endpoint,
                                     const Dialect& dialect);
/// What is held in memory until an answer is complete.
struct AnswerSize {
  std::int64_t choices{1};  ///< for all prompts together
  std::int64_t likely{};    ///< alternatives reported for each token, `top_logprobs`
  std::int64_t echoed{};    ///< tokens of the prompt with which each choice begins
};
/// The token limit of a choice: `asked`, the value of the member `param`; if absent, `room`, or less if all
/// choices together would be too long.
OrRefusal<int> most_tokens(std::string_view param, std::optional<std::int64_t> asked, std::int64_t room,
                           const AnswerSize& size);
/// Refuses `extra_params`, which a few live services accept.
std::optional<Refusal> check_extra_params(const Document& document);

inline int to_int(std::int64_t value) {
  return static_cast<int>(std::min<std::int64_t>(value, std::numeric_limits<int>::max()));
}

/// The most tokens of a request and its answer together. `Model` is a LanguageModel or an EmbeddingModel.
template <class Model>
std::int64_t window_of(const Endpoint& endpoint, const Model& model) {
  return std::min<std::int64_t>(endpoint.context_window, model.context_window());
}

/// The token limit of the answer to a prompt: `wanted`, or else all that the prompt leaves of the window.
/// Refuses a prompt that leaves too little; `param` is its member: "messages".
OrRefusal<int> answer_limit(std::string param, std::size_t prompt_tokens, std::optional<std::int64_t> wanted,
                            std::int64_t window);

/// `Request` is a request for text; the name of its `top_logprobs` varies.
template <class Request>
SamplingOptions sampling_of(const Request& request, std::optional<std::int64_t> top_logprobs,
                            const LanguageModel& model, std::uint64_t default_seed,
                            double default_temperature = 1) {
  SamplingOptions sampling{
      .temperature = static_cast<float>(request.temperature.value_or(default_temperature)),
      .top_p = static_cast<float>(request.top_p.value_or(1)),
      .top_k = to_int(request.top_k.value_or(0)),
      .frequency_penalty = static_cast<float>(request.frequency_penalty.value_or(0)),
      .presence_penalty = static_cast<float>(request.presence_penalty.value_or(0)),
      .seed = request.seed ? static_cast<std::uint64_t>(*request.seed) : default_seed,
      .top_logprobs = to_int(top_logprobs.value_or(0))};
  for (const auto& [key, bias] : request.logit_bias) {
    Token token = 0;
    std::from_chars(key.data(), key.data() + key.size(), token);
    sampling.logit_bias.emplace_back(token, static_cast<float>(bias));
  }
  if (request.ignore_eos.value_or(false)) {
    for (Token token = 0; token < model.vocabulary_size(); ++token) {
      if (model.is_end(token)) sampling.logit_bias.emplace_back(token, banned);
    }
  }
  return sampling;
}

template <class Request>
StopStrings stops_of(const Request& request) {
  if (!request.stop) return nullptr;
  if (const auto* one = std::get_if<std::string>(&*request.stop)) return to_stop_strings({*one});
  return to_stop_strings(std::get<std::vector<std::string>>(*request.stop));
}

/// Whether an answer of generated text is streamed; `asked` is the request's `stream`.
bool is_streamed(std::optional<bool> asked, const Endpoint& endpoint, const Dialect& dialect);

UsageChunks usage_chunks(const Optional<StreamOptions>& options, const Endpoint& endpoint,
                         const Dialect& dialect);

}  // namespace inferwire::inline v0_1::engine
