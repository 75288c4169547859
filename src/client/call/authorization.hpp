/// \file
/// How the request of an attempt gets its credential.
#pragma once

#include <memory>
#include <variant>

#include "client/call/runner.hpp"
#include "client/core.hpp"

namespace inferwire::inline v0_1::client {

/// Completes `request` with the client's credential; the caller's own Authorization goes before it. Fetches
/// the token that the credential asks for, with the client's timers and retries, or waits for the call that
/// does; until `ends_at`, or until the call is cancelled. Borrows what it is given for its life.
class Authorization {
 public:
  Authorization(std::shared_ptr<detail::Core> core, HttpRequest& request, const CallOptions& options,
                TimePoint ends_at, Runner& runner);
  ~Authorization();
  Authorization(const Authorization&) = delete;
  Authorization& operator=(const Authorization&) = delete;

  /// Goes as far as it can; false: it waits for `need()`. Once true, `outcome` says which token went in.
  bool step();
  const Need& need() const noexcept { return need_; }
  Result<Credential::Ready>& outcome() noexcept { return outcome_; }

 private:
  class Fetching;
  class Lease;

  bool advance();
  bool finish(Result<Credential::Ready> outcome);
  void begin(Credential::Prepared step);
  bool step_needed();
  bool step_fetch(Fetching& fetching);
  bool step_program(std::shared_ptr<Program> program);
  bool step_wait(CancelToken other_call);
  void fail(const Error& error);

  std::shared_ptr<detail::Core> core_;
  HttpRequest& request_;
  const CallOptions& options_;
  TimePoint ends_at_;
  Runner& runner_;
  int steps_{};                   ///< how many the credential has asked for
  std::unique_ptr<Lease> lease_;  ///< for as long as there is something to bring
  /// What the credential needs at the time: nothing, an exchange, a program, or what another call brings.
  std::variant<std::monostate, std::unique_ptr<Fetching>, std::shared_ptr<Program>, CancelToken> needed_;
  Need need_;
  Result<Credential::Ready> outcome_{Credential::Ready{}};
};

}  // namespace inferwire::inline v0_1::client
