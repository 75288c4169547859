/// \file
/// One call under way: the thin shell around the call machine and an exchange. It drives, listens and tells;
/// what to do is decided by the machine.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "client/call_machine.hpp"
#include "client/core.hpp"
#include "client/observation.hpp"
#include "inferwire/cancel.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::client {

/// Hears the answer of a call. The body of a stream is taken apart by a StreamDecoder, that of others is
/// gathered.
class Receiver {
 public:
  virtual ~Receiver() = default;
  /// What has been heard counts for nothing: another attempt begins.
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

/// Used by one thread at a time. Destroying it cancels. Borrows the options for its life.
class Call final : private Sink {
 public:
  Call(std::shared_ptr<detail::Core> core, HttpRequest request, Shape shape, const CallOptions& options,
       Receiver& receiver, const Subject& subject);
  /// A call that fetches a token: its request is complete, and nobody watches.
  Call(std::shared_ptr<detail::Core> core, HttpRequest request, const CallOptions& options,
       Receiver& receiver);
  ~Call() override;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// Moves the attempt on: a stream until the receiver heard something, any other answer to its end. An error
  /// ends it: a timer, a cancellation, or a request that could not be started.
  Result<void> advance();
  /// Whether the receiver has heard on_end.
  bool ended() const noexcept { return ended_; }
  /// After an attempt that failed: waits, as the policy says, and returns true when there is to be another
  /// one. Otherwise completes the error with what only the call knows: provider and attempts.
  bool again(Error& error);

  /// An element has been decoded, for the timer that counts events.
  void on_event();
  /// Nothing more is wanted; the connection may live on.
  void release();
  /// What the call knows of its answer's course; it is over.
  void describe(ResponseInfo& info) const;
  /// Those who watch; nullptr when nobody does.
  Observation* observation() noexcept { return observation_.get(); }

 private:
  Call(std::shared_ptr<detail::Core> core, HttpRequest request, Shape shape, const CallOptions& options,
       Receiver& receiver, bool for_token);

  void on_connected() override;
  void on_sent() override;
  void on_head(const ResponseHead& head) override;
  void on_body(std::string_view bytes) override;
  void on_end(const Error* failure) override;

  Result<void> begin();
  Error stop(Error error);

  std::shared_ptr<detail::Core> core_;
  HttpRequest request_;  ///< without the credential, which is each attempt's own
  Shape shape_;
  bool for_token_;
  const CallOptions& options_;
  std::optional<Error> unusable_;  ///< why the call cannot begin
  CallMachine machine_;
  Receiver& receiver_;
  CancelToken::Hook wake_on_cancel_;
  std::unique_ptr<Observation> observation_;
  std::uint64_t token_{};  ///< the version of the attempt's
  std::unique_ptr<Exchange> exchange_;
  bool ended_{};
};

/// An answer that is not a stream, gathered.
class WholeAnswer final : public Receiver {
 public:
  const ResponseHead& head() const noexcept override { return head_; }
  /// The body; json::padding more bytes are readable behind it.
  std::string_view text() const noexcept { return {body_.data(), size_}; }
  const std::optional<Error>& failure() const noexcept { return failure_; }
  void describe(ResponseInfo& info) const;

 private:
  void on_retry() override { *this = {}; }
  void on_head(const ResponseHead& head) override;
  void on_body(std::string_view bytes) override;
  void on_end(const Error* failure) override;

  ResponseHead head_{};
  std::string body_{};
  std::size_t size_{};
  std::optional<Error> failure_{};
};

/// Makes one attempt of `call`, to the end of its answer.
Result<void> attempt(Call& call, const WholeAnswer& answer);

}  // namespace inferwire::inline v0_1::client
