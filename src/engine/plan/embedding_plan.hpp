/// \file
/// Plans an embedding request: everything is decided here, before the first text.
#pragma once

#include "engine/plan/question.hpp"
#include "inferwire/engine/embedding_model.hpp"
#include "inferwire/engine/engine.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

struct EmbeddingPlan {
  std::string served_model{};
  std::shared_ptr<const EmbeddingModel> model{};
  std::vector<std::string> texts{};
  std::string instruction{};
  std::size_t dimensions{};
  bool bare_rows{};  ///< the answer is nothing but the rows
  bool lone{};       ///< the answer is the only row: the request had one text and no list
  bool base64{};
  std::int64_t tokens{};  ///< the total of all texts, each with the instruction
};

/// Checks a request as plan_chat does, and returns the plan, or a refusal.
OrRefusal<EmbeddingPlan> plan_embedding(const Question& question);

}  // namespace inferwire::inline v0_1::engine
