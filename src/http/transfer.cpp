#include "http/transfer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "http/curl_error.hpp"
#include "http/redirect.hpp"
#include "http/wire_log.hpp"
#include "protocol/ascii.hpp"
#include "protocol/headers.hpp"
#include "protocol/url.hpp"

namespace inferwire::inline v0_1::http {

namespace {

// Bytes read at once: in bursts fewer, larger reads save a fifth of the CPU against libcurl's default of 16
// KB.
constexpr long most_receive_bytes = 64 * 1024;
// The same of an exchange that is one of very many: each has a buffer of its own, by libcurls before 8.7.
constexpr long receive_bytes_in_crowd = 1024;
// What one round may bring; libcurl goes on reading for as long as the socket has more, a megabyte and above.
// Just below a whole read, so that no part of it has to be held back.
constexpr std::size_t most_per_round = 60 * 1024;
// libcurl 8 holds this buffer for the life of a request with a body.
constexpr long upload_bytes = 16 * 1024;
// What a detached exchange may still receive for the sake of its connection.
constexpr std::uint64_t max_thrown_away = 64 * 1024;

/// What libcurl says of a line that is beyond its limit (100 KiB).
bool is_too_large(CURLcode code) noexcept {
#if CURL_AT_LEAST_VERSION(8, 6, 0)
  if (code == CURLE_TOO_LARGE) return true;
#endif
  return code == CURLE_OUT_OF_MEMORY;
}

}  // namespace

Transfer::Transfer(const CurlShare& share, const NetworkSetup& network, Sockets& sockets, Log* wire)
    : network_(network), sockets_(sockets), wire_(wire), easy_(curl_easy_init()) {
  if (easy_) {
    set_up(share);
  } else {
    set_up_ = CURLE_FAILED_INIT;
  }
}

template <class T>
void Transfer::set(CURLoption option, T value) noexcept {
  const auto code = curl_easy_setopt(easy_.get(), option, value);
  if (set_up_ == CURLE_OK) set_up_ = code;
}

void Transfer::set_up(const CurlShare& share) {
  set(CURLOPT_ERRORBUFFER, text_.data());
  set(CURLOPT_PRIVATE, static_cast<void*>(this));
  if (share.get()) set(CURLOPT_SHARE, share.get());
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_PATH_AS_IS, 1L);
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  if (const auto code = network_.apply(easy_.get()); set_up_ == CURLE_OK) set_up_ = code;
  set(CURLOPT_UPLOAD_BUFFERSIZE, upload_bytes);
  if (const auto code = sockets_.serve(easy_.get()); set_up_ == CURLE_OK) set_up_ = code;
  // Destroying an exchange must not wait for a name that is being resolved.
  curl_easy_setopt(easy_.get(), CURLOPT_QUICK_EXIT, 1L);
  if (wire_ != nullptr) {
    set(CURLOPT_VERBOSE, 1L);
    set(CURLOPT_DEBUGFUNCTION, &Transfer::on_remark);
    set(CURLOPT_DEBUGDATA, static_cast<void*>(this));
  }
  set(CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  set(CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(CURLOPT_WRITEFUNCTION, &Transfer::on_write);
  set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  set(CURLOPT_PREREQFUNCTION, &Transfer::on_connected);
  set(CURLOPT_PREREQDATA, static_cast<void*>(this));
}

Result<void> Transfer::begin(HttpRequest request, Sink& sink, const ExchangeOptions& options) {
  if (!protocol::is_token(request.method)) {
    return Error{.kind = ErrorKind::config, .detail = "the request's method is not a token"};
  }
  // libcurl would wait for the answer's body.
  if (request.method == "HEAD" && !request.body.empty()) {
    return Error{.kind = ErrorKind::config, .detail = "a HEAD request has no body"};
  }
  if (auto checked = protocol::check_headers(request.headers); !checked) return checked;
  if (auto checked = set_url(request.url); !checked) return checked;

  headers_.assign(request.headers, request.body.size());
  request_ = std::move(request);
  // Only the wire's log looks them up once more, for what it must not show.
  if (wire_ == nullptr) std::vector<Header>().swap(request_.headers);
  sink_ = &sink;
  options_ = options;
  return set_request();
}

Result<void> Transfer::begin_again(Sink& sink) {
  sink_ = &sink;
  if (redirected()) {
    request_.url = std::exchange(redirect_, {});
    ++redirects_;
    if (auto checked = set_url(request_.url); !checked) return checked;
  }
  head_.reset();
  connected_ = sent_ = false;
  thrown_away_ = uploaded_ = 0;
  result_.reset();
  failure_.reset();
  return set_request();
}

Result<void> Transfer::set_request() {
  set_method();
  set_direct();
  set_connect_limit();
  set_reuse();
  // libcurl 7.88 forgets what is left of a stream of HTTP/2 that does not fit into a small buffer.
  set_receive_bytes(in_crowd_ && !network_.multiplexes() ? receive_bytes_in_crowd : most_receive_bytes);
  set(CURLOPT_HTTPHEADER, headers_.get());
  if (method_has_body_) {
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    set(CURLOPT_POSTFIELDS, request_.body.data());  // read where it lies, during the transfer
  }
  if (set_up_ != CURLE_OK) {
    return Error{.kind = ErrorKind::config,
                 .detail = std::string("libcurl cannot be set up: ") + curl_easy_strerror(set_up_)};
  }
  return {};
}

/// Only what changes: libcurl refuses while a handle still has the buffer of its last exchange, and a size
/// that stays as it was is no harm.
void Transfer::set_receive_bytes(long bytes) noexcept {
  if (bytes == receive_bytes_) return;
  if (curl_easy_setopt(easy_.get(), CURLOPT_BUFFERSIZE, bytes) == CURLE_OK) receive_bytes_ = bytes;
}

/// libcurl gives each address but the last one half of what is left of its own limit. That is a little longer
/// than the caller's, whose timer ends the exchange; and longer than libcurl's 300 s where there is none.
void Transfer::set_connect_limit() noexcept {
  using namespace std::chrono_literals;
  constexpr Duration longest = std::chrono::hours(7 * 24);
  const auto callers = std::min(options_.connect.value_or(longest), longest);
  const auto limit = static_cast<long>((callers + std::clamp<Duration>(callers / 8, 50ms, 1s)).count());
  if (limit == connect_milliseconds_) return;
  set(CURLOPT_CONNECTTIMEOUT_MS, limit);
  connect_milliseconds_ = limit;
}

/// Undoes what the exchange before has set; one that found its connection unfit begins with a new one.
void Transfer::set_reuse() noexcept {
  if (std::exchange(abandoned_, false)) set(CURLOPT_FORBID_REUSE, 0L);
  const bool was_fresh = std::exchange(fresh_, std::exchange(stale_, false));
  if (fresh_ != was_fresh) set(CURLOPT_FRESH_CONNECT, fresh_ ? 1L : 0L);
}

Result<void> Transfer::set_url(const std::string& url) {
  if (url == url_) return {};
  auto parsed = protocol::parse_url(url);
  if (!parsed) return std::move(parsed).error();
  url_.clear();  // what the handle has when memory runs out in here
  // What libcurl is given in parts it need not take apart at every exchange; 7.88 loses the zone of an IPv6
  // address on the way. Setting the parts, even to none, makes newer versions forget the text.
  const bool has_zone = parsed->host.find('%') != parsed->host.npos;
  auto parts = in_crowd_ || has_zone ? nullptr : take_apart(url);
  if (!parts) set(CURLOPT_CURLU, static_cast<CURLU*>(nullptr));
  set(CURLOPT_URL, url.c_str());
  if (parts) set(CURLOPT_CURLU, parts.get());
  parts_ = std::move(parts);
  place_ = parsed->host;
  if (parsed->port != 0) (place_ += ":") += std::to_string(parsed->port);
  url_ = url;
  return {};
}

void Transfer::set_method() {
  const bool has_body = request_.method == "POST" || !request_.body.empty();
  if (request_.method == method_ && has_body == method_has_body_) return;
  method_ = request_.method;
  method_has_body_ = has_body;
  set(CURLOPT_HTTPGET, 1L);  // also forgets what the method before has set
  set(CURLOPT_CUSTOMREQUEST, static_cast<const char*>(nullptr));
  if (has_body) set(CURLOPT_POST, 1L);
  if (method_ == "HEAD") {
    set(CURLOPT_NOBODY, 1L);
  } else if (method_ != (has_body ? "POST" : "GET")) {
    set(CURLOPT_CUSTOMREQUEST, method_.c_str());
  }
}

bool Transfer::is_secure() const noexcept {
  constexpr std::string_view scheme = "https:";
  return protocol::ascii::equal_ignoring_case(std::string_view(request_.url).substr(0, scheme.size()),
                                              scheme);
}

/// Keys that travel in the clear come from this machine or from beside it, and a proxy would read them.
void Transfer::set_direct() noexcept {
  const bool direct = request_.confidential && !is_secure();
  if (direct == direct_) return;
  const auto code = network_.set_direct(easy_.get(), direct);
  if (code == CURLE_OK) direct_ = direct;
  if (set_up_ == CURLE_OK) set_up_ = code;
}

/// Where HTTP/2 shares a connection, libcurl would tell the server only when it uses that again.
void Transfer::abandon() noexcept {
  detach();
  if (!has_result()) forbid_reuse();
}

void Transfer::forbid_reuse() noexcept {
  abandoned_ = true;
  set(CURLOPT_FORBID_REUSE, 1L);
}

void Transfer::finish() noexcept {
  // What the next exchange must not see. The option that points into the request is set anew before use.
  request_ = {};
  sink_ = nullptr;
  attendant_ = nullptr;
  in_crowd_ = false;
  options_ = {};
  head_.reset();
  body_bytes_ = thrown_away_ = uploaded_ = 0;
  redirects_ = 0;
  redirect_.clear();
  stale_ = connected_ = told_connected_ = sent_ = told_sent_ = heard_ = paused_ = stands_still_ =
      resume_due_ = full_ = false;
  failure_.reset();
  exception_ = nullptr;
  result_.reset();
  text_[0] = '\0';
}

void Transfer::pause() noexcept {
  resume_due_ = false;
  if (std::exchange(paused_, true)) return;
  stands_still_ = !in_callback_;
  curl_easy_pause(easy_.get(), CURLPAUSE_RECV);
}

void Transfer::resume() noexcept {
  resume_due_ = paused_;
  if (resume_due_) want_attention();
}

void Transfer::before_round() noexcept {
  const bool goes_on = std::exchange(resume_due_, false);
  if (goes_on) paused_ = stands_still_ = false;
  if (goes_on || (full_ && !paused_)) {
    // libcurl hands out what it holds back from inside this call, and the sink may hear that from `drive`
    // only. It does not fill the round: paused in there, libcurl would read on, and hold back all of it.
    full_ = true;
    const auto code = curl_easy_pause(easy_.get(), CURLPAUSE_CONT);
    // What has no connection yet has nothing to go on with, and libcurl says so. What a callback has refused
    // in there does not end the transfer.
    const bool broke = code != CURLE_OK && code != CURLE_BAD_FUNCTION_ARGUMENT;
    if (broke || exception_ || failure_) set_result(broke ? code : CURLE_WRITE_ERROR);
  }
  full_ = false;
  round_bytes_ = 0;
}

bool Transfer::libcurl_sleeps_over_addresses() noexcept {
  static const bool sleeps = curl_version_info(CURLVERSION_NOW)->version_num < 0x080e00;
  return sleeps;
}

void Transfer::look_at_addresses() noexcept {
  if (connected_ || paused_) return;
  curl_easy_pause(easy_.get(), CURLPAUSE_RECV);
  curl_easy_pause(easy_.get(), CURLPAUSE_CONT);
}

Transfer* Transfer::of(CURL* handle) noexcept {
  void* transfer{};
  curl_easy_getinfo(handle, CURLINFO_PRIVATE, &transfer);
  return static_cast<Transfer*>(transfer);
}

void Transfer::give_up(const char* why) noexcept {
  try {
    fail(ErrorKind::connection, why);
  } catch (...) {  // no memory: the code tells as much
  }
  set_result(CURLE_OUT_OF_MEMORY);
}

void Transfer::after_round() noexcept {
  if (!connected_ || sent_ || !sink_) return;
  try {
    look_for_sent();
  } catch (...) {
    exception_ = std::current_exception();
    sink_ = nullptr;
    set_result(CURLE_ABORTED_BY_CALLBACK);
  }
}

void Transfer::look_for_sent() {
  // There is no callback for it (before libcurl 8), but the counters tell: the head has left, and all of the
  // body.
  long head_bytes{};
  curl_off_t body_bytes{};
  curl_easy_getinfo(easy_.get(), CURLINFO_REQUEST_SIZE, &head_bytes);
  curl_easy_getinfo(easy_.get(), CURLINFO_SIZE_UPLOAD_T, &body_bytes);
  const auto uploaded = static_cast<std::uint64_t>(body_bytes);
  if (head_bytes > 0 && uploaded >= request_.body.size()) {
    tell_sent();
  } else if (uploaded > std::exchange(uploaded_, uploaded)) {
    tell_sending();
  }
}

/// The answer's body has begun: a request that has left is not sent again. A long prompt need not stay for as
/// long as its answer takes, nor the headers of one stream among thousands; those of a single one are memory
/// that the next request uses.
void Transfer::forget_request() noexcept {
  curl_off_t uploaded{};
  curl_easy_getinfo(easy_.get(), CURLINFO_SIZE_UPLOAD_T, &uploaded);
  if (static_cast<std::uint64_t>(uploaded) < request_.body.size()) return;
  request_.body = {};
  if (attendant_ == nullptr) return;
  set(CURLOPT_HTTPHEADER, static_cast<curl_slist*>(nullptr));
  headers_.release();
}

std::optional<Error> Transfer::outcome() {
  if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
  if (failure_) return std::move(*std::exchange(failure_, nullptr));
  if (*result_ == CURLE_OK && head_.complete()) return std::nullopt;
  if (auto refused = refused_by_proxy()) return refused;
  if (sent_ && !head_.complete() && is_too_large(*result_)) {
    return Error{.kind = ErrorKind::too_large,
                 .detail = "a line of the answer's head is longer than libcurl takes, or memory ran out"};
  }
  // libcurl takes a head that breaks off for an answer.
  if (*result_ == CURLE_OK && head_.head().status != 0) {
    return error_from_curl(CURLE_GOT_NOTHING, "it was closed inside the answer's head", 0, place_);
  }
  // Once connected, the protocol that libcurl does not support is the one that the server speaks.
  if (*result_ == CURLE_OK || (*result_ == CURLE_UNSUPPORTED_PROTOCOL && connected_)) {
    result_ = CURLE_WEIRD_SERVER_REPLY;
  }
  if (is_late()) {
    return Error{.kind = ErrorKind::timeout,
                 .detail = "no connection to " + place_ + " in " + std::to_string(options_.connect->count()) +
                           " ms: " + text_.data(),
                 .timer = "connect",
                 .retryable = true};
  }
  long os_error{};
  curl_easy_getinfo(easy_.get(), CURLINFO_OS_ERRNO, &os_error);
  auto error = error_from_curl(*result_, text_.data(), static_cast<int>(os_error), place_);
  // On a connection that was used before, these may be late bytes of another exchange.
  if (*result_ == CURLE_WEIRD_SERVER_REPLY && connected_ && !has_own_connection()) error.retryable = true;
  return error;
}

/// Whether libcurl's limit for the connection, which follows the caller's, has ended it: the system's own,
/// which libcurl tells alike, comes earlier.
bool Transfer::is_late() const noexcept {
  if (*result_ != CURLE_OPERATION_TIMEDOUT || !options_.connect) return false;
  curl_off_t microseconds{};
  curl_easy_getinfo(easy_.get(), CURLINFO_TOTAL_TIME_T, &microseconds);
  return std::chrono::microseconds(microseconds) >= *options_.connect;
}

/// Whether the connection was used before and holds bytes that nobody has asked for: they are not the answer
/// to what is about to be sent, and libcurl before 8.1 takes them for it. Where TLS may have negotiated
/// HTTP/2 its streams have bytes of their own.
bool Transfer::holds_other_bytes(int local_port) noexcept {
  static const bool libcurl_looks = curl_version_info(CURLVERSION_NOW)->version_num >= 0x080100;
  if (libcurl_looks || (network_.multiplexes() && is_secure()) || has_own_connection()) return false;
  return sockets_.hold_bytes(local_port);
}

/// Whether the connection was made for this exchange.
bool Transfer::has_own_connection() const noexcept {
  long made{};
  curl_easy_getinfo(easy_.get(), CURLINFO_NUM_CONNECTS, &made);
  return made > 0;
}

/// The proxy's answer when it was asked for a tunnel and gave none.
std::optional<Error> Transfer::refused_by_proxy() const {
  long status{};
  curl_easy_getinfo(easy_.get(), CURLINFO_HTTP_CONNECTCODE, &status);
  if (connected_ || status < 300) return std::nullopt;
  auto detail = "the proxy gave no way to " + place_ + ": it answered with status " + std::to_string(status);
  constexpr long wants_password = 407;
  if (status == wants_password) {
    return Error{.kind = ErrorKind::config,
                 .detail = detail + "; it wants NetworkOptions::proxy_user and proxy_password"};
  }
  constexpr long passing[] = {408, 429, 502, 503, 504};
  return Error{.kind = ErrorKind::connection,
               .detail = std::move(detail),
               .retryable = std::ranges::find(passing, status) != std::end(passing)};
}

/// Runs a callback of libcurl's: no exception may pass through C. Whether the exchange goes on.
template <class F>
bool Transfer::guarded(F&& callback) noexcept {
  bool goes_on = false;
  in_callback_ = true;
  try {
    goes_on = callback();
  } catch (...) {
    exception_ = std::current_exception();
    sink_ = nullptr;
  }
  if (!goes_on) forbid_reuse();
  in_callback_ = false;
  return goes_on;
}

bool Transfer::fail(ErrorKind kind, std::string detail) {
  failure_ = std::make_unique<Error>(Error{.kind = kind, .detail = std::move(detail)});
  return false;
}

void Transfer::tell_connected() {
  // A connection that turns out to be dead is replaced by libcurl, and then comes here a second time.
  if (std::exchange(connected_, true) || !sink_) return;
  want_attention();
  if (std::exchange(told_connected_, true)) return;  // to another place
  heard_ = true;
  sink_->on_connected();
}

void Transfer::tell_sending() {
  heard_ = true;
  sink_->on_sending();
}

void Transfer::tell_sent() {
  if (std::exchange(sent_, true) || !sink_) return;
  if (std::exchange(told_sent_, true)) return tell_sending();  // to another place
  heard_ = true;
  sink_->on_sent();
}

bool Transfer::take_header(std::string_view line) {
  switch (head_.take(line)) {
    case HeadReader::Line::more: return true;
    case HeadReader::Line::complete: return take_head();
    case HeadReader::Line::switched:
      return fail(ErrorKind::connection,
                  "the server answers in another protocol (status 101), for which nobody has asked");
    case HeadReader::Line::too_large: break;
  }
  return fail(ErrorKind::too_large,
              "the answer's head is larger than " + std::to_string(HeadReader::max_bytes) + " bytes");
}

bool Transfer::take_head() {
  // An answer may come before the whole request was taken; then this is the time at which sending was over.
  tell_connected();
  tell_sent();
  if (!sink_) return true;
  if (head_.head().status / 100 == 3 && redirects_ < network_.max_redirects()) {
    redirect_ = redirect_of(request_, head_.head()).value_or("");
    if (redirected()) return true;
  }
  heard_ = true;
  sink_->on_head(head_.head());
  if (!options_.max_body_bytes || method_ == "HEAD") return true;
  const auto length = head_.longer_than(*options_.max_body_bytes);
  if (!length) return true;
  return fail(ErrorKind::too_large, "the answer says that it has " + std::to_string(*length) +
                                        " bytes, and " + std::to_string(*options_.max_body_bytes) +
                                        " are allowed");
}

bool Transfer::take_body(std::string_view bytes) {
  if (!sink_ || redirected()) {
    thrown_away_ += bytes.size();
    return thrown_away_ <= max_thrown_away;
  }
  if (body_bytes_ == 0) forget_request();
  body_bytes_ += bytes.size();
  if (options_.max_body_bytes && body_bytes_ > *options_.max_body_bytes) {
    return fail(ErrorKind::too_large, "the answer is larger than the " +
                                          std::to_string(*options_.max_body_bytes) + " bytes allowed");
  }
  heard_ = true;
  sink_->on_body(bytes);
  round_bytes_ += bytes.size();
  if (round_bytes_ >= most_per_round && !std::exchange(full_, true)) {
    curl_easy_pause(easy_.get(), CURLPAUSE_RECV);
    want_attention();
  }
  return true;
}

std::size_t Transfer::on_header(char* bytes, std::size_t, std::size_t size, void* self) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  return transfer.guarded([&] { return transfer.take_header({bytes, size}); }) ? size : 0;
}

std::size_t Transfer::on_write(char* bytes, std::size_t, std::size_t size, void* self) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  // libcurl 8.14 reads on where it was told to pause from outside of its callbacks; this it obeys.
  if (transfer.stands_still_) return CURL_WRITEFUNC_PAUSE;
  return transfer.guarded([&] { return transfer.take_body({bytes, size}); }) ? size : 0;
}

int Transfer::on_remark(CURL*, curl_infotype type, char* bytes, std::size_t size, void* self) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  try {
    write_remark(*transfer.wire_, type, {bytes, size}, transfer.request_);
  } catch (...) {  // a remark for which there is no memory is not made
  }
  return 0;
}

int Transfer::on_connected(void* self, char*, char*, int, int local_port) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  transfer.stale_ = transfer.holds_other_bytes(local_port);
  const bool go_on = !transfer.stale_ && transfer.guarded([&] { return transfer.tell_connected(), true; });
  return go_on ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

}  // namespace inferwire::inline v0_1::http
