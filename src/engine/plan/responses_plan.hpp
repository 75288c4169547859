/// \file
/// Plans a request of the Responses API: everything is decided here, before the first token.
#pragma once

#include "engine/answer/choice.hpp"
#include "engine/answer/kept_responses.hpp"
#include "engine/model/generator.hpp"
#include "engine/plan/question.hpp"
#include "engine/plan/responses_request.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/responses.hpp"
#include "json/codec.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace inferwire::inline v0_1::engine {

struct ResponsesPlan {
  std::shared_ptr<const LanguageModel> model{};
  std::vector<Token> prompt{};
  GenerationOptions options{};
  std::vector<Part> parts{};   ///< reasoning if any, then text or calls
  bool reasoning_summary{};    ///< reasoning is summarised
  bool encrypted_reasoning{};  ///< reasoning can be sent back
  bool logprobs{};
  bool streamed{};
  bool background{};                        ///< no client waits for it; it is kept from the start
  responses::Response response{};           ///< the members that repeat the request
  json::Spelling spelling{};                ///< how the response writes its tools and its format
  std::shared_ptr<KeptResponses> keeper{};  ///< keeps the complete response; nullptr: it is not kept
  KeptResponse kept{};                      ///< the input kept with it; ids may be missing
};

/// Checks a request in the order of rules, relations between members, the endpoint's abilities, context
/// length, and returns the plan, or a refusal.
OrRefusal<ResponsesPlan> plan_response(const Question& question, const Memory& memory);

/// Counts the tokens that a model would read for a request, which need not fit into its window, nor have an
/// answer to each of its calls.
OrRefusal<std::size_t> count_input(const Question& question, const Memory& memory);

}  // namespace inferwire::inline v0_1::engine
