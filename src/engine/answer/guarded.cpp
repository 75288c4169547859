#include "engine/answer/guarded.hpp"

#include "engine/answer/answer.hpp"
#include "engine/answer/stream_error.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

class Guarded final : public Generation {
 public:
  Guarded(std::unique_ptr<Generation> answer, TimePoint deadline, const CallFrame& frame)
      : answer_(std::move(answer)),
        deadline_(deadline),
        dialect_(frame.dialect),
        request_id_(frame.request_id),
        error_(frame) {}

  const ResponseHead& head() const override { return answer_->head(); }
  bool streamed() const override { return answer_->streamed(); }

  Step step(TimePoint now) override {
    if (over_) return {.kind = *over_};
    if (now >= deadline_ && (streamed() || !sent_)) return expire(now);
    auto step = attempt(now);
    if (step.kind == Step::Kind::wait) step.until = std::min(step.until, deadline_);
    if (step.kind == Step::Kind::bytes && !step.bytes.empty()) sent_ = true;
    if (step.kind == Step::Kind::broken) over_ = step.kind;
    if (deadline_ != TimePoint::max()) error_.follow(step.bytes);
    return step;
  }

 private:
  /// A step of the answer, or of the error that replaces it because it throws.
  Step attempt(TimePoint now) {
    try {
      return answer_->step(now);
    } catch (...) {
      if (streamed() || sent_) return {.kind = Step::Kind::broken};
      return fail(refuse::thrown(), now);
    }
  }

  /// Replaces the answer by an error, which has no deadline.
  Step fail(const Refusal& refusal, TimePoint now) {
    deadline_ = TimePoint::max();
    answer_ = refusal_answer(dialect_, refusal, request_id_);
    return answer_->step(now);
  }

  Step expire(TimePoint now) {
    if (!streamed()) return fail(refuse::timed_out(), now);
    over_ = Step::Kind::done;
    // If just the end is left, it is requested, after at most one piece that is due.
    auto step = attempt(now);
    if (step.kind == Step::Kind::bytes) {
      out_ = step.bytes;
      error_.follow(out_);
      step = attempt(now);
    }
    if (step.kind != Step::Kind::done) {
      error_.append(out_, dialect_.streams.framing, refuse::timed_out());
    }
    if (out_.empty()) return {};
    return {.kind = Step::Kind::bytes, .bytes = out_};
  }

  std::unique_ptr<Generation> answer_;
  TimePoint deadline_;
  Dialect dialect_;
  std::string request_id_;
  StreamError error_;
  std::string out_;
  bool sent_{};
  std::optional<Step::Kind> over_{};  ///< how it has ended early, if it has
};

}  // namespace

std::unique_ptr<Generation> guarded(std::unique_ptr<Generation> answer, TimePoint deadline,
                                    const CallFrame& frame) {
  return std::make_unique<Guarded>(std::move(answer), deadline, frame);
}

}  // namespace inferwire::inline v0_1::engine
