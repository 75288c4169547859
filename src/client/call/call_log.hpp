/// \file
/// Logs the progress of a call.
#pragma once

#include "inferwire/log.hpp"
#include "inferwire/observer.hpp"
#include "inferwire/retry_policy.hpp"

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::client {

/// The prefix of a call's log lines; empty without a label.
std::string mark_of(std::string_view label);
/// The name of a call in its log lines, with its mark. `target`: what the operation does not say of it; may
/// be empty.
std::string name_of(const CallStart& call, std::string_view target);

class CallLog final : public CallObserver {
 public:
  /// `name` begins its lines. A failure is logged at the level `failure`, or as information if `judge`
  /// (nullptr: none) says that it is repeated later. Log and judge must outlive it.
  CallLog(Log& log, std::string name, LogLevel failure, const RetryJudge* judge);

  void on_attempt(const AttemptStart& attempt, std::vector<Header>& add) noexcept override;
  void on_answer(const AnswerStart& answer) noexcept override;
  void on_retry(const RetryPlan& plan) noexcept override;
  void on_element(const ElementSeen& element) noexcept override;
  void on_finish(const CallEnd& end) noexcept override;

 private:
  template <class Tell>
  void write(LogLevel level, Tell tell) noexcept;

  Log& log_;
  LogLevel least_;
  std::string name_;
  LogLevel failure_;
  const RetryJudge* judge_;
};

}  // namespace inferwire::inline v0_1::client
