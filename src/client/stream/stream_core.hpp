/// \file
/// A streamed call, independent of the type of its elements: `Stream<T>` is a typed wrapper around it.
#pragma once

#include "client/call/blocking_runner.hpp"
#include "client/call/call.hpp"
#include "client/core.hpp"
#include "client/stream/element.hpp"
#include "client/stream/stream_decoder.hpp"
#include "client/stream/stream_plan.hpp"
#include "inferwire/stream.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::detail {

class StreamCore final : private client::Receiver {
 public:
  /// A stream whose only element is an error.
  explicit StreamCore(Error error) : outcome_(std::move(error)) {}
  /// `ops` are those of the elements' type. `runner` runs its call; nullptr: the reading thread does.
  StreamCore(std::shared_ptr<Core> core, client::StreamPlan plan, const client::ElementOps& ops,
             client::Runner* runner = nullptr);
  ~StreamCore() override;

  enum class Next : std::uint8_t { element, end, failed, waiting };
  /// Reads the next element into `element`. After failed, whose reason is `take_error`, or end, it returns
  /// only end. Waiting: there is no element before `need()` is met.
  Next step(void* element);
  const client::Need& need() const noexcept { return call_->need(); }
  /// Reads the next element, waiting on the calling thread.
  Next next(void* element);
  /// After an element: reads the next one if it has arrived. Anything else that has is left to `step`.
  bool step_ahead(void* element) noexcept;
  /// Moves the error out.
  Error take_error() noexcept { return std::move(outcome_).error(); }
  /// Ends the call after an element, for this reason given by its reader: the error is then Error{cancelled}.
  void leave(std::string why);
  /// Ends the call after an element if it was cancelled, or `ends_at` has come by `now`: the error says
  /// which, and what has arrived since is dropped. False: neither.
  bool give_up(TimePoint now) noexcept;
  /// The time at which the whole call is over; TimePoint::max() when it has no limit.
  TimePoint ends_at() const noexcept { return call_ ? call_->ends_at() : TimePoint::max(); }

  /// How many bytes have arrived since `step` last returned waiting.
  std::uint64_t unread() const noexcept { return unread_; }
  void pause();
  void resume();
  /// Closes the connection at once; `step` then fails with the error of the cancelled call.
  void hang_up();
  /// After `hang_up`: ends the call now, and reports that, instead of in the step that gives the error. Of
  /// what another thread may read meanwhile it changes nothing: not the head in `info`, nor `has_head`.
  void end_cancelled() noexcept;

  const ResponseInfo& info() const noexcept { return info_; }
  /// Whether its head is that of the current attempt, and not of one that failed.
  bool has_head() const noexcept { return decoder_->has_head(); }
  EndReason end_reason() const noexcept { return over_; }

 private:
  void on_retry() override;
  void on_head(const ResponseHead& head) override;
  void on_body(std::string_view bytes) override;
  void on_end(const Error* failure) override;
  const ResponseHead& head() const noexcept override { return info_.head; }

  void begin();
  std::optional<Next> decode(void* element);
  std::optional<Next> proceed();
  void make_decoder(const client::ElementOps& ops);
  [[gnu::cold]] bool waits_for_reason();
  void count(const void* element);
  void end_attempt(Error& error);
  std::optional<Next> fail_unless_retried(Error error);
  void end_by(Error error);
  void end_well();
  [[gnu::cold]] void part();
  void tell_end(const Error* error);
  Next fail(Error error) noexcept;

  std::shared_ptr<Core> core_{};  ///< absent if the only element is an error
  client::StreamPlan plan_{};
  std::unique_ptr<client::BlockingRunner> blocking_runner_{};  ///< set if no runner was given
  client::Runner* runner_{};
  std::optional<client::StreamDecoder> decoder_{};
  std::optional<client::Call> call_{};
  ResponseInfo info_{};
  std::uint64_t unread_{};
  TimePoint reason_until_{TimePoint::max()};  ///< until then the reason of a failed answer is awaited
  bool out_of_memory_{};                      ///< in `step_ahead`; the next step reports it
  EndReason over_{EndReason::none};
  Result<void> outcome_{};  ///< why it failed, or will at the first step
};

}  // namespace inferwire::inline v0_1::detail
