/// \file
/// Understands a request of the Responses API: everything is decided here, before the first token.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/answer/choice.hpp"
#include "engine/dialect.hpp"
#include "engine/document.hpp"
#include "engine/kept_responses.hpp"
#include "engine/model/generator.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/responses.hpp"

namespace inferwire::inline v0_1::engine {

struct ResponsesPlan {
  std::shared_ptr<const LanguageModel> model{};
  std::vector<Token> prompt{};
  GenerationOptions options{};
  std::vector<Part> parts{};   ///< reasoning if any, then text or calls
  bool reasoning_summary{};    ///< reasoning is summed up
  bool encrypted_reasoning{};  ///< reasoning can be sent back
  bool logprobs{};
  bool streamed{};
  bool background{};                        ///< nobody waits for it; it is kept from its beginning on
  responses::Response response{};           ///< what the answer repeats of the request
  std::shared_ptr<KeptResponses> keeper{};  ///< who keeps the response once it is whole; nullptr: nobody
  KeptResponse kept{};                      ///< what is kept beside it; ids are missing
};

/// Checks a request in the order of rules, relations between members, what the endpoint can do, the context's
/// length, and says what to do; or why not. `document` is `body`, parsed. `prompts` and what `keeper` has by
/// `now` are what it may name, `seed` is that of the sampling.
OrRefusal<ResponsesPlan> plan_response(const Document& document, std::string_view body,
                                       const Endpoint& endpoint, const Dialect& dialect,
                                       std::span<const PromptTemplate> prompts,
                                       const std::shared_ptr<KeptResponses>& keeper, TimePoint now,
                                       std::uint64_t seed);

/// Counts the tokens that a model would read for a request, which need not fit into its window, nor have an
/// answer to each of its calls. The parameters are plan_response's.
OrRefusal<std::size_t> count_input(const Document& document, std::string_view body, const Endpoint& endpoint,
                                   const Dialect& dialect, std::span<const PromptTemplate> prompts,
                                   const KeptResponses& keeper, TimePoint now);

}  // namespace inferwire::inline v0_1::engine
