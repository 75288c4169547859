/// \file
/// One choice of an answer: its parts, written one after another.
#pragma once

#include "engine/model/generator.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// A piece of an answer that is generated separately: each continues from the prompt.
struct Part {
  enum class Kind : std::uint8_t {
    text,
    content,  ///< predefined content in place of text; only its tokens are counted
    reasoning,
    call,
  };

  Kind kind{Kind::text};
  std::string name{};  ///< the name of the function that is called
  /// What the model reads between the prompt and the part. It is not counted.
  std::string lead{};
  /// Absent: free text.
  std::shared_ptr<const Grammar> grammar{};
  /// The token limit of the part, at which it ends as if by itself.
  std::optional<int> most_tokens{};
  /// The model that generates the part, regardless of the prompt. Absent: the answer's model.
  std::shared_ptr<const LanguageModel> model{};
};

/// Used by one thread at a time; movable.
class Choice {
 public:
  struct Turn {
    std::size_t part{};  ///< the number of the current part
    std::string text{};  ///< what the turn released of the part's text: see Piece
    /// The tokens of that text: those whose text is held back come with it, or at the end of the part. Valid
    /// until the choice's next turn.
    std::span<const Sample> tokens{};
    bool ends_part{};
  };

  /// `state` has read `prompt_tokens` tokens. `parts` is not empty and outlives the choice. The options are
  /// for all parts together; the first part uses their seed. Stop strings apply only to text, and end the
  /// choice.
  Choice(std::shared_ptr<const LanguageModel> model, std::unique_ptr<LanguageModel::State> state,
         int prompt_tokens, GenerationOptions options, std::span<const Part> parts);

  /// The next token of the current part; must not be called once the choice has finished.
  Turn next();

  /// Ends the choice here, as at a token limit. Must not be called once it has finished.
  Turn cut();

  /// Why the choice finished; absent while it goes on.
  std::optional<GenerationEnd> finish_reason() const noexcept { return finish_reason_; }
  int completion_tokens() const noexcept { return tokens_ + generator_->completion_tokens(); }
  int reasoning_tokens() const noexcept {
    return reasoning_tokens_ + (is_reasoning() ? generator_->completion_tokens() : 0);
  }

 private:
  bool is_reasoning() const noexcept { return parts_[at_].kind == Part::Kind::reasoning; }
  bool is_last() const noexcept { return at_ + 1 == parts_.size(); }
  GenerationOptions options_of_part() const;
  std::span<const Sample> release_tokens();
  int tokens_for_later_parts() const;
  void begin_part();
  void end_part(GenerationEnd reason);

  std::shared_ptr<const LanguageModel> model_;
  std::unique_ptr<LanguageModel::State> prompt_;  // destroyed before its model; empty in the last part
  int prompt_tokens_;
  GenerationOptions options_;
  std::span<const Part> parts_;
  std::size_t at_{};
  std::optional<Generator> generator_;  // of the part at_
  std::vector<Sample> held_;            // tokens whose text is held back
  std::vector<Sample> released_;        // those of the last turn with text; its memory is reused
  int tokens_{};                        // of the parts before
  int reasoning_tokens_{};
  std::optional<GenerationEnd> finish_reason_{};
};

}  // namespace inferwire::inline v0_1::engine
