/// \file
/// The interface between the reference engine and whatever embeds its texts.
#pragma once

#include "inferwire/export.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

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

  /// Name of the model, such as "inferwire-embed-1". Valid as long as the model.
  virtual std::string_view id() const = 0;

  /// Number of floats in a vector; shorter vectors may be requested, longer ones may not.
  virtual int dimensions() const = 0;

  /// Maximum number of tokens in a text and its instruction together.
  virtual int context_window() const = 0;

  /// Size of the vocabulary for texts that are given as token ids: 0 <= token < `vocabulary_size()`.
  virtual int vocabulary_size() const = 0;
  /// Number of tokens in a text.
  virtual int count_tokens(std::string_view utf8) const = 0;
  /// The text of these tokens, which may be any bytes.
  virtual std::string text_of(std::span<const std::int32_t> tokens) const = 0;

  /// Writes the vector of `text`, normalised to length 1, to `out`, which has 1 to `dimensions()` elements.
  /// The `instruction`, which may be empty, influences it. Any bytes are accepted; the same input gives the
  /// same vector.
  virtual void embed(std::string_view text, std::string_view instruction, std::span<float> out) const = 0;
};

/// The bundled model, "inferwire-embed-1", with 1,024 dimensions: a random projection of the words and their
/// parts of three to five letters, weighted by how rare the words are in the text of this library. It
/// captures which words texts share, inflected or not, but not what they mean: "car" and "automobile" are
/// unrelated to it.
///
/// May be called from any thread; every call returns the same object.
INFERWIRE_API std::shared_ptr<const EmbeddingModel> toy_embedding_model();

}  // namespace inferwire::inline v0_1::engine
