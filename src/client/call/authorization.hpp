/// \file
/// Adds the credential to the request of an attempt.
#pragma once

#include "client/call/need.hpp"
#include "client/call/runner.hpp"
#include "client/core.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

namespace inferwire::inline v0_1::client {

/// Completes `request` with the client's credential, unless the caller set an Authorization header. Fetches
/// the token that the credential asks for, with the client's timers and retries, or waits for the call that
/// fetches it, until `ends_at` or until the call is cancelled. Its constructor's arguments must outlive it.
class Authorization {
 public:
  Authorization(CallScope scope, HttpRequest& request, TimePoint ends_at);
  ~Authorization();
  Authorization(const Authorization&) = delete;
  Authorization& operator=(const Authorization&) = delete;

  /// std::nullopt: it waits for `need()`; an error ends the call.
  using Step = std::optional<Result<void>>;
  /// Proceeds as far as possible; success: the request is complete.
  Step step();
  const Need& need() const noexcept { return need_; }
  /// The version of the token in the completed request; std::nullopt: its Authorization is the caller's own.
  std::optional<std::uint64_t> token() const noexcept { return token_; }

 private:
  class Fetching;
  /// A program that brings a token. While the lease lives, other calls wait for it.
  struct Running {
    std::shared_ptr<void> lease{};
    std::shared_ptr<Program> program{};
  };

  Step advance();
  void begin(Credential::Prepared step);
  Step step_needed();
  Step step_fetch(Fetching& fetching);
  Step step_program(Running running);
  Step step_wait(Credential::Wait wait);
  Result<void> fail(Error error);
  void log_failed_renewal(const Error& why) const;

  CallScope scope_;
  HttpRequest& request_;
  TimePoint ends_at_;
  int steps_{};  ///< how many the credential has asked for
  /// What the credential currently needs: nothing, an exchange, a program, or another call's result.
  std::variant<std::monostate, std::unique_ptr<Fetching>, Running, Credential::Wait> needed_;
  Need need_;
  std::optional<std::uint64_t> token_;
};

}  // namespace inferwire::inline v0_1::client
