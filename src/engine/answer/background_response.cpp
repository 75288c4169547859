#include "engine/answer/background_response.hpp"

#include "engine/refusal.hpp"
#include "inferwire/response_events.hpp"
#include "protocol/framing/sse_writer.hpp"
#include "wire/documents.hpp"

#include <utility>

namespace inferwire::inline v0_1::engine {

BackgroundResponse::~BackgroundResponse() {
  if (sum_) *sum_ -= bytes_;
}

void BackgroundResponse::count_in(std::shared_ptr<std::atomic<std::size_t>> sum) {
  const std::lock_guard lock(mutex_);
  *sum += bytes_;
  sum_ = std::move(sum);
}

bool BackgroundResponse::ended() const {
  const std::lock_guard lock(mutex_);
  return !work_;
}

responses::Response BackgroundResponse::response() const {
  const std::lock_guard lock(mutex_);
  return work_ ? work_->response() : response_;
}

Step BackgroundResponse::work(TimePoint now) {
  const std::lock_guard lock(mutex_);
  return advance(now);
}

Step BackgroundResponse::read(std::size_t& next, std::string& out, TimePoint now) {
  const std::lock_guard lock(mutex_);
  if (next >= ends_.size()) {
    const auto step = advance(now);
    if (step.kind != Step::Kind::bytes || next >= ends_.size()) return step;
  }
  out.assign(events_, next == 0 ? 0 : ends_[next - 1]);
  next = ends_.size();
  return {.kind = Step::Kind::bytes, .bytes = out};
}

responses::Response BackgroundResponse::cancel() {
  const std::lock_guard lock(mutex_);
  if (work_) end_early(responses::ResponseStatus::cancelled);
  return response_;
}

Step BackgroundResponse::advance(TimePoint now) {
  if (!work_) return {};
  try {
    auto step = work_->work(time_);
    while (step.kind == Step::Kind::wait && step.until <= now) {
      time_ = step.until;
      step = work_->work(time_);
    }
    switch (step.kind) {
      case Step::Kind::wait: return step;
      case Step::Kind::bytes: take(step.bytes); break;
      case Step::Kind::done: end(work_->response()); return {};
      case Step::Kind::broken: end_early(responses::ResponseStatus::failed); break;
    }
  } catch (...) {  // from the program's own model
    end_early(responses::ResponseStatus::failed);
  }
  return {.kind = Step::Kind::bytes};
}

void BackgroundResponse::take(std::string_view events) {
  bytes_ += events.size();
  if (sum_) *sum_ += events.size();
  if (!streams_) return;
  constexpr std::string_view mark = "\n\n";
  for (auto at = events.find(mark); at != events.npos; at = events.find(mark)) {
    events_ += events.substr(0, at + mark.size());
    ends_.push_back(events_.size());
    events.remove_prefix(at + mark.size());
  }
}

void BackgroundResponse::end(responses::Response response) {
  response_ = std::move(response);
  work_.reset();
}

/// Ends the response before the model has finished, and writes the last event. Clients know no event for
/// cancelled responses; that of an incomplete response is the nearest.
void BackgroundResponse::end_early(std::string_view status) {
  auto response = work_->response();
  response.status = status;
  const bool failed = status == responses::ResponseStatus::failed;
  if (failed) {
    response.error = responses::ResponseError{.code = "server_error", .message = refuse::thrown().message};
  }
  end(std::move(response));
  const std::string type = failed ? "response.failed" : "response.incomplete";
  std::string document, event;
  const responses::LifecycleEvent last{
      .type = type, .sequence_number = static_cast<std::int64_t>(ends_.size()), .response = response_};
  if (!json::encode_to(document, responses::Event(last))) return;
  protocol::append_event(event, document, type);
  take(event);
}

}  // namespace inferwire::inline v0_1::engine
