/// \file
/// The interface between the reference engine and whatever predicts its tokens.
#pragma once

#include "inferwire/export.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// Id of a token: 0 <= token < `vocabulary_size()`.
using Token = std::int32_t;

/// One message of a conversation, before a model's chat template is applied.
struct ChatTurn {
  std::string role{};  ///< "system", "user", "assistant" or "tool"; any other is read as "user"
  std::string text{};  ///< UTF-8
};

/// Predicts the next token of a text.
///
/// Implementations are immutable: every method is const and may be called from any thread at any time.
/// Everything that changes while a text grows is in a `State`, which one thread uses at a time.
///
/// Generating is a loop: `tokenize` a prompt, `start` a state from it, then `log_probs`, choose a
/// token, `advance`, until the chosen token `is_end`.
class INFERWIRE_API LanguageModel {
 public:
  /// The text so far, in the model's own representation. It may be used only with the model that created it,
  /// and must not outlive that model.
  class INFERWIRE_API State {
   public:
    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    virtual ~State();

    /// A second state that continues the same text independently: several answers to one prompt
    /// need the prompt read only once.
    virtual std::unique_ptr<State> clone() const = 0;
  };

  LanguageModel() = default;
  LanguageModel(const LanguageModel&) = delete;
  LanguageModel& operator=(const LanguageModel&) = delete;
  virtual ~LanguageModel();

  /// Name of the model, such as "inferwire-toy-1". Valid as long as the model.
  virtual std::string_view id() const = 0;

  /// Number of tokens, special ones included.
  virtual int vocabulary_size() const = 0;

  /// Maximum number of tokens in prompt and answer together.
  virtual int context_window() const = 0;

  /// Tokens of `utf8`. Any bytes are accepted: the `token_bytes` of the result, concatenated, are `utf8`
  /// again. With `parse_special`, the names of special tokens (such as "<|user|>") become those tokens: use
  /// it for the output of `render`. Without, they are ordinary text: use that for all other text.
  virtual std::vector<Token> tokenize(std::string_view utf8, bool parse_special) const = 0;

  /// Exact bytes of a token: possibly only part of a UTF-8 character, empty for special tokens and for ids
  /// outside the vocabulary. Valid as long as the model.
  virtual std::string_view token_bytes(Token token) const = 0;

  /// True for tokens that end an answer. They have no text and are not counted as generated.
  virtual bool is_end(Token token) const = 0;

  /// Writes a conversation in the model's chat template, to be tokenized with `parse_special`. It ends with
  /// the marker that opens an assistant turn, so that the model answers.
  virtual std::string render(std::span<const ChatTurn> turns) const = 0;

  /// Reads a prompt, which may be empty.
  virtual std::unique_ptr<State> start(std::span<const Token> prompt) const = 0;

  /// Appends one token to the text of `state`.
  virtual void advance(State& state, Token token) const = 0;

  /// Natural logarithms of the next token's probabilities at temperature 1. `out` has
  /// `vocabulary_size()` elements; their exponentials sum to 1; all are finite.
  virtual void log_probs(const State& state, std::span<float> out) const = 0;
};

/// The bundled model, "inferwire-toy-1": byte-level BPE, an interpolated Kneser-Ney 4-gram, a memory of whole
/// phrases, a cache of the prompt's words, and answers to similar questions. It is trained on first use (tens
/// of milliseconds) from text in this library. It repeats what it has read and knows nothing; it exists so
/// that programs and tests have a real tokenizer, a real distribution and real streaming without a network.
///
/// May be called from any thread; every call returns the same object, which engines, generators and callers
/// share and keep alive.
INFERWIRE_API std::shared_ptr<const LanguageModel> toy_model();

}  // namespace inferwire::inline v0_1::engine
