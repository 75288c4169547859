/// \file
/// Models that generate scripted output, in the tokens of a real model.
#pragma once

#include "inferwire/engine/embedding_model.hpp"
#include "inferwire/engine/language_model.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// A model that is certain of `text`, token by token, and then of its end.
std::shared_ptr<const LanguageModel> play_text(std::shared_ptr<const LanguageModel> model,
                                               std::string_view text);

/// A model that returns `row` for every text.
std::shared_ptr<const EmbeddingModel> play_row(std::shared_ptr<const EmbeddingModel> model,
                                               std::vector<float> row);

}  // namespace inferwire::inline v0_1::engine
