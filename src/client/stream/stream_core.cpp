#include "client/stream/stream_core.hpp"

#include "base/ended_call.hpp"
#include "client/call/http_error.hpp"
#include "client/thrown.hpp"

#include <chrono>
#include <new>
#include <optional>
#include <utility>

namespace inferwire::inline v0_1::detail {
namespace {

constexpr std::chrono::seconds longest_wait_for_reason{1};

}  // namespace

StreamCore::StreamCore(std::shared_ptr<Core> core, client::StreamPlan plan, const client::ElementOps& ops,
                       client::Runner* runner)
    : core_(std::move(core)), plan_(std::move(plan)), runner_(runner) {
  make_decoder(ops);
  if (runner_ != nullptr) return;
  blocking_runner_ = std::make_unique<client::BlockingRunner>(*core_);
  runner_ = blocking_runner_.get();
}

StreamCore::~StreamCore() {
  if (!call_ || over_ != EndReason::none) return;
  try {
    part();
  } catch (...) {}  // for lack of memory
}

/// The reader leaves before it has seen the end. After the last element, that cancels nothing. A server that
/// has not ended the stream by then is told by the connection's end that nobody reads on.
void StreamCore::part() {
  switch (decoder_->leave()) {
    case client::StreamDecoder::Next::complete:
      end_well();
      if (decoder_->has_seen_end()) call_->release();
      return;
    case client::StreamDecoder::Next::failed: {
      auto error = std::move(decoder_->error());
      call_->reject();
      end_attempt(error);
      return tell_end(&error);
    }
    default: break;
  }
  if (call_->observation() == nullptr) return;
  auto error = cancelled();
  end_attempt(error);
  tell_end(&error);
}

/// The answer is complete.
void StreamCore::end_well() {
  call_->describe(info_);
  tell_end(nullptr);
}

/// Reports the end of the call to its observers.
void StreamCore::tell_end(const Error* error) {
  if (!call_) return;
  if (auto* const watched = call_->observation()) watched->finish(error, info_, {});
}

void StreamCore::begin() {
  client::Receiver& receiver = *this;
  const client::Subject subject{plan_.operation, plan_.model};
  call_.emplace(client::CallScope{core_, plan_.options, *runner_}, std::move(plan_.http),
                client::AnswerForm::stream, receiver, &subject);
}

void StreamCore::make_decoder(const client::ElementOps& ops) {
  decoder_.emplace(ops, info_.head, core_->max_event_bytes(), plan_.choices, core_->provider().stream);
}

StreamCore::Next StreamCore::next(void* element) {
  for (;;) {
    const auto next = step(element);
    if (next != Next::waiting) return next;
    blocking_runner_->wait(need(), plan_.options.cancel);
  }
}

/// Reads from what has arrived. std::nullopt: that takes more, or another attempt.
inline std::optional<StreamCore::Next> StreamCore::decode(void* element) {
  // After cancellation, no more of what has arrived is returned.
  const bool left = plan_.options.cancel.cancelled();
  if (!left && out_of_memory_) throw std::bad_alloc();
  const auto next = left ? client::StreamDecoder::Next::more : decoder_->next(element);
  if (next != client::StreamDecoder::Next::element) runner_->before_user_code();
  switch (next) {
    case client::StreamDecoder::Next::element: count(element); return Next::element;
    case client::StreamDecoder::Next::complete:
      over_ = decoder_->end_reason();
      end_well();
      call_->release();
      return Next::end;
    case client::StreamDecoder::Next::failed: {
      auto error = std::move(decoder_->error());
      call_->reject();
      return fail_unless_retried(std::move(error));
    }
    case client::StreamDecoder::Next::more: break;
  }
  return std::nullopt;
}

/// Lets the call proceed. std::nullopt: there may be more to decode.
inline std::optional<StreamCore::Next> StreamCore::proceed() {
  switch (call_->step()) {
    case client::Call::Step::waiting:
      if (decoder_->awaits_reason() && !waits_for_reason()) {
        decoder_->on_end(nullptr);
        break;
      }
      call_->expect_end(decoder_->expects_end());
      unread_ = 0;
      return Next::waiting;
    case client::Call::Step::ended: break;
    case client::Call::Step::broken: {
      auto error = std::move(call_->error());
      // A timeout after a complete answer does not fail it, one after a failed answer is not why it failed,
      // and one within an error response leaves it one.
      if (error.kind == ErrorKind::timeout) {
        decoder_->on_end(&error);
        if (decoder_->is_whole() || decoder_->has_failed()) break;
        if (decoder_->refused() && !ends_call(error)) break;
      }
      return fail_unless_retried(std::move(error));
    }
  }
  return std::nullopt;
}

StreamCore::Next StreamCore::step(void* element) try {
  if (over_ != EndReason::none) return Next::end;
  if (!call_) {
    if (!outcome_) return over_ = EndReason::failed, Next::failed;  // the request could not be sent
    begin();
  }
  for (;;) {
    if (const auto next = decode(element)) return *next;
    if (const auto next = proceed()) return *next;
  }
} catch (...) {  // out of memory: no caller up to an event loop's thread could handle that
  runner_->before_user_code();
  return fail(client::thrown_by_reading());
}

/// Limits the wait for the reason of a failed answer, which is in the next event if there is one: servers may
/// keep the connection open after it, and send comments. False: the time is over.
bool StreamCore::waits_for_reason() {
  const auto now = core_->clock().now();
  if (reason_until_ == TimePoint::max()) reason_until_ = now + longest_wait_for_reason;
  call_->limit_need(reason_until_);
  return now < reason_until_;
}

bool StreamCore::step_ahead(void* element) noexcept try {
  if (decoder_->next(element) != client::StreamDecoder::Next::element) return false;
  count(element);
  return true;
} catch (...) {
  out_of_memory_ = true;
  return false;
}

void StreamCore::count(const void* element) {
  ++info_.events;
  info_.not_streamed = decoder_->not_streamed();
  call_->on_event();
  if (info_.events == 1) {
    call_->describe(info_);
    info_.timings.end.reset();
  }
  auto* const watched = call_->observation();
  if (watched == nullptr) return;
  runner_->before_user_code();
  if (auto* const facts = watched->facts()) decoder_->ops().note(element, *facts);
  watched->element(info_.events, info_.bytes, decoder_->text());
}

/// Ends an attempt that failed; the error then has all that is known.
void StreamCore::end_attempt(Error& error) {
  call_->describe(info_);
  if (error.status == 0) error.status = info_.head.status;
  if (error.request_id.empty()) {
    error.request_id = info_.request_id;
    error.request_id_header = info_.request_id_header;
  }
  call_->end_attempt(error);
}

/// An attempt failed. std::nullopt: there is another one.
std::optional<StreamCore::Next> StreamCore::fail_unless_retried(Error error) {
  end_attempt(error);
  if (!call_->begins_again(error)) return fail(std::move(error));
  make_decoder(decoder_->ops());
  return std::nullopt;
}

/// The last element: the call is over and its connection closed.
StreamCore::Next StreamCore::fail(Error error) noexcept {
  over_ = EndReason::failed;
  try {
    const auto* const why = plan_.why_stopped;
    if (error.kind == ErrorKind::cancelled && why != nullptr && !why->empty()) error.detail = *why;
    tell_end(&error);
    if (error.provider.empty()) error.provider = core_->provider().name;
  } catch (...) {}  // for lack of memory
  call_.reset();
  outcome_ = std::move(error);
  return Next::failed;
}

void StreamCore::leave(std::string why) { end_by({.kind = ErrorKind::cancelled, .detail = std::move(why)}); }

bool StreamCore::give_up(TimePoint now) noexcept {
  try {
    auto why = call_ ? call_->why_over(now) : std::nullopt;
    if (why) end_by(*std::move(why));
  } catch (...) {
    fail(client::thrown_by_reading());
  }
  return over_ != EndReason::none;
}

/// Ends the call with `error`.
void StreamCore::end_by(Error error) {
  end_attempt(error);
  fail(std::move(error));
}

void StreamCore::pause() {
  if (call_) call_->pause();
}

void StreamCore::resume() {
  if (call_) call_->resume();
}

void StreamCore::hang_up() {
  if (call_) call_->hang_up();
}

void StreamCore::end_cancelled() noexcept {
  if (!call_ || over_ != EndReason::none) return;
  try {
    auto error = cancelled();
    end_attempt(error);
    tell_end(&error);
    call_.reset();
    outcome_ = std::move(error);
  } catch (...) {}  // for lack of memory: the next step ends it
}

void StreamCore::on_retry() { info_ = {}; }

void StreamCore::on_head(const ResponseHead& head) {
  client::add_head_facts(info_, head);
  decoder_->on_head();
}

void StreamCore::on_body(std::string_view bytes) {
  info_.bytes += bytes.size();
  unread_ += bytes.size();
  decoder_->on_body(bytes);
}

void StreamCore::on_end(const Error* failure) { decoder_->on_end(failure); }

}  // namespace inferwire::inline v0_1::detail
