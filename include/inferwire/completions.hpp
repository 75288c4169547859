/// \file
/// Text completions: requests, answers, stream chunks, and the accumulator that folds chunks into an answer.
///
/// The conventions are those of chat.hpp: names as in the JSON documents, `Optional` for what may be absent,
/// `extra` for everything else, and nothing is sent that was not set.
#pragma once

#include "inferwire/dictionary.hpp"
#include "inferwire/finish.hpp"
#include "inferwire/from_json.hpp"
#include "inferwire/json.hpp"
#include "inferwire/open_enum.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/stream_options.hpp"
#include "inferwire/text_or_list.hpp"
#include "inferwire/usage.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1 {

namespace completions {

using inferwire::Finish;
using inferwire::FinishReason;
using inferwire::StreamOptions;

/// What to continue: one or more strings, or their token ids (OpenAI, vLLM).
using Prompt = TextOrList<std::string, std::vector<std::int64_t>, std::vector<std::vector<std::int64_t>>>;
/// One or more strings that end the completion; they are not part of it.
using Stop = TextOrList<std::string>;

/// The words of ErrorBehavior.
struct ErrorBehaviorWords {
  static constexpr std::string_view error = "error";        ///< the default: answer with an error
  static constexpr std::string_view truncate = "truncate";  ///< return as many tokens as possible
};
/// What happens on a timeout, or if the prompt is too long.
using ErrorBehavior = OpenEnum<ErrorBehaviorWords>;

/// A completion request.
struct Request {
  /// The model; on Databricks the serving endpoint's name.
  std::string model{};
  /// Required. Each prompt is answered separately.
  Prompt prompt{};
  /// The maximum number of tokens in each completion: on Databricks 1 or more, default no limit; elsewhere 0
  /// or more, default 16 on OpenAI.
  Optional<std::int64_t> max_tokens{};
  /// Set by the call: `create` sends false and `stream` sends true, whatever is set here.
  Optional<bool> stream{};
  Optional<StreamOptions> stream_options{};  ///< only with `stream`
  Optional<double> temperature{};            ///< 0 to 2; default 1
  Optional<double> top_p{};                  ///< above 0 (OpenAI: from 0), up to 1; default 1
  /// Choose from this many of the likeliest tokens, 1 or more; Databricks, vLLM.
  Optional<std::int64_t> top_k{};
  Optional<ErrorBehavior> error_behavior{};  ///< Databricks pay-per-token
  /// Choices for each prompt, 1 or more; default 1. Databricks: provisioned throughput only; OpenAI: up to
  /// 128.
  Optional<std::int64_t> n{};
  Optional<std::int64_t> best_of{};  ///< OpenAI: return the best `n` of this many, up to 20; not with streams
  Optional<Stop> stop{};             ///< strings that end the answer; none may be empty. OpenAI: at most 4
  /// Databricks: appended to each completion; OpenAI: the text that follows the completion.
  Optional<std::string> suffix{};
  Optional<bool> echo{};                 ///< return the prompt before the completion
  Optional<bool> use_raw_prompt{};       ///< Databricks: apply no template to the prompt
  Optional<std::int64_t> logprobs{};     ///< OpenAI: 0 to 5 likeliest tokens in addition to the chosen one
  Optional<std::int64_t> seed{};         ///< OpenAI, vLLM
  Optional<double> frequency_penalty{};  ///< -2 to 2; OpenAI, vLLM
  Optional<double> presence_penalty{};   ///< -2 to 2; OpenAI, vLLM
  Dictionary<double> logit_bias{};       ///< maps token ids to a bias, -100 to 100; OpenAI, vLLM
  Optional<std::string> user{};          ///< OpenAI
  Optional<bool> ignore_eos{};           ///< LMI, vLLM
  Optional<std::string> client_request_id{};  ///< Databricks: recorded in the inference table
  Dictionary<std::string> usage_context{};    ///< Databricks: recorded in the usage table
  Optional<Json> extra_params{};              ///< Databricks
  /// Parameters that this struct does not name.
  Extra extra{};

  /// The number of prompts.
  INFERWIRE_API std::size_t prompts() const noexcept;
  /// The number of choices for all prompts together.
  INFERWIRE_API std::int64_t choices() const noexcept;

  INFERWIRE_API friend bool operator==(const Request&, const Request&);
};

/// The tokens of a completion. All lists have the same length.
struct Logprobs {
  std::vector<std::string> tokens{};  ///< the tokens' texts
  /// Natural logarithms; absent for the first token of an echoed prompt.
  std::vector<Optional<double>> token_logprobs{};
  /// The likeliest tokens, mapped to their log probabilities; absent for the first token of an echoed prompt.
  std::vector<Optional<Dictionary<double>>> top_logprobs{};
  std::vector<std::int64_t> text_offset{};  ///< where each token begins in the text, in characters
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Logprobs&, const Logprobs&);
};

/// A completion, or what a chunk adds to one.
struct Choice {
  std::string text{};                      ///< the completion; in a chunk a fragment of it
  std::int64_t index{};                    ///< the server's number: see Response::prompt_index
  Optional<Logprobs> logprobs{};           ///< if the request asked for them
  Optional<FinishReason> finish_reason{};  ///< in a stream, only in the last chunk of the choice
  Optional<Json> stop_reason{};            ///< vLLM: the stop string or token id
  Extra extra{};

  /// Why this choice ended, in the same terms for all providers.
  INFERWIRE_API Finish finish() const noexcept;

  INFERWIRE_API friend bool operator==(const Choice&, const Choice&);
};

/// An answer.
struct Response {
  std::string id{};                  ///< the server's id of the answer, for logs
  std::string object{};              ///< "text_completion"
  Optional<std::int64_t> created{};  ///< Unix time in seconds
  std::string model{};               ///< the model version that answered
  std::vector<Choice> choices{};     ///< `n` for each prompt, in the server's order
  Optional<Usage> usage{};
  Optional<std::string> service_tier{};        ///< OpenAI
  Optional<std::string> system_fingerprint{};  ///< changes when the provider changes the backend
  Extra extra{};

  /// The text of choice 0, wherever it is in the list; if no choice has the index 0, that of the first in the
  /// list; "" if there are no choices.
  INFERWIRE_API std::string text() const;
  /// Why the choice of `text()` ended.
  INFERWIRE_API Finish finish() const noexcept;

  /// The index of the prompt of `request` that the choice at `position` in the list answers; absent if the
  /// choice's number fits none of the prompts, or there is no such position.
  ///
  /// Servers number all choices consecutively: with n = 2, the second prompt has the indices 2 and 3. In
  /// Databricks' documents, each choice has the number of its prompt instead; such an answer is recognised by
  /// its repeated indices. In an answer from a client, a choice that was asked for alone has the index 0,
  /// whatever the server sends, and choices are numbered by position if the server does not number them.
  INFERWIRE_API Optional<std::size_t> prompt_index(const Request& request,
                                                   std::size_t position) const noexcept;
  /// The index of the choice at `position` among those for its prompt; absent as that of the prompt is.
  INFERWIRE_API Optional<std::size_t> choice_index(const Request& request,
                                                   std::size_t position) const noexcept;

  INFERWIRE_API friend bool operator==(const Response&, const Response&);
};

/// One element of a stream of completions.
struct Chunk {
  std::string id{};                  ///< the same in all chunks of an answer
  std::string object{};              ///< "text_completion"
  Optional<std::int64_t> created{};  ///< Unix time in seconds
  std::string model{};               ///< the model version that answers
  std::vector<Choice> choices{};  ///< what each adds; may be empty, for example in the chunk with the usage
  Optional<Usage> usage{};        ///< a running total on some servers: the last one counts
  Optional<std::string> service_tier{};        ///< OpenAI
  Optional<std::string> system_fingerprint{};  ///< OpenAI
  Optional<std::string> obfuscation{};         ///< padding, OpenAI
  Extra extra{};

  /// What this chunk adds to the text of choice 0; "" if nothing.
  INFERWIRE_API std::string text() const;

  INFERWIRE_API friend bool operator==(const Chunk&, const Chunk&);
};

/// The JSON document, for logs and files. It lacks what a call adds by its kind and its provider, such as
/// `stream`, a model in the path and nested tools: for the body of a call see raw_request (batch.hpp).
/// Errors: invalid_request, with the path, as when it is sent.
INFERWIRE_API Result<Json> to_json(const Request& request);
INFERWIRE_API Result<Json> to_json(const Response& response);
INFERWIRE_API Result<Json> to_json(const Chunk& chunk);

/// Combines chunks into the Response that a call without streaming would have returned. `Stream::collect()`
/// uses it; it works on chunks from any source. It never fails; at most 65,536 choices are kept, as a
/// protection from hostile indices. Not thread-safe.
class INFERWIRE_API Accumulator {
 public:
  Accumulator();
  /// Leaves the other one as if newly constructed.
  Accumulator(Accumulator&&) noexcept;
  Accumulator& operator=(Accumulator&&) noexcept;
  ~Accumulator();

  /// Adds a chunk. Chunks have to be added in stream order.
  void add(const Chunk& chunk);

  /// How many choices have a finish reason, and how many have begun.
  std::size_t finished_choices() const noexcept;
  std::size_t started_choices() const noexcept;

  /// The answer as far as it has arrived.
  Response partial() const;
  /// Returns the answer, moved out. For completions, `complete` makes no difference.
  Response take(bool complete);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace completions

using completions::to_json;  // so that it may be qualified like `from_json`

/// The inverse of `completions::to_json`.
template <>
INFERWIRE_API Result<completions::Request> from_json(const Json& document);
template <>
INFERWIRE_API Result<completions::Response> from_json(const Json& document);
template <>
INFERWIRE_API Result<completions::Chunk> from_json(const Json& document);

}  // namespace inferwire::inline v0_1
