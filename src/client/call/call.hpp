/// \file
/// One call in progress: a thin shell around the call machine and an exchange. It starts exchanges, receives
/// their events and passes them on; the machine decides what to do, and the runner does the waiting.
#pragma once

#include "client/call/authorization.hpp"
#include "client/call/call_machine.hpp"
#include "client/call/conceal.hpp"
#include "client/call/need.hpp"
#include "client/call/observation.hpp"
#include "client/call/runner.hpp"
#include "client/core.hpp"
#include "inferwire/cancel.hpp"
#include "inferwire/transport.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::client {

/// Receives the answer of a call. A StreamDecoder parses the body of a stream; other bodies are collected.
class Receiver {
 public:
  virtual ~Receiver() = default;
  /// Another attempt begins: discards what was received so far. Called only after the wait before that
  /// attempt.
  virtual void on_retry() = 0;
  virtual void on_head(const ResponseHead& head) = 0;
  virtual void on_body(std::string_view bytes) = 0;
  /// The final event: the body is complete (nullptr) or broke off.
  virtual void on_end(const Error* failure) = 0;
  /// The head of the answer as received so far; empty before.
  virtual const ResponseHead& head() const noexcept = 0;
};

/// Used by one thread at a time. Destroying it cancels the call. The receiver must outlive it.
class Call final : private Sink {
 public:
  /// `subject`: nullptr for a call that fetches a token; its request is complete, and it is only logged.
  Call(CallScope&& scope, HttpRequest&& request, AnswerForm form, Receiver& receiver, const Subject* subject);
  ~Call() override;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  enum class Step : std::uint8_t {
    waiting,  ///< nothing to do until `need()` is satisfied
    ended,    ///< the receiver got the end of the answer
    broken,   ///< the attempt is over because of `error()`: a timer, a cancellation, a failure to start it
  };
  /// Proceeds as far as possible without waiting.
  Step step();
  const Need& need() const noexcept { return need_; }
  /// After a step that returned waiting: makes `need()` end at this time, if it would last longer.
  void limit_need(TimePoint latest) noexcept { need_.until = std::min(need_.until, latest); }
  Error& error() noexcept { return *error_; }

  /// Ends an attempt that failed, and its connection. Adds to the error what only the call knows: provider,
  /// URL and attempts.
  [[gnu::cold]] void end_attempt(Error& error);
  /// Tells, after `end_attempt`, whether there will be another attempt, and announces it to the observers;
  /// the next step begins it.
  [[nodiscard, gnu::cold]] bool begins_again(Error& error);

  /// An element was decoded; reported for the timer between events.
  void on_event();
  /// See CallMachine.
  void expect_end(bool expected) noexcept { machine_.expect_end(expected); }
  /// Pauses and resumes the flow of the answer's body.
  void pause();
  void resume();
  /// Closes the connection of a cancelled call; the next step reports it.
  void hang_up() { close(); }
  /// Ends the call, which needs no more data; the connection may be reused.
  void release();
  /// The answer is an error, or cannot be read; the next attempt or the end of the call closes its
  /// connection.
  void reject();
  /// Fills in the attempts and timings of the finished call.
  void describe(ResponseInfo& info) const;
  /// The time at which Timeouts::overall or the deadline ends the call; TimePoint::max() if there is neither.
  TimePoint ends_at() const noexcept { return machine_.ends_at(); }
  /// Why the call must end although data that has arrived is still unread: it was cancelled, or `ends_at` has
  /// passed. Nothing: it goes on.
  std::optional<Error> why_over(TimePoint now) const;
  /// The observers of the call; nullptr if there are none.
  Observation* observation() noexcept { return observation_.get(); }

 private:
  enum class Stage : std::uint8_t {
    between,     ///< the next attempt begins, perhaps after a wait
    preparing,   ///< the credential of the attempt is not known yet
    exchanging,  ///< the request or its answer is on its way
    over,        ///< the receiver got on_end, or never will; `begins_again` may lead to another attempt
  };
  enum class Turn : std::uint8_t {
    unasked,
    awaited,  ///< the runner will let it begin later
    taken,    ///< the runner has admitted and counts this call
  };
  /// What an attempt needs before its exchange begins.
  struct Preparation {
    Preparation(const CallScope& scope, HttpRequest&& unsigned_request, TimePoint ends_at)
        : request(std::move(unsigned_request)), authorization(scope, request, ends_at) {
      if (!scope.core->keys_may_go()) unsigned_headers = request.headers;
    }

    HttpRequest request;
    std::vector<Header> unsigned_headers;  ///< before the credential, if no key may be added
    Authorization authorization;
  };

  void on_connected() override;
  void on_sending() override;
  void on_sent() override;
  void on_head(const ResponseHead& head) override;
  void on_body(std::string_view bytes) override;
  void on_end(const Error* failure) override;
  [[gnu::cold]] void refuse_body();
  void tell_end(const Error* failure);

  Step wait(Need need);
  Step wait_for_exchange(TimePoint until);
  [[gnu::cold]] Step stop(Error error);
  [[gnu::cold]] std::string no_connection() const;
  [[gnu::cold]] Error no_token(Error error) const;
  Step begin();
  Step prepare();
  void close() noexcept;
  [[gnu::cold]] bool renew(Error& error);
  Step start(HttpRequest&& request);
  HttpRequest next_request();
  void forget_request();
  void note_keys(const std::vector<Header>& headers);
  Concealer concealer() const noexcept { return {*scope_.core, request_, keys_}; }
  void hear();

  CallScope scope_;
  HttpRequest request_;  ///< has no credential; after the first event only its secrets
  AttemptKeys keys_;
  AnswerForm form_;
  bool for_token_;
  CallMachine machine_;
  Receiver& receiver_;
  CancelToken::Hook wake_on_cancel_;
  std::unique_ptr<Observation> observation_;
  std::optional<TimePoint> begins_at_;  ///< when the next attempt begins, after a failed one
  // Large and needed briefly or never: allocated separately to keep streams small, as there may be ten
  // thousand.
  std::unique_ptr<Preparation> preparation_;
  std::unique_ptr<Error> error_;  ///< why the attempt ended
  /// The version of the attempt's token; std::nullopt: it has none of the credential's.
  std::optional<std::uint64_t> token_;
  std::unique_ptr<Exchange> exchange_;
  Stage stage_{Stage::between};
  bool out_of_memory_{};  ///< at the end of an answer; the next step reports it
  Turn turn_{Turn::unasked};
  Need need_;
};

}  // namespace inferwire::inline v0_1::client
