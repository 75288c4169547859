/// \file
/// Logs the progress of a call.
#pragma once

#include "inferwire/log.hpp"
#include "inferwire/observer.hpp"

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::client {

/// The prefix of a call's log lines; empty without a label.
std::string mark_of(std::string_view label);

class CallLog final : public CallObserver {
 public:
  /// The log outlives the call. `target`: what the operation does not say of it, in the name of the call; may
  /// be empty.
  CallLog(Log& log, const CallStart& call, std::string_view target);

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
};

}  // namespace inferwire::inline v0_1::client
