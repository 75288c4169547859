/// \file
/// The logprobs of chat and of the Responses API: a token, its bytes, and what else could have been.
#pragma once

#include <vector>

#include "engine/model/sampler.hpp"
#include "inferwire/engine/language_model.hpp"
#include "inferwire/json.hpp"
#include "inferwire/logprobs.hpp"

namespace inferwire::inline v0_1::engine {

/// A sampled token. Beside the wire's members it has its `id`, which logit_bias takes.
TokenLogprob to_logprob(const LanguageModel& model, const Sample& sample);

/// The logprobs of a chunk as the formatter of LMI 0.29 wrote them: in a list, code points for bytes, and
/// where a likely token belongs its logprob.
Json as_lmi_0_29(const std::vector<TokenLogprob>& entries);

}  // namespace inferwire::inline v0_1::engine
