/// \file
/// Learns the bundled model.
#pragma once

#include "inferwire/engine/language_model.hpp"

#include <memory>

namespace inferwire::inline v0_1::engine {

/// Learns the model anew; `toy_model` does so on its first use.
std::shared_ptr<const LanguageModel> learn_toy_model();

}  // namespace inferwire::inline v0_1::engine
