#include "engine/answer/deadline.hpp"

#include "engine/answer/answer.hpp"
#include "engine/answer/stream_error.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

class Timed final : public Generation {
 public:
  Timed(TimePoint deadline, std::unique_ptr<Generation> answer, const CallFrame& frame)
      : deadline_(deadline),
        answer_(std::move(answer)),
        dialect_(frame.dialect),
        request_id_(frame.request_id),
        error_(frame) {}

  const ResponseHead& head() const override { return answer_->head(); }
  bool streamed() const override { return answer_->streamed(); }

  Step step(TimePoint now) override {
    if (over_) return {};
    if (now >= deadline_ && !(sent_ && !streamed())) return expire(now);
    auto step = answer_->step(now);
    if (step.kind == Step::Kind::wait) step.until = std::min(step.until, deadline_);
    if (step.kind == Step::Kind::bytes && !step.bytes.empty()) sent_ = true;
    error_.follow(step.bytes);
    return step;
  }

 private:
  Step expire(TimePoint now) {
    if (!streamed()) {
      deadline_ = TimePoint::max();
      answer_ = refusal_answer(dialect_, refuse::timed_out(), request_id_);
      return answer_->step(now);
    }
    over_ = true;
    // If just the end is left, it is requested, after at most one piece that is due.
    auto step = answer_->step(now);
    if (step.kind == Step::Kind::bytes) {
      out_ = step.bytes;
      error_.follow(out_);
      step = answer_->step(now);
    }
    if (step.kind != Step::Kind::done) {
      error_.append(out_, dialect_.streams.framing, refuse::timed_out());
    }
    if (out_.empty()) return {};
    return {.kind = Step::Kind::bytes, .bytes = out_};
  }

  TimePoint deadline_;
  std::unique_ptr<Generation> answer_;
  Dialect dialect_;
  std::string request_id_;
  StreamError error_;
  std::string out_;
  bool sent_{};
  bool over_{};
};

}  // namespace

std::unique_ptr<Generation> until(TimePoint deadline, std::unique_ptr<Generation> answer,
                                  const CallFrame& frame) {
  return std::make_unique<Timed>(deadline, std::move(answer), frame);
}

}  // namespace inferwire::inline v0_1::engine
