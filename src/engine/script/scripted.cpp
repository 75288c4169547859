#include "engine/script/scripted.hpp"

#include <string>

namespace inferwire::inline v0_1::engine {

std::optional<Answer> answer_without_model(const CallFrame& frame) {
  if (!frame.direction) return std::nullopt;
  if (frame.direction->refused) {
    std::string why;
    for (const auto& miss : frame.direction->near_misses) why += (why.empty() ? "" : "; ") + miss;
    return refuse::unscripted(why.empty() ? "there are none" : why);
  }
  if (const auto* failure = scripted<reply::Failure>(frame)) {
    auto refusal = refuse::scripted(failure->status, failure->message);
    if (failure->retry_after) refusal.retry_after = std::to_string(*failure->retry_after);
    return refusal;
  }
  if (const auto* body = scripted<reply::Body>(frame)) {
    auto head = make_head(body->status, body->content_type, frame.request_id);
    for (const auto& [name, value] : body->headers) head.headers.add(name, value);
    return whole_answer(std::move(head), body->bytes, body->streamed);
  }
  return std::nullopt;
}

std::optional<Refusal> check_script_fits(const CallFrame& frame, EndpointTask task, bool responds) {
  if (scripted<reply::Message>(frame) != nullptr && (task != EndpointTask::chat || responds)) {
    return refuse::failed("its script has a message for what is no chat completion");
  }
  if (scripted<reply::Row>(frame) != nullptr && task != EndpointTask::embeddings) {
    return refuse::failed("its script has a row for what is no embedding");
  }
  if (scripted<reply::Text>(frame) != nullptr && task == EndpointTask::embeddings) {
    return refuse::failed("its script has a text for an embedding");
  }
  return std::nullopt;
}

}  // namespace inferwire::inline v0_1::engine
