/// \file
/// The bundled model, learnt anew.
#pragma once

#include <memory>

#include "inferwire/engine/language_model.hpp"

namespace inferwire::inline v0_1::engine {

/// What `toy_model` does on its first use.
std::shared_ptr<const LanguageModel> learn_toy_model();

}  // namespace inferwire::inline v0_1::engine
