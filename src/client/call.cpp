#include "client/call.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "client/http_error.hpp"
#include "json/codec.hpp"

namespace inferwire::inline v0_1::client {

namespace {
void wake_transport(void* transport) { static_cast<Transport*>(transport)->wake(); }
}  // namespace

Call::Call(std::shared_ptr<detail::Core> core, HttpRequest request, Shape shape, const CallOptions& options,
           Receiver& receiver)
    : core_(std::move(core)),
      request_(std::move(request)),
      shape_(shape),
      unusable_(CallMachine::problem_with(options.timeouts.value_or(core_->timeouts()))),
      machine_(options.timeouts.value_or(core_->timeouts()), shape),
      receiver_(receiver),
      cancel_(options.cancel),
      wake_on_cancel_(cancel_, &wake_transport, &core_->transport()) {}

Call::~Call() = default;

Result<void> Call::begin() {
  if (unusable_) return *unusable_;
  machine_.on_attempt(core_->clock().now());
  ExchangeOptions options;
  if (shape_ == Shape::whole) options.max_body_bytes = core_->max_response_bytes();
  // The request is kept: another attempt would send it again.
  auto exchange = core_->transport().start(request_, *this, options);
  if (!exchange) return std::move(exchange).error();
  exchange_ = std::move(*exchange);
  return {};
}

Result<void> Call::advance() {
  if (cancel_.cancelled()) return stop(Error{.kind = ErrorKind::cancelled, .detail = "the caller cancelled"});
  if (!exchange_ && !ended_) {
    if (auto begun = begin(); !begun) return stop(std::move(begun).error());
  }
  if (!ended_) machine_.on_reader_back(core_->clock().now());
  while (!ended_) {
    const auto progress = exchange_->drive(machine_.next_deadline());
    if (cancel_.cancelled() && !ended_) {
      return stop(Error{.kind = ErrorKind::cancelled, .detail = "the caller cancelled"});
    }
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

/// Ends the call: the connection is closed at once.
Error Call::stop(Error error) {
  exchange_.reset();
  ended_ = true;
  return error;
}

Error Call::finished(Error error) {
  error.provider = core_->provider().name;
  machine_.on_failure(error, core_->clock().now());
  return error;
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

}  // namespace inferwire::inline v0_1::client
