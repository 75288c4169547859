/// \file
/// The API dialects of the providers whose mounts the engine serves: rows, read by the checks and the
/// answers.
#pragma once

#include "engine/error_form.hpp"
#include "inferwire/provider.hpp"
#include "protocol/rules/rules.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// What the first piece of a streamed chat choice carries.
enum class FirstDelta : std::uint8_t {
  role_and_no_text,  ///< {"role": "assistant", "content": ""}
  role,              ///< {"role": "assistant"}
  role_and_text,     ///< the role together with the first token
};

/// The chunks of a stream that carry token counts.
enum class UsageForm : std::uint8_t {
  none,
  by_endpoint,   ///< all of them, if the endpoint does that
  with_finish,   ///< the one with the finish reason
  as_requested,  ///< those that `stream_options` names
};

/// Rules on the order of a chat's messages and on their tool calls. An endpoint may add to those of its
/// row: see check_chat.
struct ConversationRules {
  bool system_first_only{};     ///< at most one system message, and only as the first
  bool alternates{};            ///< user and assistant take turns, and the last message is the user's
  bool answers_follow_calls{};  ///< the message after one with tool calls answers one of them, and none
                                ///< answers others
  bool answers_all_calls{};     ///< the messages after it answer each of its calls once, and none answers
                                ///< others
  bool ids_per_message{};       ///< a later message may have the ids of an earlier one's calls again
  bool object_arguments{};      ///< the arguments of calls must be a JSON object
  bool cache_control{};         ///< tool calls may have `cache_control`
};

/// How many choices a request may ask for.
struct ChoiceRules {
  bool several_anywhere{};  ///< `n` > 1 also for endpoints without provisioned throughput
  bool always_one{};        ///< `n` is accepted and has no effect
};

/// What the tools of a request may use.
struct ToolRules {
  bool loose_types{};    ///< parameters may have the types "float" and "enum"
  bool allowed_tools{};  ///< `tool_choice` may restrict the tools
};

/// How answers are streamed, and what a request with `stream` true may ask for.
struct StreamRules {
  Framing framing{Framing::sse};
  UsageForm usage{};
  bool by_default{};  ///< chats and completions of the current era are streamed unless the request says
                      ///< otherwise
  bool one_prompt{};  ///< a completion has one prompt
};

/// How a provider answers chats.
struct ChatForm {
  std::string_view id_prefix{"chatcmpl-"};
  bool counted_ids{};                                      ///< ids count requests: "chatcmpl-0"
  std::string_view object{"chat.completion"};              ///< empty: answers have no `object`
  std::string_view chunk_object{"chat.completion.chunk"};  ///< the `object` of chunks
  bool says_created{true};
  bool says_model{true};
  bool chunks_say_model{true};
  bool says_fingerprint{true};
  FirstDelta first_delta{};
  bool finish_beside_text{};      ///< the finish reason comes with the last piece of text, not after it
  bool says_what_stopped{};       ///< "eos_token" or "stop_sequence" instead of "stop"
  bool says_calls{true};          ///< "tool_calls" if tools are called, instead of "stop"
  bool content_blocks{};          ///< reasoning is returned in content blocks
  bool logprobs_need_top{};       ///< `logprobs` has an effect only with a positive `top_logprobs`
  bool null_logprobs{};           ///< a choice without logprobs has `logprobs` null
  bool lmi_0_29_logprobs{};       ///< log probabilities with the defects of LMI's formatter
  int default_tokens{};           ///< token limit of a chat that sets none; 0: no limit
  double default_temperature{1};  ///< the temperature of a chat that sets none
};

/// How a provider completes texts.
struct CompletionForm {
  bool prompt_templates{};  ///< prompts are rendered in the model's template unless raw
  bool appends_suffix{};    ///< `suffix` is appended to the completion instead of guiding it
  int default_tokens{};     ///< token limit of a completion that sets none; 0: no limit
};

/// What a provider's Responses API does.
struct ResponsesForm {
  bool for_all_models{};  ///< also for models that are not OpenAI's
  bool keeps{};           ///< responses are kept unless the request says otherwise
  /// If a request nests a tool, its choice or a format in `function` or `json_schema`, its answer nests all
  /// of them.
  bool repeats_nests{};
};

/// How a provider answers with embeddings.
struct EmbeddingForm {
  std::string_view input{"input"};  ///< the member of a request that holds the texts
  bool says_id{};                   ///< answers have an id
  bool bare_rows{};                 ///< answers are nothing but the rows
};

/// A row. The rules of its requests are in protocol; here is what those rules cannot express.
struct Dialect {
  protocol::Speaker speaker{};                         ///< the one whose rules requests must follow
  std::optional<protocol::Speaker> preview_speaker{};  ///< another one for endpoints of the preview era
  ErrorForm errors{};
  std::string_view request_id_header{"x-request-id"};
  ConversationRules conversation{};
  ChoiceRules choices{};
  ToolRules tools{};
  StreamRules streams{};
  ChatForm chat{};
  CompletionForm completions{};
  ResponsesForm responses{};
  EmbeddingForm embeddings{};
  bool strict_is_openai{};              ///< schemas with `strict` must keep to OpenAI's subset
  bool any_text_task{};                 ///< chat endpoints also complete texts, and vice versa
  bool any_bias{};                      ///< `logit_bias` may name tokens that the model does not have
  bool one_model{};                     ///< requests need not name a model
  bool wants_bearer{};                  ///< a bearer token is required, any one will do
  std::uint64_t body_bytes{64U << 20};  ///< the size limit of a request's body
};

inline constexpr Dialect databricks_dialect{
    .speaker = protocol::Speaker::databricks,
    .preview_speaker = protocol::Speaker::databricks_preview,
    .errors = ErrorForm::databricks,
    .conversation = {.system_first_only = true, .object_arguments = true},
    .streams = {.usage = UsageForm::by_endpoint},
    .chat = {.content_blocks = true},
    .completions = {.prompt_templates = true, .appends_suffix = true},
    .responses = {.repeats_nests = true},
    .embeddings = {.says_id = true},
    .body_bytes = 4U << 20};

/// Databricks' Responses API gives OpenAI's errors; it is for OpenAI's models.
inline constexpr Dialect databricks_responses_dialect = [] {
  auto dialect = databricks_dialect;
  dialect.errors = ErrorForm::openai;
  return dialect;
}();
/// The Responses API of Databricks for models that are not OpenAI's.
inline constexpr Dialect databricks_open_responses_dialect = [] {
  auto dialect = databricks_responses_dialect;
  dialect.responses.for_all_models = true;
  return dialect;
}();

inline constexpr Dialect openai_dialect{.speaker = protocol::Speaker::openai,
                                        .errors = ErrorForm::openai,
                                        .conversation = {.answers_all_calls = true},
                                        .choices = {.several_anywhere = true},
                                        .tools = {.allowed_tools = true},
                                        .streams = {.usage = UsageForm::as_requested},
                                        .completions = {.default_tokens = 16},
                                        .responses = {.for_all_models = true, .keeps = true},
                                        .strict_is_openai = true,
                                        .any_text_task = true};

/// AI21's documentation shows no errors; here they are OpenAI's unless the options say otherwise.
inline constexpr Dialect ai21_dialect{
    .speaker = protocol::Speaker::ai21,
    .errors = ErrorForm::openai,
    .conversation = {.system_first_only = true, .answers_follow_calls = true},
    .choices = {.several_anywhere = true},
    .tools = {.loose_types = true},
    .streams = {.usage = UsageForm::with_finish},
    .chat = {.id_prefix = "chat-",
             .object = "",
             .chunk_object = "",
             .says_created = false,
             .chunks_say_model = false,
             .says_fingerprint = false,
             .first_delta = FirstDelta::role,
             .says_calls = false,
             .default_tokens = 4096,
             .default_temperature = 0.4},
    .wants_bearer = true};

inline constexpr Dialect lmi_dialect{.speaker = protocol::Speaker::lmi,
                                     .errors = ErrorForm::lmi,
                                     .conversation = {.ids_per_message = true},
                                     .choices = {.several_anywhere = true},
                                     .streams = {.framing = Framing::json_lines},
                                     .chat = {.counted_ids = true,
                                              .says_model = false,
                                              .chunks_say_model = false,
                                              .says_fingerprint = false,
                                              .first_delta = FirstDelta::role_and_text,
                                              .finish_beside_text = true,
                                              .says_what_stopped = true,
                                              .logprobs_need_top = true,
                                              .null_logprobs = true},
                                     .completions = {.default_tokens = 16},
                                     .embeddings = {.input = "inputs", .bare_rows = true},
                                     .any_text_task = true,
                                     .any_bias = true,
                                     .one_model = true};

/// How SageMaker itself answers, before the container behind it is asked.
inline constexpr Dialect sagemaker_dialect = [] {
  auto dialect = lmi_dialect;
  dialect.errors = ErrorForm::sagemaker;
  dialect.request_id_header = "x-amzn-RequestId";
  dialect.body_bytes = 6U << 20;
  return dialect;
}();

}  // namespace inferwire::inline v0_1::engine
