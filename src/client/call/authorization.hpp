/// \file
/// How the request of an attempt gets its credential.
#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "client/call/runner.hpp"
#include "client/core.hpp"

namespace inferwire::inline v0_1::client {

/// Completes `request` with the client's credential; the caller's own Authorization goes before it. Fetches
/// the token that the credential asks for, with the client's timers and retries, or waits for the call that
/// does; until `ends_at`, or until the call is cancelled. Borrows what it is given for its life.
class Authorization {
 public:
  Authorization(CallScope scope, HttpRequest& request, TimePoint ends_at);
  ~Authorization();
  Authorization(const Authorization&) = delete;
  Authorization& operator=(const Authorization&) = delete;

  /// Goes as far as it can; nothing: it waits for `need()`. In the end, which token went in.
  std::optional<Result<Credential::Ready>> step();
  const Need& need() const noexcept { return need_; }

 private:
  class Fetching;
  class Lease;

  using Step = std::optional<Result<void>>;  ///< nothing: it waits; an error ends the call

  std::optional<Result<Credential::Ready>> advance();
  void begin(Credential::Prepared step);
  Step step_needed();
  Step step_fetch(Fetching& fetching);
  Step step_program(std::shared_ptr<Program> program);
  Step step_wait(CancelToken other_call);
  Result<void> fail(const Error& error);

  CallScope scope_;
  HttpRequest& request_;
  TimePoint ends_at_;
  int steps_{};                   ///< how many the credential has asked for
  std::unique_ptr<Lease> lease_;  ///< for as long as there is something to bring
  /// What the credential needs at the time: nothing, an exchange, a program, or what another call brings.
  std::variant<std::monostate, std::unique_ptr<Fetching>, std::shared_ptr<Program>, CancelToken> needed_;
  Need need_;
};

}  // namespace inferwire::inline v0_1::client
