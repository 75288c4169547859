/// \file
/// Asks a model for what a request wants: plans it, lets a script have its say, and hands it to the handler.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/answer/answer.hpp"
#include "engine/answer/call_frame.hpp"
#include "engine/document.hpp"
#include "engine/kept_responses.hpp"
#include "engine/router.hpp"
#include "inferwire/engine/engine.hpp"

namespace inferwire::inline v0_1::engine {

/// A request to a model: its document is read and its endpoint found.
struct Question {
  Task task{};
  const Document& document;
  std::string_view body;  ///< the text of the document
  const Endpoint& endpoint;
  const CallFrame& frame;
};

/// What answers of one engine have in common.
struct AnswerContext {
  std::uint64_t seed{};
  const std::vector<PromptTemplate>& prompts;
  std::shared_ptr<KeptResponses> kept_responses{};  ///< shared with answers, which may outlive the engine
};

/// Answers the question, or refuses it: the endpoint cannot do what is asked, or the document is wrong.
Answer ask_endpoint(const Question& question, const AnswerContext& context);

/// Whether the answer may end at the deadline instead of being an error: `error_behavior` is a word of
/// completions alone.
bool may_truncate(Task task, const Document& document, const Endpoint& endpoint);

}  // namespace inferwire::inline v0_1::engine
