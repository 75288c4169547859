/// \file
/// Distinguishes in the corpus what the model says from what is said to it.
#pragma once

#include "inferwire/engine/language_model.hpp"

namespace inferwire::inline v0_1::engine {

/// Follows a text token by token. The model learns to say its answers and the documents without turns. Texts
/// of users, instructions and tools are only context: in answers they would be out of place.
class Voice {
 public:
  struct Markers {
    Token document_end;  ///< closes answers and documents; the model says it as well
    Token answer_begin;  ///< opens a turn of the model's own
    Token context_only;  ///< this token and all above open turns and are never said
  };

  explicit Voice(Markers markers) : markers_{markers} {}

  /// Whether the model should learn to say `token`, the next one of the text.
  bool says(Token token) noexcept {
    const bool said = own_ && token < markers_.context_only;
    if (token >= markers_.context_only) own_ = token == markers_.answer_begin;
    if (token == markers_.document_end) own_ = true;
    return said;
  }

 private:
  Markers markers_;
  bool own_ = true;
};

}  // namespace inferwire::inline v0_1::engine
