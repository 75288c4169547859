#include "engine/call/ask_endpoint.hpp"

#include "engine/handlers/chat.hpp"
#include "engine/handlers/completions.hpp"
#include "engine/handlers/embeddings.hpp"
#include "engine/handlers/responses.hpp"
#include "engine/plan/chat_plan.hpp"
#include "engine/plan/completion_plan.hpp"
#include "engine/plan/embedding_plan.hpp"
#include "engine/plan/question.hpp"
#include "engine/plan/responses_plan.hpp"
#include "engine/script/played_plan.hpp"
#include "engine/script/scripted.hpp"

#include <string>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// Returns the task that a request asks of an endpoint. A container's path does not determine it, so the
/// body does.
EndpointTask asked_task(const ModelRequest& request) {
  const auto& document = request.document;
  const auto& endpoint = *request.endpoint;
  switch (request.task) {
    case Task::chat:
    case Task::responses:
    case Task::count_input: return EndpointTask::chat;
    case Task::completions: return EndpointTask::completions;
    case Task::embeddings: return EndpointTask::embeddings;
    case Task::container:
    case Task::container_stream: break;
    default: return endpoint.task;
  }
  if (member(document, "messages") != nullptr) return EndpointTask::chat;
  if (endpoint.task == EndpointTask::embeddings) return EndpointTask::embeddings;
  return member(document, "prompt") != nullptr ? EndpointTask::completions : EndpointTask::chat;
}

bool can_do(const Endpoint& endpoint, EndpointTask task, const Dialect& dialect) {
  if (endpoint.task == task) return true;
  const bool both_text = endpoint.task != EndpointTask::embeddings && task != EndpointTask::embeddings;
  return dialect.any_text_task && both_text;
}

/// Answers as planned and scripted, or returns the refusal that `plan` holds.
template <class Plan>
Answer carry_out(OrRefusal<Plan> plan, std::unique_ptr<Generation> (*answer)(Plan, CallFrame),
                 const CallFrame& frame) {
  if (!plan) return std::move(plan).refusal();
  play_script(*plan, frame);
  return answer(*std::move(plan), frame);
}

/// Answers on the Responses API: with a response, or with the token count of its input.
Answer respond(Task task, const Question& question, const Memory& memory, const CallFrame& frame) {
  if (!question.endpoint.openai_model && !question.dialect.responses.for_all_models) {
    return refuse::invalid_value("model", "the Responses API is only compatible with OpenAI models, and '" +
                                              question.endpoint.name + "' is none");
  }
  if (task == Task::responses) {
    return carry_out(plan_response(question, memory), &answer_response, frame);
  }
  auto count = count_input(question, memory);
  if (!count) return std::move(count).refusal();
  return json_answer(R"({"object":"response.input_tokens","input_tokens":)" + std::to_string(*count) + "}",
                     frame.request_id);
}

}  // namespace

Answer ask_endpoint(const ModelRequest& request, const Memory& memory, const CallFrame& frame) {
  const auto& endpoint = *request.endpoint;
  const Question question{request.document, request.body, endpoint, frame.dialect, request.seed};
  const auto asked = asked_task(request);
  const bool responds = describes_response(request.task);
  if (auto refusal = check_script_fits(frame, asked, responds)) return *std::move(refusal);
  if (!can_do(endpoint, asked, question.dialect)) {
    return refuse::wrong_task(endpoint.name, name_of(endpoint.task), name_of(asked));
  }
  if (responds) return respond(request.task, question, memory, frame);
  switch (asked) {
    case EndpointTask::chat: return carry_out(plan_chat(question), &answer_chat, frame);
    case EndpointTask::completions: return carry_out(plan_completion(question), &answer_completion, frame);
    case EndpointTask::embeddings: break;
  }
  return carry_out(plan_embedding(question), &answer_embedding, frame);
}

bool may_truncate(const ModelRequest& request) {
  return asked_task(request) == EndpointTask::completions &&
         text(member(request.document, "error_behavior")) == "truncate";
}

}  // namespace inferwire::inline v0_1::engine
