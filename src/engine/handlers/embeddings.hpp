/// \file
/// Answers embedding requests.
#pragma once

#include "engine/answer/call_frame.hpp"
#include "engine/plan/embedding_plan.hpp"
#include "inferwire/engine/service.hpp"

#include <memory>

namespace inferwire::inline v0_1::engine {

/// The answer to a planned request: one text per step.
std::unique_ptr<Generation> answer_embedding(EmbeddingPlan plan, CallFrame frame);

}  // namespace inferwire::inline v0_1::engine
