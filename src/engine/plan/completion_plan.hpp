/// \file
/// Plans a text completion request: everything is decided here, before the first token.
#pragma once

#include "engine/model/generator.hpp"
#include "engine/plan/question.hpp"
#include "engine/plan/sampling_plan.hpp"
#include "inferwire/engine/engine.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

struct CompletionPlan {
  std::string served_model{};
  std::shared_ptr<const LanguageModel> model{};
  std::vector<std::vector<Token>> prompts{};
  std::vector<int> most_tokens{};     ///< the token limit of a completion of each prompt
  std::vector<std::string> echoes{};  ///< the texts of the prompts; empty without `echo`
  std::string suffix{};               ///< put after every completion
  GenerationOptions options{};        ///< its own token limit has no effect
  int choices{1};                     ///< the number per prompt
  int attempts{1};                    ///< the number generated per prompt: the likeliest become its choices
  bool logprobs{};
  bool streamed{};
  UsageChunks usage{};
};

/// Checks a request as plan_chat does, and returns the plan, or a refusal.
OrRefusal<CompletionPlan> plan_completion(const Question& question);

}  // namespace inferwire::inline v0_1::engine
