#include "http/transfer.hpp"

#include "base/ascii.hpp"
#include "base/body_limit.hpp"
#include "http/chosen_connection.hpp"
#include "http/redirect.hpp"
#include "http/wire_log.hpp"
#include "protocol/sendable.hpp"

#include <chrono>
#include <utility>

namespace inferwire::inline v0_1::http {

namespace {

// The size of a read: in bursts, fewer and larger reads save a fifth of the CPU time compared with libcurl's
// default of 16 KB.
constexpr long most_receive_bytes = 64 * 1024;
// The buffer size if there are very many exchanges: before libcurl 8.7 each one has its own.
constexpr long receive_bytes_in_crowd = 1024;
// libcurl 8 keeps this buffer for the duration of a request with a body.
constexpr long upload_bytes = 16 * 1024;
// A connection that the server closed while it was idle breaks as soon as it is used. If one breaks later,
// the server may have been working on the answer.
constexpr auto longest_stale = std::chrono::seconds(1);
// The maximum that a detached exchange may still receive in order to keep its connection.
constexpr std::uint64_t max_thrown_away = 64 * 1024;

/// Whether libcurl adds a head's first line, if it begins with a blank as a continued line does, to the last
/// header of the handle's answer before, which it has freed: https://github.com/curl/curl/issues/11101
bool misjoins_first_lines() noexcept {
  static const bool does = curl_version_info(CURLVERSION_NOW)->version_num < 0x080100;
  return does;
}

}  // namespace

Transfer::Transfer(const CurlShare& share, const NetworkSetup& network, Sockets& sockets, Log* wire)
    : network_(network), sockets_(sockets), wire_(wire), flow_(handle_.get()) {
  if (usable()) set_up(share);
}

void Transfer::set_up(const CurlShare& share) {
  handle_.set(CURLOPT_PRIVATE, static_cast<void*>(this));
  if (share.get()) handle_.set(CURLOPT_SHARE, share.get());
  handle_.set(CURLOPT_NOSIGNAL, 1L);
  handle_.set(CURLOPT_PROTOCOLS_STR, "http,https");
  handle_.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  network_.apply(handle_);
  handle_.set(CURLOPT_UPLOAD_BUFFERSIZE, upload_bytes);
  Sockets::serve(handle_, attempts_);
  // Destroying an exchange must not wait for a name that is being resolved.
  curl_easy_setopt(handle_.get(), CURLOPT_QUICK_EXIT, 1L);
  if (wire_ != nullptr || misjoins_first_lines()) {
    handle_.set(CURLOPT_VERBOSE, wire_ != nullptr ? 1L : 0L);
    handle_.set(CURLOPT_DEBUGFUNCTION, &Transfer::on_remark);
    handle_.set(CURLOPT_DEBUGDATA, static_cast<void*>(this));
  }
  handle_.set(CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  handle_.set(CURLOPT_HEADERDATA, static_cast<void*>(this));
  handle_.set(CURLOPT_WRITEFUNCTION, &Transfer::on_write);
  handle_.set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  handle_.set(CURLOPT_PREREQFUNCTION, &Transfer::on_connected);
  handle_.set(CURLOPT_PREREQDATA, static_cast<void*>(this));
  handle_.set(CURLOPT_RESOLVER_START_FUNCTION, &Transfer::on_lookup);
  handle_.set(CURLOPT_RESOLVER_START_DATA, static_cast<void*>(this));
  if (network_.may_use_proxy()) {
    handle_.set(CURLOPT_NOPROGRESS, 0L);
    handle_.set(CURLOPT_XFERINFOFUNCTION, &Transfer::on_progress);
    handle_.set(CURLOPT_XFERINFODATA, static_cast<void*>(this));
  }
}

Result<void> Transfer::begin(HttpRequest&& request, Sink& sink, const ExchangeOptions& options,
                             Attendant* attendant, bool in_crowd) {
  if (auto checked = protocol::check_method(request); !checked) return checked;
  if (auto set = handle_.set_headers(request.headers, request.body.size()); !set) return set;
  if (auto set = handle_.set_url(request.url, !in_crowd); !set) return set;
  current_.request = std::move(request);
  // They are read again by the wire log only, to know what it must not show.
  if (wire_ == nullptr) {
    std::string().swap(current_.request.url);
    std::vector<Header>().swap(current_.request.headers);
  }
  current_.sink = &sink;
  current_.options = options;
  current_.attendant = attendant;
  current_.in_crowd = in_crowd;
  return set_request();
}

/// Whether a reused connection broke without an answer. libcurl does not repeat every such request: none
/// whose body it was sending, and 7.88, for example, gives up at every sixth one of a handle. If it did, it
/// made a connection.
bool Transfer::broke_on_reuse() const noexcept {
  const bool broke = *at_.result == CURLE_SEND_ERROR || *at_.result == CURLE_RECV_ERROR;
  return broke && at_.connection && !at_.connection->is_new && head_.head().status == 0 &&
         !handle_.has_own_connection() &&
         std::chrono::steady_clock::now() - at_.connection->since <= longest_stale;
}

Result<void> Transfer::begin_again() {
  const auto redirect = std::move(at_.redirect);
  if (redirect) {
    ++current_.redirects;
    if (auto checked = handle_.set_url(*redirect, !current_.in_crowd); !checked) return checked;
    if (wire_ != nullptr) current_.request.url = *redirect;
  }
  at_ = {};
  head_.reset();
  return set_request(!redirect);
}

Result<void> Transfer::set_request(bool on_new_connection) {
  handle_.set_method(current_.request.method,
                     current_.request.method == "POST" || !current_.request.body.empty());
  if (handle_.has_body()) handle_.set_body(current_.request.body);
  // Keys sent unencrypted go only to this machine or its vicinity, and a proxy would read them.
  handle_.set_direct(current_.request.confidential && !handle_.is_secure(), network_.no_proxy());
  // If many exchanges begin at once, all but the first wait for the handshake to say whether they can share
  // its connection (see CurlShard::note_connected). Unencrypted, they would wait for its answer to say that
  // they cannot.
  handle_.set_waits_to_share(may_be_http2());
  handle_.set_connect_limit(current_.options.connect);
  handle_.set_fresh(on_new_connection);
  // What was connected to before may have moved; libcurl keeps addresses that refuse connections, and newer
  // versions (8.16, for example) failed lookups.
  handle_.set_looks_up_again(current_.options.connected_since.has_value());
  // Until its answer begins: libcurl keeps a connection to which the request could not be written, and
  // OpenSSL keeps the request. It would be sent in place of the next one, whose call would get its answer.
  handle_.set_forbids_reuse(true);
  // libcurl 7.88 loses the rest of an HTTP/2 stream that does not fit into a small buffer.
  handle_.set_receive_bytes(current_.in_crowd && !network_.multiplexes() ? receive_bytes_in_crowd
                                                                         : most_receive_bytes);
  if (!usable()) {
    return Error{.kind = ErrorKind::config,
                 .detail = std::string("libcurl cannot be set up: ") + curl_easy_strerror(handle_.problem())};
  }
  return {};
}

/// On a shared HTTP/2 connection, libcurl would otherwise tell the server only when it next uses the
/// connection.
void Transfer::abandon() noexcept {
  if (has_result()) return;
  detach();
  handle_.set_forbids_reuse(true);
}

void Transfer::finish() noexcept {
  // Clears what the next exchange must not see. The option that points into the request is set again before
  // use.
  current_ = {};
  at_ = {};
  head_.reset();
  flow_ = Flow(handle_.get());
  handle_.clear_text();
}

void Transfer::resume() noexcept {
  if (flow_.resume()) want_attention();
}

void Transfer::before_round() noexcept {
  const auto code = flow_.begin_round();
  // An error in a callback during this call does not end the transfer by itself.
  const bool refused = current_.exception || at_.failure;
  if (code != CURLE_OK || refused) set_result(code != CURLE_OK ? code : CURLE_WRITE_ERROR);
}

bool Transfer::libcurl_sleeps_over_addresses() noexcept {
  static const bool sleeps = curl_version_info(CURLVERSION_NOW)->version_num < 0x080e00;
  return sleeps;
}

void Transfer::look_at_addresses() noexcept {
  if (connected() || flow_.paused()) return;
  curl_easy_pause(handle_.get(), CURLPAUSE_RECV);
  curl_easy_pause(handle_.get(), CURLPAUSE_CONT);
}

Transfer* Transfer::of(CURL* handle) noexcept {
  void* transfer{};
  curl_easy_getinfo(handle, CURLINFO_PRIVATE, &transfer);
  return static_cast<Transfer*>(transfer);
}

void Transfer::give_up(const char* why) noexcept {
  try {
    fail(ErrorKind::connection, why);
    at_.failure->retryable = true;
  } catch (...) {  // no memory: the code says as much
  }
  set_result(CURLE_OUT_OF_MEMORY);
}

void Transfer::after_round() noexcept {
  if (!sending() || !current_.sink) return;
  try {
    look_for_sent();
  } catch (...) {
    current_.exception = std::current_exception();
    current_.sink = nullptr;
    set_result(CURLE_ABORTED_BY_CALLBACK);
  }
}

void Transfer::look_for_sent() {
  // libcurl before 8 has no callback for this, but the counters show that the head and the whole body were
  // sent.
  const auto uploaded = uploaded_bytes();
  if (handle_.info<long>(CURLINFO_REQUEST_SIZE) > 0 && uploaded >= current_.request.body.size()) {
    tell_sent();
  } else if (uploaded > std::exchange(at_.uploaded, uploaded)) {
    tell().on_sending();
  }
}

/// Called when the answer's body begins: a request that was sent is not sent again. A long prompt need not be
/// kept while its answer arrives, nor the headers of request and answer of one stream among many; those of a
/// single stream are memory that the next exchange reuses.
void Transfer::release_unneeded() noexcept {
  if (uploaded_bytes() < current_.request.body.size()) return;
  current_.request.body = {};
  if (!current_.in_crowd) return;
  handle_.release_headers();
  head_.release_headers();
}

std::optional<Error> Transfer::outcome() {
  if (current_.exception) std::rethrow_exception(std::exchange(current_.exception, nullptr));
  if (at_.failure) return std::move(*std::exchange(at_.failure, nullptr));
  return *at_.result == CURLE_OK && head_.complete() ? std::nullopt : error_of(curl_outcome());
}

CurlOutcome Transfer::curl_outcome() const noexcept {
  const auto begun = head_.head().status != 0 ? HeadPart::begun : HeadPart::none;
  return {.code = *at_.result,
          .text = handle_.text(),
          .place = handle_.place(),
          .unix_socket = network_.unix_socket(),
          .default_ca_file = network_.default_ca_file(),
          .os_error = static_cast<int>(handle_.info<long>(CURLINFO_OS_ERRNO)),
          .socket_error = attempts_.problem,
          .proxy_status = handle_.info<long>(CURLINFO_HTTP_CONNECTCODE),
          .proxy_error = handle_.info<long>(CURLINFO_PROXY_ERROR),
          .has_proxy_user = network_.has_proxy_user(),
          .is_secure = handle_.is_secure(),
          .connected = connected(),
          .on_own_connection = handle_.has_own_connection(),
          .sent = at_.sent,
          .head = head_.complete() ? HeadPart::whole : begun,
          .taken = std::chrono::microseconds(handle_.info<curl_off_t>(CURLINFO_TOTAL_TIME_T)),
          .connect_limit = current_.options.connect};
}

/// libcurl sets the time of the TCP connection only together with that of TLS.
std::string_view Transfer::obstacle() const noexcept {
  if (connected()) return {};
  if (handle_.info<curl_off_t>(CURLINFO_NAMELOOKUP_TIME_T) == 0) {
    return network_.multiplexes() ? "" : "the name was not resolved";
  }
  const bool by_proxy = network_.may_use_proxy();
  if (handle_.is_secure()) {
    return by_proxy ? "TCP, a proxy's tunnel or TLS did not come about" : "TCP or TLS did not come about";
  }
  return by_proxy ? "TCP or a proxy's tunnel did not come about" : "nobody took the connection";
}

bool Transfer::may_wait_for(const Transfer& other) const noexcept {
  const bool is_looking = !connected() && !at_.result && !at_.chose_again && handle_.is_secure() &&
                          handle_.info<curl_off_t>(CURLINFO_NAMELOOKUP_TIME_T) == 0;
  return is_looking && other.handle_.is_secure() && handle_.place() == other.handle_.place();
}

/// Runs a libcurl callback: no exception may pass through C. Returns whether the exchange continues.
template <class F>
bool Transfer::guarded(F&& callback) noexcept {
  bool goes_on = false;
  try {
    goes_on = callback();
  } catch (...) {
    current_.exception = std::current_exception();
    current_.sink = nullptr;
  }
  if (!goes_on) handle_.set_forbids_reuse(true);
  return goes_on;
}

bool Transfer::fail(ErrorKind kind, std::string detail) {
  at_.failure = std::make_unique<Error>(Error{.kind = kind, .detail = std::move(detail)});
  return false;
}

bool Transfer::fail_broken(TimePoint::duration held) {
  fail(ErrorKind::connection, "the connection (" + handle_.place() + ") broke without an answer after " +
                                  std::to_string(std::chrono::round<Duration>(held).count()) + " ms");
  at_.failure->cause = ErrorCause::broken;
  at_.failure->retryable = true;
  return false;
}

/// Whether the request may be sent on the connection that libcurl chose. If a reused one breaks without an
/// answer, or the server refuses the stream, libcurl silently repeats the request up to five times. That is
/// allowed only after a stale connection, once and on a new one; otherwise the caller decides, who may have
/// to pay for each request.
bool Transfer::take_connection(int local_port) {
  handle_.set_looks_up_again(false);  // a connection that was there, or an address that is pinned
  const auto now = std::chrono::steady_clock::now();
  const auto broken = at_.connection;
  if (broken && (broken->is_new || now - broken->since > longest_stale))
    return fail_broken(now - broken->since);
  const ChosenConnection chosen(sockets_, local_port, handle_.has_own_connection());
  // Whichever broke: the connection that this request was sent on, or the caller's earlier one.
  const auto since = broken ? Optional<TimePoint>(broken->since) : current_.options.connected_since;
  at_.stale = !chosen.is_new(since) || chosen.holds_other_bytes(may_be_http2());
  if (at_.stale) return false;
  at_.connection = {.since = now, .local_port = local_port, .is_new = broken || chosen.is_own()};
  chosen.limit_unacknowledged(network_.unacknowledged_limit());
  if (!broken) tell_connected();
  return true;
}

void Transfer::tell_connected() {
  if (!current_.sink) return;
  want_attention();
  if (std::exchange(current_.told_connected, true)) return;  // repeated at another place
  tell().on_connected();
}

void Transfer::tell_sent() {
  if (std::exchange(at_.sent, true) || !current_.sink) return;
  if (std::exchange(current_.told_sent, true)) return tell().on_sending();  // repeated at another place
  tell().on_sent();
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
  return fail(ErrorKind::too_large, std::string("the answer's head ") +
                                        (head_.complete() ? "and trailers are" : "is") + " larger than " +
                                        std::to_string(HeadReader::max_bytes) + " bytes");
}

bool Transfer::take_head() {
  // An answer may come before the whole request was sent; then sending ends here.
  tell_sent();
  handle_.set_forbids_reuse(false);
  // ALPN's choice, which libcurl does not tell: see ChosenConnection::holds_other_bytes.
  if (may_be_http2() && head_.head().http_version.starts_with('1')) {
    sockets_.note_http1(at_.connection->local_port);
  }
  if (!current_.sink) return true;
  const bool may_follow = !current_.request.confidential && current_.redirects < network_.max_redirects();
  if (head_.head().status / 100 == 3 && may_follow) {
    if (auto place = redirect_of(current_.request.method, handle_.url(), head_.head())) {
      at_.redirect = std::make_unique<std::string>(*std::move(place));
      return true;
    }
  }
  head_.set_connection_reused(!handle_.has_own_connection());
  tell().on_head(head_.head());
  if (!current_.options.max_body_bytes || current_.request.method == "HEAD") return true;
  const auto length = head_.longer_than(*current_.options.max_body_bytes);
  if (!length) return true;
  return fail(ErrorKind::too_large, "the answer says that it has " + std::to_string(*length) +
                                        " bytes, and " + std::to_string(*current_.options.max_body_bytes) +
                                        " are allowed");
}

bool Transfer::take_body(std::string_view bytes) {
  if (!current_.sink || redirected()) {
    at_.thrown_away += bytes.size();
    return at_.thrown_away <= max_thrown_away;
  }
  // libcurl may take lines for a head in which HeadReader finds no status.
  if (!head_.complete()) return fail(ErrorKind::connection, "the answer is not HTTP: its head has no status");
  if (current_.body_bytes == 0) release_unneeded();
  current_.body_bytes += bytes.size();
  if (current_.options.max_body_bytes && current_.body_bytes > *current_.options.max_body_bytes) {
    return fail(ErrorKind::too_large, larger_than_allowed(*current_.options.max_body_bytes));
  }
  tell().on_body(bytes);
  if (flow_.take(bytes.size())) want_attention();
  return true;
}

std::size_t Transfer::on_header(char* bytes, std::size_t, std::size_t size, void* self) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  const bool goes_on = transfer.guarded([&] { return transfer.take_header({bytes, size}); });
  // The next line is shown to on_remark first.
  if (transfer.head_.expects_first_header() && misjoins_first_lines())
    transfer.handle_.set(CURLOPT_VERBOSE, 1L);
  return goes_on ? size : 0;
}

std::size_t Transfer::on_write(char* bytes, std::size_t, std::size_t size, void* self) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  // libcurl 8.14 reads on if it was paused outside its callbacks; it obeys this return value.
  if (transfer.flow_.paused()) return CURL_WRITEFUNC_PAUSE;
  return transfer.guarded([&] { return transfer.take_body({bytes, size}); }) ? size : 0;
}

int Transfer::on_remark(CURL*, curl_infotype type, char* bytes, std::size_t size, void* self) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  if (type == CURLINFO_HEADER_IN && transfer.head_.expects_first_header() && misjoins_first_lines()) {
    // A line with an empty name is left out by HeadReader, and no part of another.
    if (ascii::is_blank(*bytes)) *bytes = ':';
    if (transfer.wire_ == nullptr) transfer.handle_.set(CURLOPT_VERBOSE, 0L);
  }
  if (transfer.wire_ == nullptr) return 0;
  try {
    write_remark(*transfer.wire_, type, {bytes, size}, transfer.current_.request);
  } catch (...) {  // a message for which there is no memory is dropped
  }
  return 0;
}

/// libcurl has forgotten the name's old addresses, and keeps those of other names.
int Transfer::on_lookup(void*, void*, void* self) noexcept {
  static_cast<Transfer*>(self)->handle_.set_looks_up_again(false);
  return 0;
}

/// Ends an exchange that a proxy has refused: libcurl would first read the body of the proxy's answer, byte
/// by byte and, while there are more, without a look at its timers or its other transfers.
int Transfer::on_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) noexcept {
  const auto& handle = static_cast<const Transfer*>(self)->handle_;
  return is_refused_tunnel(handle.info<long>(CURLINFO_HTTP_CONNECTCODE)) ? 1 : 0;
}

int Transfer::on_connected(void* self, char*, char*, int, int local_port) noexcept {
  auto& transfer = *static_cast<Transfer*>(self);
  return transfer.guarded([&] { return transfer.take_connection(local_port); }) ? CURL_PREREQFUNC_OK
                                                                                : CURL_PREREQFUNC_ABORT;
}

}  // namespace inferwire::inline v0_1::http
