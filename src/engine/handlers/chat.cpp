#include "engine/handlers/chat.hpp"

#include "engine/handlers/chat_answer.hpp"

#include <utility>

namespace inferwire::inline v0_1::engine {

std::unique_ptr<Generation> answer_chat(ChatPlan plan, CallFrame frame) {
  return plan.streamed ? streamed_chat(std::move(plan), std::move(frame))
                       : whole_chat(std::move(plan), std::move(frame));
}

}  // namespace inferwire::inline v0_1::engine
