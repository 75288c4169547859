#include "engine/answer/guarded.hpp"

#include "engine/answer/answer.hpp"

#include <string>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

class Guarded final : public Generation {
 public:
  Guarded(std::unique_ptr<Generation> answer, const CallFrame& frame)
      : answer_(std::move(answer)), dialect_(frame.dialect), request_id_(frame.request_id) {}

  const ResponseHead& head() const override { return answer_->head(); }
  bool streamed() const override { return answer_->streamed(); }

  Step step(TimePoint now) override {
    if (broken_) return {.kind = Step::Kind::broken};
    try {
      const auto step = answer_->step(now);
      if (step.kind == Step::Kind::bytes && !step.bytes.empty()) sent_ = true;
      return step;
    } catch (...) {
      return fail(now);
    }
  }

 private:
  Step fail(TimePoint now) {
    if (streamed() || sent_) {
      broken_ = true;
      return {.kind = Step::Kind::broken};
    }
    answer_ = refusal_answer(dialect_, refuse::thrown(), request_id_);
    return answer_->step(now);
  }

  std::unique_ptr<Generation> answer_;
  Dialect dialect_;
  std::string request_id_;
  bool sent_{};
  bool broken_{};
};

}  // namespace

std::unique_ptr<Generation> guarded(std::unique_ptr<Generation> answer, const CallFrame& frame) {
  return std::make_unique<Guarded>(std::move(answer), frame);
}

}  // namespace inferwire::inline v0_1::engine
