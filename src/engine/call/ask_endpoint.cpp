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
#include "engine/script/played_message.hpp"
#include "engine/script/played_text.hpp"
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

/// Answers as planned, or returns the refusal that `plan` holds.
template <class Plan>
Answer carry_out(OrRefusal<Plan> plan, std::unique_ptr<Generation> (*answer)(Plan, CallFrame),
                 const CallFrame& frame) {
  if (!plan) return std::move(plan).refusal();
  return answer(*std::move(plan), frame);
}

Answer chat(const Question& question, const CallFrame& frame) {
  auto plan = plan_chat(question);
  const auto* message = scripted<reply::Message>(frame);
  if (message != nullptr && plan) play_message(*plan, *message);
  return carry_out(play(std::move(plan), frame), &answer_chat, frame);
}

Answer complete(const Question& question, const CallFrame& frame) {
  return carry_out(play(plan_completion(question), frame), &answer_completion, frame);
}

Answer embed(const Question& question, const CallFrame& frame) {
  auto plan = plan_embedding(question);
  const auto* row = scripted<reply::Row>(frame);
  if (row != nullptr && plan) {
    plan->dimensions = row->values.size();
    plan->model = play_row(std::move(plan->model), row->values);
  }
  return carry_out(std::move(plan), &answer_embedding, frame);
}

/// Answers on the Responses API: with a response, or with the token count of its input.
Answer respond(Task task, const Question& question, const Memory& memory, const CallFrame& frame) {
  if (!question.endpoint.openai_model && !question.dialect.responses.for_all_models) {
    return refuse::invalid_value("model", "the Responses API is only compatible with OpenAI models, and '" +
                                              question.endpoint.name + "' is none");
  }
  if (task == Task::responses) {
    return carry_out(play(plan_response(question, memory), frame), &answer_response, frame);
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
  if (asked == EndpointTask::chat) return chat(question, frame);
  if (asked == EndpointTask::completions) return complete(question, frame);
  return embed(question, frame);
}

bool may_truncate(const ModelRequest& request) {
  return asked_task(request) == EndpointTask::completions &&
         text(member(request.document, "error_behavior")) == "truncate";
}

}  // namespace inferwire::inline v0_1::engine
