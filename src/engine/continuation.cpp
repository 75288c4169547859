#include "engine/continuation.hpp"

#include "engine/answer/answer.hpp"
#include "engine/ask_endpoint.hpp"

#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// Becomes the answer once that can be planned.
class Continued final : public Generation {
 public:
  explicit Continued(Continuation request)
      : request_(std::move(request)), head_(make_head(200, "application/json", request_.frame.request_id)) {}

  const ResponseHead& head() const override { return answer_ ? answer_->head() : head_; }
  bool streamed() const override { return answer_ && answer_->streamed(); }
  Step step(TimePoint now) override {
    if (answer_) return answer_->step(now);
    if (request_.earlier->background->work(now).kind != Step::Kind::bytes) answer_ = begin();
    return {.kind = Step::Kind::bytes};
  }

 private:
  std::unique_ptr<Generation> begin() const {
    const auto& [earlier, task, document, body, endpoint, seed, prompts, keeper, frame] = request_;
    auto answer =
        ask_endpoint(task, {document, body, *endpoint, frame.dialect, seed}, {prompts, keeper}, frame);
    return answer ? *std::move(answer) : refusal_answer(frame.dialect, answer.refusal(), frame.request_id);
  }

  Continuation request_;
  ResponseHead head_;
  std::unique_ptr<Generation> answer_;  // absent as long as work on the earlier response is due
};

}  // namespace

KeptRef unfinished_earlier(Task task, const Document& document, const Dialect& dialect,
                           const KeptResponses& keeper) {
  const bool responds = task == Task::responses || task == Task::count_input;
  if (!responds || !dialect.responses.keeps) return nullptr;
  auto earlier = keeper.find(text(member(document, "previous_response_id")));
  return earlier && earlier->background && !earlier->background->ended() ? earlier : nullptr;
}

std::unique_ptr<Generation> answer_continuation(Continuation request) {
  return std::make_unique<Continued>(std::move(request));
}

}  // namespace inferwire::inline v0_1::engine
