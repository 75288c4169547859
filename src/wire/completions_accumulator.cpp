// Folds the chunks of a stream of completions into the answer that the call without streaming would have
// given.
#include "inferwire/completions.hpp"
#include "wire/documents.hpp"
#include "wire/fold.hpp"
#include "wire/numbered.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace inferwire::inline v0_1::completions {
namespace {

using wire::element_at;
using wire::fold_extra;
using wire::fold_token_lists;
using wire::fold_usage;
using wire::keep_first;
using wire::most_choices;
using wire::values_of;

template <class T>
void append_all(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void fold_logprobs(Optional<Logprobs>& kept, const Optional<Logprobs>& piece) {
  if (!piece) return;
  if (!kept) kept.emplace();
  append_all(kept->tokens, piece->tokens);
  append_all(kept->token_logprobs, piece->token_logprobs);
  append_all(kept->top_logprobs, piece->top_logprobs);
  append_all(kept->text_offset, piece->text_offset);
  fold_token_lists(kept->extra, piece->extra);
}

void fold(Choice& kept, const Choice& piece) {
  kept.text += piece.text;
  fold_logprobs(kept.logprobs, piece.logprobs);
  if (piece.finish_reason && !piece.finish_reason->empty()) kept.finish_reason = piece.finish_reason;
  if (piece.stop_reason) kept.stop_reason = piece.stop_reason;
  fold_extra(kept.extra, piece.extra, json::describe<Choice>(), "token_ids");  // vLLM
}

}  // namespace

struct INFERWIRE_PRIVATE Accumulator::State {
  Response response{};  // everything except the choices
  wire::Numbered<Choice> choices{};

  Response finished() && {
    response.choices = values_of(std::move(choices));
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
  keep_first(response.object, chunk.object);
  keep_first(response.model, chunk.model);
  keep_first(response.created, chunk.created);
  keep_first(response.service_tier, chunk.service_tier);
  keep_first(response.system_fingerprint, chunk.system_fingerprint);
  fold_usage(response.usage, chunk.usage);
  fold_extra(response.extra, chunk.extra, json::describe<Response>());
  for (const Choice& piece : chunk.choices) {
    const auto make = [&piece] { return Choice{.index = piece.index}; };
    if (auto* const kept = element_at(state_->choices, piece.index, make, most_choices)) fold(*kept, piece);
  }
}

std::size_t Accumulator::finished_choices() const noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(
      state_->choices, [](const auto& entry) { return entry.second.finish_reason.has_value(); }));
}

std::size_t Accumulator::started_choices() const noexcept { return state_->choices.size(); }

Response Accumulator::partial() const { return State(*state_).finished(); }

Response Accumulator::take(bool) {
  Response out = std::move(*state_).finished();
  *state_ = State{};
  return out;
}

}  // namespace inferwire::inline v0_1::completions
