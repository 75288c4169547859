/// \file
/// Reads a request of the Responses API, with the conversation that it continues.
#pragma once

#include "engine/answer/kept_responses.hpp"
#include "engine/plan/question.hpp"
#include "engine/refusal.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/language_model.hpp"
#include "inferwire/responses.hpp"

#include <memory>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// The prompt templates and kept responses that a request may name: shared with answers, which may outlive
/// the engine.
struct Memory {
  std::shared_ptr<const std::vector<PromptTemplate>> prompts{
      std::make_shared<const std::vector<PromptTemplate>>()};  ///< never null
  std::shared_ptr<KeptResponses> keeper{};
};

/// A request that follows the rules, with the conversation that it continues.
struct ReadRequest {
  responses::Request request{};
  KeptResponse earlier{};  ///< the earlier conversation; `bytes` includes the request's input
  std::vector<ChatTurn> turns{};
};

/// Checks a request in the order of rules, relations between members, the endpoint's abilities, and returns
/// what it says, or a refusal.
OrRefusal<ReadRequest> read_request(const Question& question, const Memory& memory);

}  // namespace inferwire::inline v0_1::engine
