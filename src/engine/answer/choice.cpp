#include "engine/answer/choice.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::engine {

Choice::Choice(std::shared_ptr<const LanguageModel> model, std::unique_ptr<LanguageModel::State> state,
               int prompt_tokens, GenerationOptions options, std::span<const Part> parts)
    : model_(std::move(model)),
      prompt_(std::move(state)),
      prompt_tokens_(prompt_tokens),
      options_(std::move(options)),
      parts_(parts) {
  begin_part();
}

Choice::Turn Choice::next() {
  Turn turn{.part = at_};
  if (auto piece = generator_->next()) {
    turn.text = std::move(piece->text);
    if (piece->token) held_.push_back(*std::move(piece->token));
  }
  if (const auto reason = generator_->finish_reason()) {
    turn.ends_part = true;
    end_part(*reason);
  }
  if (turn.ends_part || !turn.text.empty()) turn.tokens = release_tokens();
  return turn;
}

Choice::Turn Choice::cut() {
  finish_reason_ = GenerationEnd::length;
  return {.part = at_, .text = generator_->cut().text, .tokens = release_tokens(), .ends_part = true};
}

std::span<const Sample> Choice::release_tokens() {
  released_.clear();
  std::swap(held_, released_);
  return released_;
}

GenerationOptions Choice::options_of_part() const {
  const auto& part = parts_[at_];
  auto options = options_;
  options.grammar = part.grammar;
  if (part.kind != Part::Kind::text) options.stop = nullptr;
  if (at_ > 0) options.sampling.seed = mix(options.sampling.seed, at_);
  if (options.max_tokens) {
    const int left = *options.max_tokens - tokens_;
    const int spare = left - tokens_for_later_parts();
    options.max_tokens = spare > 0 ? spare : left;
  }
  if (part.most_tokens)
    options.max_tokens = std::min(*part.most_tokens, options.max_tokens.value_or(*part.most_tokens));
  return options;
}

/// The tokens that the later parts need, as far as known.
int Choice::tokens_for_later_parts() const {
  Cost sum = 0;
  for (const auto& part : parts_.subspan(at_ + 1)) {
    if (part.grammar) sum = plus(sum, part.grammar->cost());
  }
  return static_cast<int>(sum);
}

void Choice::begin_part() {
  const auto& own = parts_[at_].model;
  const auto& model = own ? own : model_;
  auto state = own ? own->start({}) : is_last() ? std::move(prompt_) : prompt_->clone();
  const auto lead = model->tokenize(parts_[at_].lead, false);
  const auto read = prompt_tokens_ + static_cast<int>(lead.size());
  // A model need not support reading beyond its window, and no token is requested from it there.
  if (read <= model->context_window()) {
    for (const auto token : lead) model->advance(*state, token);
  }
  generator_.emplace(model, std::move(state), read, options_of_part());
}

void Choice::end_part(GenerationEnd reason) {
  const bool used_up = options_.max_tokens && completion_tokens() >= *options_.max_tokens;
  const bool is_cut = reason == GenerationEnd::length && (used_up || !parts_[at_].most_tokens);
  if (is_cut || (used_up && !is_last())) {
    finish_reason_ = GenerationEnd::length;
  } else if (is_last() || reason == GenerationEnd::stop_string) {
    finish_reason_ = reason == GenerationEnd::length ? GenerationEnd::stop : reason;
  } else {
    reasoning_tokens_ = reasoning_tokens();
    tokens_ = completion_tokens();
    ++at_;
    begin_part();
  }
}

}  // namespace inferwire::inline v0_1::engine
