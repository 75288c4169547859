/// \file
/// Texts that requests may give as token numbers.
#pragma once

#include "engine/refusal.hpp"
#include "inferwire/engine/language_model.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// One text of a request: its characters, or its tokens.
using Text = std::variant<std::string_view, std::vector<Token>>;

/// A text, several, or their tokens: completions' `prompt` and embeddings' `input`.
using TextsOrTokens = std::variant<std::string, std::vector<std::string>, std::vector<std::int64_t>,
                                   std::vector<std::vector<std::int64_t>>>;

/// The texts of `given`, which must outlive them; or a refusal: there are more than 2048, or a number is
/// not a token of a vocabulary of this size. `param` is the member's name.
OrRefusal<std::vector<Text>> texts_of(const TextsOrTokens& given, std::string_view param,
                                      int vocabulary_size);

}  // namespace inferwire::inline v0_1::engine
