/// \file
/// The work of an answer, piece by piece: whose turn it is, and when.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/call_frame.hpp"
#include "engine/model/generator.hpp"
#include "engine/model/random.hpp"
#include "inferwire/finish.hpp"
#include "inferwire/usage.hpp"

namespace inferwire::inline v0_1::engine {

/// The wire's word for why a generation finished.
inline inferwire::FinishReason to_wire(FinishReason reason) {
  using Words = inferwire::FinishReason;
  return reason == FinishReason::length ? Words::length : Words::stop;
}

/// The choices of one request, which take turns.
class Choices {
 public:
  struct Turn {
    std::size_t index{};
    Piece piece{};
    std::optional<FinishReason> finish{};  ///< set in a choice's last turn
  };

  /// `n` choices for each prompt; choice k of prompt p has the index p * n + k. Every prompt is answered as
  /// it would be alone.
  Choices(const std::shared_ptr<const LanguageModel>& model, std::span<const std::vector<Token>> prompts,
          const GenerationOptions& options, int n) {
    for (const auto& prompt : prompts) {
      for (auto& generator : start_choices(model, prompt, options, n)) {
        if (generator.finish_reason()) ++finished_;  // of those that may have no token at all
        generators_.push_back(std::move(generator));
      }
      prompt_tokens_ += static_cast<std::int64_t>(prompt.size());
    }
  }

  bool finished() const noexcept { return finished_ == generators_.size(); }
  std::size_t size() const noexcept { return generators_.size(); }
  /// Why the choice at `index` ended; nothing while it goes on.
  std::optional<FinishReason> finish_reason(std::size_t index) const noexcept {
    return generators_[index].finish_reason();
  }

  /// A token of the choice whose turn it is; not to be called when all have finished.
  Turn next() {
    while (generators_[turn_].finish_reason()) advance();
    auto& generator = generators_[turn_];
    Turn turn{.index = turn_};
    if (auto piece = generator.next()) turn.piece = *std::move(piece);
    turn.finish = generator.finish_reason();
    if (turn.finish) ++finished_;
    advance();
    return turn;
  }

  /// Ends the next choice that has not, where it is; not to be called when all have finished.
  Turn cut() {
    while (generators_[turn_].finish_reason()) advance();
    auto& generator = generators_[turn_];
    Turn turn{.index = turn_, .piece = generator.cut(), .finish = generator.finish_reason()};
    ++finished_;
    return turn;
  }

  /// Each prompt is counted once.
  Usage usage() const {
    std::int64_t completion = 0;
    for (const auto& generator : generators_) completion += generator.completion_tokens();
    return {.prompt_tokens = prompt_tokens_,
            .completion_tokens = completion,
            .total_tokens = prompt_tokens_ + completion};
  }

 private:
  void advance() { turn_ = (turn_ + 1) % generators_.size(); }

  std::vector<Generator> generators_;
  std::int64_t prompt_tokens_{};
  std::size_t turn_{};
  std::size_t finished_{};
};

/// When the next token may come.
class Pacer {
 public:
  explicit Pacer(const CallFrame& frame)
      : due_(frame.start + frame.pacing.first_token),
        between_(frame.pacing.per_token),
        jitter_(frame.pacing.jitter),
        random_(frame.jitter_seed) {}

  bool is_due(TimePoint now) const noexcept { return now >= due_; }
  TimePoint due() const noexcept { return due_; }
  void took_one() noexcept {
    if (jitter_ <= 0) {
      due_ += between_;
      return;
    }
    const double part = 1 + jitter_ * (2 * static_cast<double>(random_.uniform()) - 1);
    due_ += std::chrono::duration_cast<std::chrono::nanoseconds>(between_ * part);
  }

 private:
  TimePoint due_;
  std::chrono::nanoseconds between_;
  double jitter_;
  Random random_;
};

}  // namespace inferwire::inline v0_1::engine
