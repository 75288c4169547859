/// \file
/// One generation: a text that grows token by token until it ends.
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
  stop_string,  ///< one of the request's stop strings was found
  length,       ///< `max_tokens` or the model's context window is used up
};

struct GenerationOptions {
  SamplingOptions sampling{};
  /// The text ends before the first of these, which is not part of it, though its tokens are counted.
  StopStrings stop{};
  /// If absent, the limit is the context window.
  std::optional<int> max_tokens{};
  /// If absent, the text is free. Otherwise it is one of the grammar, complete if it fits into the limit of
  /// tokens; stop strings have no effect then, and bans only as long as another token is allowed.
  std::shared_ptr<const Grammar> grammar{};
  /// Gives lists near the top of a grammar's document an element if there is room for one. The bundled model
  /// would leave nearly all lists empty.
  bool fills_lists{};
};

/// The result of one step.
struct Piece {
  /// Text that this step released: complete characters of valid UTF-8. Often the token's own text, but empty
  /// while the text may become a stop string or a character is unfinished, and longer afterwards.
  std::string text{};
  /// The token that was sampled. Absent only in a last piece of text that had been held back.
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
  Generator& operator=(Generator&&) = delete;  // would release the old model before the old state

  /// Samples one token. Nothing once the generation has finished.
  std::optional<Piece> next();

  /// Ends the generation here, as if its length limit were reached; the text held back is its last piece.
  /// Must not be called once it has finished.
  Piece cut();

  /// Why the generation finished; absent while it goes on. Set together with the last piece.
  std::optional<GenerationEnd> finish_reason() const noexcept { return finish_reason_; }

  /// Tokens sampled so far, including those of a stop string but not the end marker.
  int completion_tokens() const noexcept { return completion_tokens_; }

 private:
  std::optional<Sample> sample();
  std::optional<GenerationEnd> reason_to_finish() const;
  std::optional<Piece> finish(GenerationEnd reason);

  std::shared_ptr<const LanguageModel> model_;
  std::unique_ptr<LanguageModel::State> state_;  // destroyed before its model
  Sampler sampler_;
  StopFilter stop_filter_;
  std::vector<float> log_probs_;
  int most_tokens_;
  std::optional<Constraint> constraint_{};
  int completion_tokens_ = 0;
  std::optional<GenerationEnd> finish_reason_{};
};

}  // namespace inferwire::inline v0_1::engine
