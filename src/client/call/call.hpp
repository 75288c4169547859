/// \file
/// One call under way: the thin shell around the call machine and an exchange. It starts, listens and tells;
/// what to do is decided by the machine, and who waits is the runner's business.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/call/authorization.hpp"
#include "client/call/call_machine.hpp"
#include "client/call/conceal.hpp"
#include "client/call/observation.hpp"
#include "client/call/runner.hpp"
#include "client/core.hpp"
#include "inferwire/cancel.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::client {

/// Hears the answer of a call. The body of a stream is taken apart by a StreamDecoder, that of others is
/// gathered.
class Receiver {
 public:
  virtual ~Receiver() = default;
  /// What has been heard counts for nothing: another attempt begins. Not called before the wait for it is
  /// over.
  virtual void on_retry() = 0;
  virtual void on_head(const ResponseHead& head) = 0;
  virtual void on_body(std::string_view bytes) = 0;
  /// The last word: the body is whole (nullptr) or broke off.
  virtual void on_end(const Error* failure) = 0;
  /// What has been heard of the answer's head; empty before.
  virtual const ResponseHead& head() const noexcept = 0;
};

/// The error of a call that the caller does not want any more.
Error cancelled();

/// Used by one thread at a time. Destroying it cancels. Borrows the receiver for its life.
class Call final : private Sink {
 public:
  /// `subject`: nullptr for a call that fetches a token: its request is complete, and nobody watches.
  Call(CallScope scope, HttpRequest request, AnswerForm form, Receiver& receiver, const Subject* subject);
  ~Call() override;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  enum class Step : std::uint8_t {
    waiting,  ///< nothing to do before `need()` has come
    ended,    ///< the receiver has heard the end of the answer
    broken,   ///< the attempt is over for what `error()` says: a timer, a cancellation, no way to start it
  };
  /// Goes as far as it can without waiting.
  Step step();
  const Need& need() const noexcept { return need_; }
  bool broken() const noexcept { return error_ != nullptr; }
  Error& error() noexcept { return *error_; }

  /// After an attempt that failed: whether there is to be another one, which the next step leads to.
  /// Otherwise completes the error with what only the call knows: provider, URL and attempts.
  bool again(Error& error);

  /// An element has been decoded, for the timer that counts events.
  void on_event();
  /// Stops and restarts the flow of the answer's body.
  void pause();
  void resume();
  /// Closes the connection of a cancelled call; the next step says so.
  void hang_up() { close(); }
  /// Nothing more is wanted; the connection may live on.
  void release();
  /// The answer that has come is an error, or cannot be read; the next attempt or the end closes its
  /// connection.
  void reject();
  /// What the call knows of its answer's course; it is over.
  void describe(ResponseInfo& info) const;
  /// The time at which Timeouts::overall or the deadline ends the call; TimePoint::max() when neither does.
  TimePoint ends_at() const noexcept { return machine_.ends_at(); }
  /// Why the call is to end although what has arrived of its answer is still to be read: it was cancelled, or
  /// `ends_at` has come by `now`. Nothing: it goes on.
  std::optional<Error> why_over(TimePoint now) const;
  /// Those who watch; nullptr when nobody does.
  Observation* observation() noexcept { return observation_.get(); }

 private:
  enum class Turn : std::uint8_t {
    unasked,
    awaited,  ///< the runner lets it begin later
    taken,    ///< the runner counts this call
  };
  /// What an attempt needs before its exchange begins.
  struct Preparation {
    Preparation(const CallScope& scope, HttpRequest unsigned_request, TimePoint ends_at)
        : request(std::move(unsigned_request)),
          callers_own(find_header(request.headers, "authorization").has_value()),
          authorization(scope, request, ends_at) {
      if (!scope.core->keys_may_go()) unsigned_headers = request.headers;
    }

    HttpRequest request;
    bool callers_own;                      ///< its Authorization goes before the credential
    std::vector<Header> unsigned_headers;  ///< the request's own, if no key may be added to them
    Authorization authorization;
  };

  void on_connected() override;
  void on_sending() override;
  void on_sent() override;
  void on_head(const ResponseHead& head) override;
  void on_body(std::string_view bytes) override;
  void on_end(const Error* failure) override;

  Step wait(Need need);
  Step wait_for_exchange();
  Step stop(Error error);
  std::string no_connection() const;
  Error no_token(Error error) const;
  Step begin();
  Step prepare();
  void close() noexcept;
  bool renew(Error& error);
  Step start(HttpRequest request);
  HttpRequest next_request();
  void forget_request();
  void note_keys(const std::vector<Header>& headers);
  Concealer concealer() const noexcept { return {*scope_.core, request_, keys_}; }
  void hear();

  CallScope scope_;
  HttpRequest request_;       ///< has no credential; from the first event on its secrets alone
  std::vector<Secret> keys_;  ///< the attempt has them from the credential
  AnswerForm form_;
  bool for_token_;
  CallMachine machine_;
  Receiver& receiver_;
  CancelToken::Hook wake_on_cancel_;
  std::unique_ptr<Observation> observation_;
  std::optional<TimePoint> begins_at_;  ///< when the next attempt does, after one that failed
  // Large, and there for moments or never: they take no room in a stream that is one of ten thousand.
  std::unique_ptr<Preparation> preparation_;
  std::unique_ptr<Error> error_;  ///< why the attempt is broken
  std::uint64_t token_{};         ///< the version of the attempt's
  bool callers_own_{};            ///< the attempt's Authorization is not the credential's
  std::unique_ptr<Exchange> exchange_;
  Turn turn_{Turn::unasked};
  bool ended_{};  ///< the receiver has heard on_end, or never will
  Need need_;
};

}  // namespace inferwire::inline v0_1::client
