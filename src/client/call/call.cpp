#include "client/call/call.hpp"

#include "base/ended_call.hpp"
#include "client/option_problems.hpp"
#include "client/random.hpp"
#include "client/thrown.hpp"
#include "protocol/headers.hpp"
#include "protocol/redact.hpp"
#include "protocol/url.hpp"

#include <new>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

void wake_runner(void* runner) { static_cast<Runner*>(runner)->wake(); }

}  // namespace

Call::Call(CallScope&& scope, HttpRequest&& request, AnswerForm form, Receiver& receiver,
           const Subject* subject)
    : scope_(std::move(scope)),
      request_(std::move(request)),
      form_(form),
      for_token_(subject == nullptr),
      machine_(scope_.options.timeouts.over(scope_.core->timeouts()), scope_.core->retry(scope_.options),
               form, scope_.options.deadline),
      receiver_(receiver),
      wake_on_cancel_(scope_.options.cancel, &wake_runner, &scope_.runner) {
  if (!scope_.core->observed()) return;
  observation_ =
      for_token_ ? Observation::begin_fetch(*scope_.core, request_, scope_.options, concealer())
                 : Observation::begin(*scope_.core, request_, *subject, form, scope_.options, concealer());
}

Call::~Call() { close(); }

Call::Step Call::step() {
  if (scope_.options.cancel.cancelled()) return stop(cancelled());
  switch (stage_) {
    case Stage::between: return begin();
    case Stage::preparing: return prepare();
    case Stage::exchanging: break;
    case Stage::over:  // and can no longer time out
      if (std::exchange(out_of_memory_, false)) throw std::bad_alloc();
      return Step::ended;
  }
  // Timers are checked at every step: bytes that trickle in must not delay the timers of the whole call.
  const auto now = scope_.core->clock().now();
  machine_.on_reader_waiting(now);
  const auto until = machine_.next_deadline();
  const auto heard_until = scope_.runner.heard_until(now);
  if (auto timeout = heard_until < until ? std::nullopt : machine_.expired(heard_until)) {
    if (timeout->timer == timers::connect) timeout->detail = no_connection();
    return stop(std::move(*timeout));
  }
  return wait_for_exchange(until);
}

/// Adds what the machine does not know about its timer: the host, and how far the connection got.
std::string Call::no_connection() const {
  const auto url = protocol::parse_url(request_.url);
  auto text = "could not connect to " + (url ? protocol::place_of(*url) : "the host") + " within " +
              std::to_string(machine_.connect_limit()->count()) + " ms in attempt " +
              std::to_string(machine_.attempts());
  const auto obstacle = exchange_ ? exchange_->obstacle() : std::string_view();
  if (!obstacle.empty()) (text += ": ") += obstacle;
  return text;
}

/// Waits until it is time for the next attempt, and prepares it.
Call::Step Call::begin() {
  if (auto problem = problem_with(scope_.options)) return stop(std::move(*problem));
  const auto now = scope_.core->clock().now();
  if (begins_at_ && now < *begins_at_) return wait({.until = *begins_at_});
  begins_at_.reset();
  machine_.on_preparing(now);
  if (auto timeout = machine_.expired(now)) {
    if (turn_ == Turn::awaited) timeout->detail += "; it waited for its turn among the calls of its loop";
    return stop(std::move(*timeout));
  }
  // Fetching a token is part of a call that was admitted.
  if (!for_token_) turn_ = scope_.runner.enter() ? Turn::taken : Turn::awaited;
  if (turn_ == Turn::awaited) return wait({.until = machine_.next_deadline()});
  if (machine_.attempts() > 0) receiver_.on_retry();
  if (for_token_) return start(next_request());
  preparation_ = std::make_unique<Preparation>(scope_, next_request(), machine_.ends_at());
  stage_ = Stage::preparing;
  return prepare();
}

HttpRequest Call::next_request() {
  HttpRequest request{
      .method = request_.method, .url = request_.url, .body = request_.body, .confidential = for_token_};
  request.headers.reserve(request_.headers.size() + 1);  // a credential usually adds one
  request.headers = request_.headers;
  if (observation_) observation_->attempt(machine_.attempts() + 1, request);
  return request;
}

Call::Step Call::prepare() {
  auto ready = preparation_->authorization.step();
  if (!ready) return wait(preparation_->authorization.need());
  const auto prepared = std::move(preparation_);
  if (!*ready) return stop(no_token(std::move(*ready).error()));
  token_ = prepared->authorization.token();
  note_keys(prepared->request.headers);
  if (auto checked = scope_.core->check_request(prepared->request, prepared->unsigned_headers); !checked)
    return stop(std::move(checked).error());
  return start(std::move(prepared->request));
}

/// If the time is over, the machine's error says how much time there was.
Error Call::no_token(Error error) const {
  auto timeout = is_out_of_time(error) ? machine_.expired(machine_.ends_at()) : std::nullopt;
  if (!timeout) return error;
  timeout->detail += "; there was no token by then";
  return *std::move(timeout);
}

/// The credential may have renewed its keys twice by the time that an answer repeats these.
void Call::note_keys(const std::vector<Header>& headers) {
  std::vector<std::string_view> keys;
  for (const auto& [name, value] : headers) {
    if (!find_header(request_.headers, name) && protocol::is_secret_header(name)) keys.push_back(value);
  }
  keys_ = scope_.core->share(keys);
}

Call::Step Call::start(HttpRequest&& request) {
  stage_ = Stage::exchanging;
  machine_.on_attempt(scope_.core->clock().now());
  ExchangeOptions options{.connect = machine_.connect_limit(), .connected_since = machine_.failed_at()};
  if (form_ == AnswerForm::whole) options.max_body_bytes = scope_.core->max_response_bytes();
  try {
    auto transport = scope_.runner.transport();
    if (!transport) return stop(std::move(transport).error());
    auto exchange = (*transport)->start(std::move(request), *this, options);
    if (!exchange) return stop(std::move(exchange).error());
    exchange_ = std::move(*exchange);
  } catch (...) {
    return stop(thrown_by_transport());
  }
  return wait_for_exchange(machine_.next_deadline());
}

Call::Step Call::wait_for_exchange(TimePoint until) {
  return wait({.exchange = exchange_.get(), .sink = this, .until = until});
}

Call::Step Call::wait(Need need) {
  need_ = std::move(need);
  return Step::waiting;
}

void Call::close() noexcept {
  exchange_.reset();
  if (std::exchange(turn_, Turn::unasked) != Turn::unasked) scope_.runner.exit();
}

/// Ends the attempt and closes its connection at once.
Call::Step Call::stop(Error error) {
  stage_ = Stage::over;
  preparation_.reset();
  close();
  error_ = std::make_unique<Error>(std::move(error));
  return Step::broken;
}

/// Whether the credential, whose token was refused, has another one. A custom credential may throw.
bool Call::renew(Error& error) {
  try {
    return scope_.core->credential().refused(*token_);
  } catch (...) {
    error.detail = thrown_by("the credential");
    return false;
  }
}

void Call::end_attempt(Error& error) {
  close();
  stage_ = Stage::over;
  error_.reset();
  error.provider = scope_.core->provider().name;
  if (error.url.empty() && machine_.attempts() > 0) error.url = protocol::shown_url(request_.url);
  concealer().conceal(error);
  machine_.on_failure(error, scope_.core->clock().now());
}

bool Call::begins_again(Error& error) {
  // If this request has no answer, a token fetch failed.
  const bool refused = error.kind == ErrorKind::auth && receiver_.head().status != 0 && token_;
  const bool renewed = refused && machine_.may_renew() && renew(error);
  const auto now = scope_.core->clock().now();
  begins_at_ = machine_.next_attempt(
      error, {.headers = receiver_.head().headers, .renewed = renewed, .chance = random_fraction()}, now);
  if (!begins_at_) return false;
  if (observation_) {
    observation_->retry(machine_.attempts(), error, std::chrono::ceil<Duration>(*begins_at_ - now));
  }
  stage_ = Stage::between;
  return true;
}

void Call::on_event() {
  if (machine_.events() == 0) {
    machine_.on_first_event(scope_.core->clock().now());
    forget_request();
  }
  machine_.on_event();
}

/// There are no further attempts: frees the memory, but keeps what errors must not show.
void Call::forget_request() {
  HttpRequest secrets;
  for (auto& header : request_.headers) {
    if (protocol::is_secret_header(header.name)) secrets.headers.push_back(std::move(header));
  }
  secrets.url = std::move(request_.url);  // errors name it
  std::swap(request_, secrets);
}

void Call::describe(ResponseInfo& info) const {
  info.attempts = machine_.attempts();
  info.timings = machine_.timings(scope_.core->clock().now());
}

std::optional<Error> Call::why_over(TimePoint now) const {
  if (scope_.options.cancel.cancelled()) return cancelled();
  return machine_.out_of_time(now);
}

void Call::pause() {
  if (exchange_) exchange_->pause();
}

void Call::resume() {
  if (exchange_) exchange_->resume();
}

void Call::release() {
  if (exchange_) exchange_->release();
  close();
  stage_ = Stage::over;
}

void Call::reject() {
  if (exchange_) exchange_->reject();
}

/// Notifies the runner of every event: timers may have changed.
void Call::hear() { scope_.runner.heard(); }

void Call::on_connected() {
  machine_.on_connected(scope_.core->clock().now());
  hear();
}

void Call::on_sending() {
  machine_.on_sending(scope_.core->clock().now());
  hear();
}

void Call::on_sent() {
  machine_.on_sent(scope_.core->clock().now());
  hear();
}

void Call::on_head(const ResponseHead& head) {
  machine_.on_head(head.status, scope_.core->clock().now());
  if (observation_) observation_->answer(machine_.attempts(), head);
  receiver_.on_head(head);
  hear();
}

void Call::on_body(std::string_view bytes) {
  if (machine_.status() == 0) [[unlikely]]
    return refuse_body();
  machine_.on_bytes(bytes.size(), scope_.core->clock().now());
  receiver_.on_body(bytes);
  hear();
}

/// Ends the attempt: the receivers rely on a head before the body, and a transport of the user's may forget
/// it.
void Call::refuse_body() {
  const Error error{.kind = ErrorKind::connection,
                    .detail = "the transport gave a body without a head, or with one that has no status"};
  on_end(&error);
}

void Call::on_end(const Error* failure) {
  // An exchange may have ended before it throws.
  if (std::exchange(stage_, Stage::over) != Stage::over) {
    try {
      tell_end(failure);
    } catch (...) {
      out_of_memory_ = true;
    }
  }
  hear();
}

void Call::tell_end(const Error* failure) {
  if (failure == nullptr || failure->timer != timers::connect || !machine_.connect_limit()) {
    return receiver_.on_end(failure);
  }
  auto late = *failure;  // the transport's own timer fired first
  late.detail = no_connection();
  receiver_.on_end(&late);
}

}  // namespace inferwire::inline v0_1::client
