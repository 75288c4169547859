/// \file
/// The interface between the reference engine and whatever embeds its texts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "inferwire/export.hpp"

namespace inferwire::inline v0_1::engine {

/// Turns a text into a vector, so that texts with the same meaning have vectors near each other.
///
/// Implementations are immutable: every method is const and may be called from any thread at any time.
class INFERWIRE_API EmbeddingModel {
 public:
  EmbeddingModel() = default;
  EmbeddingModel(const EmbeddingModel&) = delete;
  EmbeddingModel& operator=(const EmbeddingModel&) = delete;
  virtual ~EmbeddingModel();

  /// Name of the model, such as "inferwire-embed-1". Lives as long as the model.
  virtual std::string_view id() const = 0;

  /// Floats of a vector; shorter ones may be asked for, longer ones may not.
  virtual int dimensions() const = 0;

  /// Most tokens that a text and its instruction may have together.
  virtual int context_window() const = 0;

  /// Numbers of a vocabulary in which texts may be given: 0 <= token < `vocabulary_size()`.
  virtual int vocabulary_size() const = 0;
  /// How many tokens a text has.
  virtual int count_tokens(std::string_view utf8) const = 0;
  /// The text that tokens spell, which may be any bytes.
  virtual std::string text_of(std::span<const std::int32_t> tokens) const = 0;

  /// Writes the vector of `text`, of length 1, over `out`, which has 1 to `dimensions()` elements. The
  /// `instruction`, which may be empty, shifts it. Any bytes are accepted; the same input has the same
  /// vector.
  virtual void embed(std::string_view text, std::string_view instruction, std::span<float> out) const = 0;
};

/// The bundled model, "inferwire-embed-1", of 1,024 dimensions: words and their parts of three to five
/// letters, weighted by how rare the words are in the text of this library, projected at random. It knows
/// which words texts share, inflected or not, and nothing of what they mean: "car" and "automobile" are
/// strangers to it.
///
/// May be called from any thread; every call returns the same object.
INFERWIRE_API std::shared_ptr<const EmbeddingModel> toy_embedding_model();

}  // namespace inferwire::inline v0_1::engine
