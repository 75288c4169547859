#include "client/call.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "client/authorize.hpp"
#include "client/chance.hpp"
#include "client/conceal.hpp"
#include "client/http_error.hpp"
#include "client/wait_for.hpp"
#include "json/codec.hpp"

namespace inferwire::inline v0_1::client {

namespace {

void wake_transport(void* transport) { static_cast<Transport*>(transport)->wake(); }

const RetryPolicy& policy_of(const detail::Core& core, const CallOptions& options) {
  return options.retry ? *options.retry : core.retry();
}

/// Why a call with these options cannot be made; what is the client's has been looked at before.
std::optional<Error> problem_with(const CallOptions& options) {
  std::optional<Error> problem;
  if (options.timeouts != TimeoutChanges()) problem = CallMachine::problem_with(options.timeouts.over({}));
  if (!problem && options.retry) problem = CallMachine::problem_with(*options.retry);
  return problem;
}

}  // namespace

Error cancelled() { return {.kind = ErrorKind::cancelled, .detail = "the caller cancelled"}; }

Call::Call(std::shared_ptr<detail::Core> core, HttpRequest request, Shape shape, const CallOptions& options,
           Receiver& receiver, bool for_token)
    : core_(std::move(core)),
      request_(std::move(request)),
      shape_(shape),
      for_token_(for_token),
      options_(options),
      unusable_(problem_with(options)),
      machine_(options.timeouts.over(core_->timeouts()), policy_of(*core_, options), shape),
      receiver_(receiver),
      wake_on_cancel_(options.cancel, &wake_transport, &core_->transport()) {}

Call::Call(std::shared_ptr<detail::Core> core, HttpRequest request, Shape shape, const CallOptions& options,
           Receiver& receiver, const Subject& subject)
    : Call(std::move(core), std::move(request), shape, options, receiver, false) {
  if (core_->observed()) {
    observation_ = Observation::begin(*core_, request_, subject, shape == Shape::stream);
  }
}

Call::Call(std::shared_ptr<detail::Core> core, HttpRequest request, const CallOptions& options,
           Receiver& receiver)
    : Call(std::move(core), std::move(request), Shape::whole, options, receiver, true) {}

Call::~Call() = default;

Result<void> Call::begin() {
  if (unusable_) return *unusable_;
  machine_.on_preparing(core_->clock().now());
  HttpRequest request{.method = request_.method, .url = request_.url, .body = request_.body};
  constexpr std::size_t most_added = 3;  // by a credential
  request.headers.reserve(request_.headers.size() + most_added);
  request.headers = request_.headers;
  if (observation_) observation_->attempt(machine_.attempts() + 1, request);
  if (!for_token_) {
    const auto ready = authorize(core_, request, options_, machine_.ends_at());
    if (!ready) return ready.error();
    token_ = ready->version;
    if (auto checked = core_->check_headers(request.headers); !checked) return checked;
  }
  machine_.on_attempt(core_->clock().now());
  ExchangeOptions options;
  if (shape_ == Shape::whole) options.max_body_bytes = core_->max_response_bytes();
  auto exchange = core_->transport().start(std::move(request), *this, options);
  if (!exchange) return std::move(exchange).error();
  exchange_ = std::move(*exchange);
  return {};
}

Result<void> Call::advance() {
  if (options_.cancel.cancelled()) return stop(cancelled());
  if (!exchange_ && !ended_) {
    if (auto begun = begin(); !begun) return stop(std::move(begun).error());
  }
  if (!ended_ && machine_.reader_is_away()) machine_.on_reader_back(core_->clock().now());
  while (!ended_) {
    const auto progress = exchange_->drive(machine_.next_deadline());
    if (options_.cancel.cancelled() && !ended_) return stop(cancelled());
    if (ended_) return {};
    // Looked at after every step: bytes that trickle in must not outrun the timers of the whole call.
    const auto now = core_->clock().now();
    if (auto timeout = machine_.expired(now)) return stop(std::move(*timeout));
    if (progress == Progress::delivered && shape_ == Shape::stream) {
      machine_.on_reader_left(now);
      return {};
    }
  }
  return {};
}

/// Ends the attempt: the connection is closed at once.
Error Call::stop(Error error) {
  exchange_.reset();
  ended_ = true;
  return error;
}

bool Call::again(Error& error) {
  exchange_.reset();
  error.provider = core_->provider().name;
  conceal(*core_, request_, error);
  // Without an answer to this request it was a fetch that failed.
  const bool refused = error.kind == ErrorKind::auth && receiver_.head().status != 0 && !for_token_;
  const bool renewed = refused && machine_.may_renew() && core_->credential().refused(token_);
  const auto now = core_->clock().now();
  const auto at = machine_.on_failure(
      error, {.headers = receiver_.head().headers, .renewed = renewed, .chance = chance()}, now);
  if (!at) return false;
  if (observation_) {
    observation_->retry(machine_.attempts(), error, std::chrono::ceil<Duration>(*at - now));
  }
  if (wait_for({}, options_.cancel, core_->clock(), *at) == Waited::cancelled) {
    auto attempts = std::move(error.attempts);
    error = cancelled();
    error.provider = core_->provider().name;
    error.attempts = std::move(attempts);
    return false;
  }
  ended_ = false;
  receiver_.on_retry();
  return true;
}

void Call::on_event() {
  if (machine_.events() == 0) machine_.on_first_event(core_->clock().now());
  machine_.on_event();
}

void Call::describe(ResponseInfo& info) const {
  info.attempts = machine_.attempts();
  info.timings = machine_.timings(core_->clock().now());
}

void Call::release() {
  if (exchange_) exchange_->release();
  exchange_.reset();
  ended_ = true;
}

void Call::on_connected() { machine_.on_connected(core_->clock().now()); }
void Call::on_sent() { machine_.on_sent(core_->clock().now()); }

void Call::on_head(const ResponseHead& head) {
  machine_.on_head(head.status);
  if (observation_) observation_->answer(machine_.attempts(), head);
  receiver_.on_head(head);
}

void Call::on_body(std::string_view bytes) {
  machine_.on_bytes(bytes.size(), core_->clock().now());
  receiver_.on_body(bytes);
}

void Call::on_end(const Error* failure) {
  ended_ = true;
  receiver_.on_end(failure);
}

void WholeAnswer::describe(ResponseInfo& info) const {
  info.head = head_;
  const auto [id, header] = request_id(head_);
  info.request_id = id;
  info.request_id_header = header;
  info.bytes = size_;
}

void WholeAnswer::on_head(const ResponseHead& head) {
  head_ = head;
  std::size_t length = 0;
  if (const auto value = find_header(head.headers, "content-length")) {
    std::from_chars(value->data(), value->data() + value->size(), length);
  }
  // A claimed length is a hint, not a promise: never more than this is reserved on its word.
  body_.reserve(std::min<std::size_t>(length, 1u << 20) + json::padding);
}

void WholeAnswer::on_body(std::string_view bytes) { body_.append(bytes); }

void WholeAnswer::on_end(const Error* failure) {
  if (failure != nullptr) failure_ = *failure;
  size_ = body_.size();
  body_.append(json::padding, '\0');
}

Result<void> attempt(Call& call, const WholeAnswer& answer) {
  Result<void> moved;
  while (moved && !call.ended()) moved = call.advance();
  if (moved && answer.failure()) moved = *answer.failure();
  if (!moved && answer.head().status != 0) {
    moved.error().status = answer.head().status;
    take_request_id(moved.error(), answer.head());
  }
  return moved;
}

}  // namespace inferwire::inline v0_1::client
