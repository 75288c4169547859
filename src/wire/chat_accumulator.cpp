// Folds the chunks of a chat stream into the answer that the call without streaming would have given. The
// rules are what the servers seen so far require; each oddity is named where it is handled.
#include "inferwire/chat.hpp"
#include "json/codec.hpp"
#include "wire/blocks_fold.hpp"
#include "wire/content_fold.hpp"
#include "wire/documents.hpp"
#include "wire/fold.hpp"
#include "wire/numbered.hpp"
#include "wire/object_fold.hpp"
#include "wire/remarks.hpp"
#include "wire/tool_call_fold.hpp"
#include "wire/tool_call_ids.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::chat {
namespace {

using wire::add_name;
using wire::append;
using wire::BlocksFold;
using wire::element_at;
using wire::fold_content;
using wire::fold_extra;
using wire::fold_list;
using wire::fold_token_lists;
using wire::fold_usage;
using wire::id_seed;
using wire::keep_first;
using wire::most_choices;
using wire::ObjectFold;
using wire::ToolCallFold;

/// How many annotations a new one is compared with.
constexpr std::ptrdiff_t most_compared = 256;

/// Both members may occur, even in one delta. Each that occurs gets the whole text, since both are sent back
/// and a server may read either.
void fold_reasoning(Message& message, const Delta& delta) {
  if (delta.reasoning_content && !message.reasoning_content) {
    message.reasoning_content = message.reasoning.value_or("");
  }
  if (delta.reasoning && !message.reasoning) message.reasoning = message.reasoning_content.value_or("");
  const auto add = [&message](const Optional<std::string>& piece) {
    if (message.reasoning_content) append(message.reasoning_content, piece);
    if (message.reasoning) append(message.reasoning, piece);
  };
  add(delta.reasoning_content);
  if (delta.reasoning != delta.reasoning_content) add(delta.reasoning);
}

void fold_logprobs(Optional<Logprobs>& kept, const Optional<Logprobs>& piece) {
  if (!piece) return;
  if (!kept) kept.emplace();
  kept->content.insert(kept->content.end(), piece->content.begin(), piece->content.end());
  kept->refusal.insert(kept->refusal.end(), piece->refusal.begin(), piece->refusal.end());
  fold_token_lists(kept->extra, piece->extra);
}

/// Folds message members that deltas carry but Delta has no member for. OpenRouter repeats an annotation in
/// every later chunk: those of one delta are compared with earlier ones only.
void fold_foreign(Message& message, const Extra& extra) {
  const Json* const annotations = extra.find("annotations");
  if (annotations == nullptr || !annotations->is_array()) return;
  auto decoded = json::decode<Message>("{\"annotations\":" + annotations->text() + "}");
  if (!decoded) return;
  auto& kept = message.annotations;
  const auto before = std::ssize(kept);
  for (Annotation& annotation : decoded->annotations) {
    const auto end = kept.begin() + before;
    const auto compared = end - std::min(before, most_compared);
    if (std::find(compared, end, annotation) == end) kept.push_back(std::move(annotation));
  }
}

constexpr std::string_view audio_texts[] = {"data", "transcript"};
constexpr std::string_view details_texts[] = {"text", "summary", "data"};
constexpr std::string_view thinking_texts[] = {"thinking", "data"};

/// Folds usage from other places: `x_groq` for Groq, the choice for Kimi.
void fold_usage_elsewhere(Optional<Usage>& kept, const Chunk& chunk) {
  const auto fold = [&kept](const Json& found) {
    if (!found.is_object()) return;
    if (const auto usage = json::decode<Usage>(found.text())) fold_usage(kept, *usage);
  };
  for (const ChunkChoice& choice : chunk.choices) {
    if (const Json* const usage = choice.extra.find("usage")) fold(*usage);
  }
  const Json* const groq = chunk.extra.find("x_groq");
  const auto inside = groq != nullptr ? groq->find("/usage") : Optional<Json>();
  if (inside) fold(*inside);
}

/// Used for a call that nothing has marked as finished: without a finish reason the stream may have ended
/// inside it, regardless of its end marker. Not valid before the end of the stream: `1` may become `12`.
bool has_json_arguments(const ToolCall& call) {
  return call.function && json::check(call.function->arguments);
}

struct ChoiceFold {
  Choice choice{};
  ToolCallFold calls{};
  ObjectFold audio{audio_texts};
  BlocksFold details{"reasoning_details", details_texts};
  BlocksFold thinking{"thinking_blocks", thinking_texts};  // LiteLLM
  BlocksFold executed{"executed_tools", {}};               // Groq
  Optional<Json> images{};                                 // OpenRouter
  Optional<Json> annotations{};                            // beside the delta, sometimes (OpenRouter)
  std::vector<Json> latest_annotations{};                  // the last of them
  Optional<std::string> reasoning_text{};                  // GitHub Copilot

  void add(const ChunkChoice& piece) {
    Message& message = choice.message;
    const Delta& delta = piece.delta;
    if (delta.role && message.role.empty()) message.role = *delta.role;
    if (delta.content) fold_content(message.content, *delta.content);
    append(message.refusal, delta.refusal);
    fold_reasoning(message, delta);
    calls.add(delta.tool_calls);
    if (delta.function_call) {
      if (!message.function_call) message.function_call.emplace();
      add_name(message.function_call->name, delta.function_call->name);
      message.function_call->arguments += delta.function_call->arguments.value_or("");
    }
    if (!delta.extra.empty()) add_unnamed(delta.extra);
    if (piece.finish_reason && !piece.finish_reason->empty()) choice.finish_reason = piece.finish_reason;
    if (piece.stop_reason) choice.stop_reason = piece.stop_reason;
    fold_logprobs(choice.logprobs, piece.logprobs);
    if (!piece.extra.empty()) add_beside(piece.extra);
  }

  /// Adds the members of a delta that it does not name.
  void add_unnamed(const Extra& extra) {
    fold_foreign(choice.message, extra);
    if (const Json* piece = extra.find("audio"); piece != nullptr && piece->is_object()) audio.add(*piece);
    details.add(extra);
    thinking.add(extra);
    executed.add(extra);
    if (const Json* more = extra.find("images"); more != nullptr && more->is_array()) {
      fold_list(images, *more);
    }
    if (const Json* more = extra.find("reasoning_text"); more != nullptr && more->is_string()) {
      append(reasoning_text, more->as_string());
    }
    fold_extra(choice.message.extra, extra, json::describe<Message>());
  }

  /// Adds the members next to a delta that its choice does not name.
  void add_beside(const Extra& extra) {
    if (const Json* fields = extra.find("extra_fields"); fields != nullptr && !fields->is_null()) {
      choice.extra_fields = *fields;
    }
    if (const Json* more = extra.find("annotations"); more != nullptr && more->is_array()) {
      add_annotations(*more);
    }
    fold_extra(choice.extra, extra, json::describe<Choice>(), "token_ids");  // vLLM
  }

  /// Adds those that are not among earlier ones.
  void add_annotations(const Json& more) {
    if (annotations && *annotations == more) return;
    auto items = more.items();
    auto& latest = latest_annotations;
    std::erase_if(items,
                  [&latest](const Json& item) { return std::ranges::find(latest, item) != latest.end(); });
    if (!annotations) {
      annotations = more;
    } else if (!items.empty()) {
      std::string list;
      for (const Json& item : items) list += (list.empty() ? "[" : ",") + item.text();
      fold_list(annotations, Json::raw(list + "]"));
    }
    latest.insert(latest.end(), items.begin(), items.end());
    latest.erase(latest.begin(), latest.end() - std::min(std::ssize(latest), most_compared));
  }

  Choice finished(const Response& head, bool complete) && {
    Message& message = choice.message;
    if (message.role.empty()) message.role = Role::assistant;
    if (!audio.empty()) message.audio = std::move(audio).take();
    std::move(details).take_into(message.extra);
    std::move(thinking).take_into(message.extra);
    std::move(executed).take_into(message.extra);
    if (images) message.extra.set("images", *std::move(images));
    if (reasoning_text) message.extra.set("reasoning_text", Json::string(*reasoning_text));
    if (annotations) choice.extra.set("annotations", *std::move(annotations));
    const auto finish = choice.finish();
    message.tool_calls = std::move(calls).take(id_seed(head, choice.index), wire::is_cut(finish));
    wire::mark_cut_calls(choice);
    if (finish == Finish::none) {
      for (ToolCall& call : message.tool_calls) {
        if (!complete || !has_json_arguments(call)) wire::set_remark(call.extra, wire::incomplete_remark);
      }
    }
    return std::move(choice);
  }
};

}  // namespace

struct INFERWIRE_PRIVATE Accumulator::State {
  Response response{};  // everything except the choices
  wire::Numbered<ChoiceFold> choices{};

  Response finished(bool complete) && {
    for (auto& [index, fold] : choices) {
      response.choices.push_back(std::move(fold).finished(response, complete));
    }
    return std::move(response);
  }
};

Accumulator::Accumulator() : state_(std::make_unique<State>()) {}
Accumulator::Accumulator(Accumulator&& other) noexcept : Accumulator() { state_.swap(other.state_); }
Accumulator& Accumulator::operator=(Accumulator&& other) noexcept {
  Accumulator taken(std::move(other));
  state_.swap(taken.state_);
  return *this;
}
Accumulator::~Accumulator() = default;

void Accumulator::add(const Chunk& chunk) {
  Response& response = state_->response;
  keep_first(response.id, chunk.id);
  keep_first(response.model, chunk.model);
  if (chunk.created != 0) keep_first(response.created, chunk.created);  // Azure's first chunk has no time
  keep_first(response.service_tier, chunk.service_tier);
  keep_first(response.system_fingerprint, chunk.system_fingerprint);
  if (response.object.empty()) {
    constexpr std::string_view suffix = ".chunk";
    std::string_view object = chunk.object;
    if (object.ends_with(suffix)) object.remove_suffix(suffix.size());
    response.object = object;
  }
  if (chunk.usage) {
    fold_usage(response.usage, chunk.usage);
  } else {
    fold_usage_elsewhere(response.usage, chunk);
  }
  fold_extra(response.extra, chunk.extra, json::describe<Response>(), "messages");  // agents on Databricks
  for (const ChunkChoice& piece : chunk.choices) {
    const auto make = [&piece] { return ChoiceFold{.choice = {.index = piece.index}}; };
    if (auto* const fold = element_at(state_->choices, piece.index, make, most_choices)) fold->add(piece);
  }
}

std::vector<ToolCall> Accumulator::new_tool_calls() {
  const auto first = state_->choices.find(0);
  if (first == state_->choices.end()) return {};
  ChoiceFold& fold = first->second;
  const auto& reason = fold.choice.finish_reason;
  const auto finish = reason ? finish_of(*reason, true) : Finish::none;
  const bool ended = finish == Finish::tool_calls || finish == Finish::stop;
  return fold.calls.give(id_seed(state_->response, 0), ended);
}

std::size_t Accumulator::finished_choices() const noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(
      state_->choices, [](const auto& entry) { return entry.second.choice.finish_reason.has_value(); }));
}

std::size_t Accumulator::started_choices() const noexcept { return state_->choices.size(); }

Response Accumulator::partial() const { return State(*state_).finished(true); }

Response Accumulator::take(bool complete) {
  Response out = std::move(*state_).finished(complete);
  *state_ = State{};
  return out;
}

}  // namespace inferwire::inline v0_1::chat
