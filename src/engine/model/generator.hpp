/// \file
/// One generation: a text grows token by token until it ends.
#pragma once

#include "engine/constraint/constraint.hpp"
#include "engine/model/sampler.hpp"
#include "engine/model/stop_filter.hpp"
#include "inferwire/engine/language_model.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::engine {

enum class GenerationEnd : std::uint8_t {
  stop,         ///< the model ended its text
  stop_string,  ///< one of the request's stop strings did
  length,       ///< `max_tokens` or the model's context window is used up
};

struct GenerationOptions {
  SamplingOptions sampling{};
  /// The text ends before the first of these. They are not part of it, but their tokens are counted.
  StopStrings stop{};
  /// Absent: until the text ends or the context window is full.
  std::optional<int> max_tokens{};
  /// Absent: free text. The text is one of the grammar, whole if it fits into the tokens that it may have;
  /// then stop strings do not count, and bans only as long as another token is allowed.
  std::shared_ptr<const Grammar> grammar{};
  /// Gives lists near the top of a grammar's document an element if there is room for one. The bundled model
  /// knows nothing to put into a list, and would leave nearly all of them empty.
  bool fills_lists{};
};

/// What one step brought.
struct Piece {
  /// Text that this step set free: valid UTF-8, whole characters. Often the token's own text, but empty while
  /// the text may yet become a stop string or a character is unfinished, and longer afterwards.
  std::string text{};
  /// The token that was sampled. Absent only in a last piece that brings text which had been held back.
  std::optional<Sample> token{};
};

/// Pure: no clock, no I/O; a step takes microseconds. Used by one thread at a time; movable.
class Generator {
 public:
  /// Continues `prompt`. `model` is shared because generations outlive the request that started them.
  Generator(std::shared_ptr<const LanguageModel> model, std::span<const Token> prompt,
            GenerationOptions options);

  /// Continues a state that has read `prompt_tokens` tokens.
  Generator(std::shared_ptr<const LanguageModel> model, std::unique_ptr<LanguageModel::State> state,
            int prompt_tokens, GenerationOptions options);

  Generator(Generator&&) noexcept = default;
  Generator& operator=(Generator&&) = delete;  // would let the old model go before the old state

  /// Samples one token. Nothing once the generation has finished.
  std::optional<Piece> next();

  /// Ends the generation where it is, for want of room; the text that was held back is its last piece. Not to
  /// be called once it has finished.
  Piece cut();

  /// Why the generation finished; absent while it goes on. Known as soon as the last piece is out.
  std::optional<GenerationEnd> finish_reason() const noexcept { return finish_reason_; }

  /// Tokens that were read. Several choices of one request share them: count them once.
  int prompt_tokens() const noexcept { return prompt_tokens_; }

  /// Tokens sampled so far, those of a stop string included, the end marker not.
  int completion_tokens() const noexcept { return completion_tokens_; }

 private:
  std::optional<Sample> sample();
  std::optional<GenerationEnd> reason_to_finish() const;
  std::optional<Piece> finish(GenerationEnd reason);

  std::shared_ptr<const LanguageModel> model_;
  std::unique_ptr<LanguageModel::State> state_;  // dies before its model
  Sampler sampler_;
  StopFilter stop_filter_;
  std::vector<float> log_probs_;
  int prompt_tokens_;
  int most_tokens_;
  std::optional<Constraint> constraint_{};
  int completion_tokens_ = 0;
  std::optional<GenerationEnd> finish_reason_{};
};

}  // namespace inferwire::inline v0_1::engine
