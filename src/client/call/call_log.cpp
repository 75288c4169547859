#include "client/call/call_log.hpp"

#include "base/controls.hpp"
#include "base/ended_call.hpp"
#include "client/counted.hpp"

#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

void add_headers(std::string& line, std::span<const Header> headers) {
  for (const auto& [name, value] : headers) (((line += "; ") += name) += ": ") += value;
}

void add_body(std::string& line, std::string_view body) {
  if (!body.empty()) (line += "; body: ") += body;
}

}  // namespace

std::string mark_of(std::string_view label) {
  if (label.empty()) return {};
  return "[" + utf8::one_line(label) + "] ";
}

std::string name_of(const CallStart& call, std::string_view target) {
  auto name = mark_of(call.label);
  ((name += call.provider) += ' ') += call.operation;
  if (call.stream) name += " stream";
  if (!target.empty()) (name += ' ') += target;
  if (!call.model.empty()) (name += " of ") += call.model;
  return name;
}

CallLog::CallLog(Log& log, std::string name, LogLevel failure, const RetryJudge* judge)
    : log_(log), least_(log.level()), name_(std::move(name)), failure_(failure), judge_(judge) {}

/// Writes a line that `tell` appends to, if the log accepts the level. A line for which there is no memory is
/// not written.
template <class Tell>
void CallLog::write(LogLevel level, Tell tell) noexcept {
  if (level < least_) return;
  try {
    auto line = name_ + ": ";
    tell(line);
    // Line breaks in text from a server or a label must not look like further log lines.
    log_.write(level, utf8::one_line(line));
  } catch (...) {}
}

void CallLog::on_attempt(const AttemptStart& attempt, std::vector<Header>&) noexcept {
  write(LogLevel::debug, [&](std::string& line) {
    ((line += attempt.method) += ' ') += attempt.url;
    line += ", attempt " + std::to_string(attempt.number) + ", " + counted(attempt.body_bytes, "byte");
    add_headers(line, attempt.headers);
    add_body(line, attempt.body);
  });
}

void CallLog::on_answer(const AnswerStart& answer) noexcept {
  write(LogLevel::debug, [&](std::string& line) {
    line += "HTTP " + std::to_string(answer.status);
    add_headers(line, answer.headers);
  });
}

void CallLog::on_retry(const RetryPlan& plan) noexcept {
  write(LogLevel::info, [&](std::string& line) {
    line += "attempt " + std::to_string(plan.attempt) + " failed, another one in " +
            std::to_string(plan.wait.count()) + " ms: " + plan.error.message();
    add_body(line, plan.error.body);
  });
}

void CallLog::on_element(const ElementSeen& element) noexcept {
  if (element.text.empty()) return;
  write(LogLevel::debug, [&](std::string& line) {
    ((line += "event ") += std::to_string(element.number) += ": ") += element.text;
  });
}

void CallLog::on_finish(const CallEnd& end) noexcept {
  // Programs cancel calls in the course of their work; one that an exception of a callback ended has failed.
  const bool was_cancelled = end.error != nullptr && is_cancelled_by_caller(*end.error);
  const bool failed = end.error != nullptr && !was_cancelled;
  const bool repeated = failed && judge_ != nullptr && judge_->repeats_later(*end.error);
  write(failed && !repeated ? failure_ : LogLevel::info, [&](std::string& line) {
    const auto milliseconds = end.timings.end.value_or(std::chrono::microseconds(0)).count() / 1000;
    line += repeated        ? "refused"
            : failed        ? "failed"
            : was_cancelled ? "cancelled"
                            : "HTTP " + std::to_string(end.status);
    line += " after " + std::to_string(milliseconds) + " ms, " + counted(end.attempts, "attempt") + ", " +
            counted(end.bytes, "byte");
    if (end.events > 0) line += ", " + counted(end.events, "event");
    if (end.error != nullptr) {
      (line += ": ") += end.error->message();  // has the request's id
    } else if (!end.request_id.empty()) {
      (line += ", request id ") += end.request_id;
    }
    add_body(line, end.error != nullptr ? std::string_view(end.error->body) : end.body);
  });
}

}  // namespace inferwire::inline v0_1::client
