/// \file
/// The logprobs of chats and of the Responses API: a token, its bytes, and the alternatives.
#pragma once

#include "engine/model/sampler.hpp"
#include "inferwire/engine/language_model.hpp"
#include "inferwire/json.hpp"
#include "inferwire/logprobs.hpp"

#include <vector>

namespace inferwire::inline v0_1::engine {

/// A sampled token. Besides the wire's members it has its `id`, as used in logit_bias.
TokenLogprob to_logprob(const LanguageModel& model, const Sample& sample);

/// Puts code points in place of bytes, as LMI 0.29 did.
void use_code_points(TokenLogprob& entry);

/// The logprobs of a chunk as the formatter of LMI 0.29 wrote them: in a list, with a logprob instead of each
/// likely token.
Json in_lmi_0_29_chunk(const std::vector<TokenLogprob>& entries);

}  // namespace inferwire::inline v0_1::engine
