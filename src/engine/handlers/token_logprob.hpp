/// \file
/// The logprobs of chat and of the Responses API: a token, its bytes, and what else could have been.
#pragma once

#include "engine/model/sampler.hpp"
#include "inferwire/engine/language_model.hpp"
#include "inferwire/logprobs.hpp"

namespace inferwire::inline v0_1::engine {

/// A sampled token. Beside the wire's members it has its `id`, which logit_bias takes.
TokenLogprob to_logprob(const LanguageModel& model, const Sample& sample);

}  // namespace inferwire::inline v0_1::engine
