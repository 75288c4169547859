#include "engine/continuation.hpp"

#include "engine/answer/answer.hpp"

#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// Becomes the answer once that can be planned.
class Continued final : public Generation {
 public:
  explicit Continued(Continuation continuation)
      : continuation_(std::move(continuation)),
        head_(make_head(200, "application/json", continuation_.frame.request_id)) {}

  const ResponseHead& head() const override { return answer_ ? answer_->head() : head_; }
  bool streamed() const override { return answer_ && answer_->streamed(); }
  Step step(TimePoint now) override {
    if (answer_) return answer_->step(now);
    if (continuation_.earlier->background->work(now).kind != Step::Kind::bytes) answer_ = begin();
    return {.kind = Step::Kind::bytes};
  }

 private:
  std::unique_ptr<Generation> begin() const {
    const auto& [earlier, request, memory, frame] = continuation_;
    auto answer = ask_endpoint(request, memory, frame);
    return answer ? *std::move(answer) : refusal_answer(frame.dialect, answer.refusal(), frame.request_id);
  }

  Continuation continuation_;
  ResponseHead head_;
  std::unique_ptr<Generation> answer_;  // absent as long as work on the earlier response is due
};

}  // namespace

KeptRef unfinished_earlier(const ModelRequest& request, const Dialect& dialect, const KeptResponses& keeper) {
  if (!describes_response(request.task) || !dialect.responses.keeps) return nullptr;
  auto earlier = keeper.find(text(member(request.document, "previous_response_id")));
  return earlier && earlier->background && !earlier->background->ended() ? earlier : nullptr;
}

std::unique_ptr<Generation> answer_continuation(Continuation continuation) {
  return std::make_unique<Continued>(std::move(continuation));
}

}  // namespace inferwire::inline v0_1::engine
