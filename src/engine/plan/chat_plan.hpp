/// \file
/// Plans a chat completion request: everything is decided here, before the first token.
#pragma once

#include "engine/answer/choice.hpp"
#include "engine/model/generator.hpp"
#include "engine/plan/question.hpp"
#include "engine/plan/sampling_plan.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/json.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// Whether reasoning is shown beside the text.
enum class ReasoningBlocks : std::uint8_t { none, plain, with_signature };

struct ChatPlan {
  std::string served_model{};
  std::shared_ptr<const LanguageModel> model{};
  std::vector<Token> prompt{};
  GenerationOptions options{};
  std::vector<Part> parts{};  ///< the parts of every choice: reasoning if any, then text or calls, or both
  chat::Content content{};    ///< the content that a content part puts into a message
  ReasoningBlocks blocks{};
  int choices{1};
  bool logprobs{};
  bool streamed{};
  UsageChunks usage{};
  std::optional<Json> extra_fields{};  ///< additional members of every choice
};

/// Checks a request in the order of rules, relations between members, the endpoint's abilities, context
/// length, and returns the plan, or a refusal.
OrRefusal<ChatPlan> plan_chat(const Question& question);

}  // namespace inferwire::inline v0_1::engine
