/// \file
/// The HTTP layer. `Client` uses the libcurl transport unless it is given another: the embedded engine's, a
/// test's script, or one of your own.
///
/// The contract that every transport keeps (tests/contract checks it):
///  - `start` starts no thread; an exchange makes progress only while some thread is in its `drive`.
///  - The sink is called on the thread that drives, from within `drive` only: on_connected, on_sending any
///    number of times, on_sent, on_head once, on_body any number of times, on_end once and last. Bytes are
///    valid until the call returns. An answer is not an error, whatever its status.
///  - While it is being called, a sink may pause, resume or release its exchange, but neither drive nor
///    destroy it. An exception from it ends the exchange and is rethrown by `drive`.
///  - If `start`, `drive` or `multiplexer` throws, a client treats that as the end of the exchange:
///    Error{connection}. Nothing else may throw.
///  - `drive` returns as soon as something was delivered, at the deadline, after `Transport::wake` or
///    `Exchange::wake`, or at the end.
///  - Destroying an exchange cancels it: the connection is closed at once and the sink is not called again.
///  - Exchanges do not disturb each other: one that is paused, slow or destroyed does not affect the others.
///  - An exchange may outlive its transport.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/export.hpp"
#include "inferwire/headers.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"
#include "inferwire/timeouts.hpp"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace inferwire::inline v0_1 {

/// The body of a request. Copies share its text, which is immutable: another attempt costs no memory, however
/// long the prompt is.
class INFERWIRE_API RequestBody {
 public:
  /// No body.
  RequestBody() = default;
  /// Takes ownership of the text.
  RequestBody(std::string text);
  /// Empty for a null pointer; nullptr itself is rejected.
  RequestBody(const char* text) : RequestBody(std::string(text != nullptr ? text : "")) {}
  RequestBody(std::nullptr_t) = delete;

  /// The text, valid as long as any copy of the body.
  const std::string& text() const noexcept INFERWIRE_LIFETIMEBOUND;
  operator const std::string&() const noexcept INFERWIRE_LIFETIMEBOUND { return text(); }
  operator std::string_view() const noexcept INFERWIRE_LIFETIMEBOUND { return text(); }
  bool empty() const noexcept { return !text_; }
  /// In bytes.
  std::size_t size() const noexcept { return text().size(); }
  /// Never nullptr.
  const char* data() const noexcept INFERWIRE_LIFETIMEBOUND { return text().data(); }
  const char* begin() const noexcept INFERWIRE_LIFETIMEBOUND { return data(); }
  const char* end() const noexcept INFERWIRE_LIFETIMEBOUND { return data() + size(); }

  friend bool operator==(const RequestBody& one, const RequestBody& other) {
    return one.text() == other.text();
  }
  template <class Text>
    requires(!std::is_same_v<Text, RequestBody> && std::is_convertible_v<const Text&, std::string_view>)
  friend bool operator==(const RequestBody& body, const Text& text) {
    return std::string_view(body) == std::string_view(text);
  }
  /// Writes the text.
  template <class Traits>
  friend std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                                      const RequestBody& body) {
    return out << body.text();
  }

 private:
  std::shared_ptr<const std::string> text_{};  // nullptr: empty
};

/// An HTTP request, as it is sent.
struct HttpRequest {
  std::string method{"POST"};
  std::string url{};  ///< absolute: scheme, host, path and query
  std::vector<Header> headers{};
  RequestBody body{};
  /// Whether the request fetches a credential: its body and that of its answer are secret and must be neither
  /// recorded nor logged.
  bool confidential{false};

  friend bool operator==(const HttpRequest&, const HttpRequest&) = default;
};

/// The status line and the headers of an answer.
struct ResponseHead {
  int status{};
  std::string reason{};        ///< the reason phrase; HTTP/2 has none
  std::string http_version{};  ///< "1.1", "2"; empty for an answer in process
  Headers headers{};
  /// Whether the answer came over a connection that was made for another request. Absent if the transport
  /// does not say.
  Optional<bool> connection_reused{};
};

/// Receives the events of an exchange.
class INFERWIRE_API Sink {
 public:
  virtual ~Sink();

  /// The connection is established, new or reused.
  virtual void on_connected() {}
  /// More of the request has been sent, but not all of it yet: a large request is making progress. Also
  /// called after `on_sent` when a redirect is followed. Optional: a transport that cannot tell need not call
  /// it.
  virtual void on_sending() {}
  /// The whole request has been sent, or the answer began before that.
  virtual void on_sent() {}
  /// Status and headers of the answer; valid during the call.
  virtual void on_head(const ResponseHead& head) = 0;
  /// A piece of the body, of any size; valid during the call.
  virtual void on_body(std::string_view bytes) = 0;
  /// The answer is complete (nullptr), or the exchange failed: an Error of kind connection, tls, timeout (no
  /// connection within ExchangeOptions::connect), too_large or config. Its `retryable` says whether the same
  /// request may succeed if repeated; a client then retries. Its `cause` is for the program.
  virtual void on_end(const Error* failure) = 0;
};

/// Why `drive` returned.
enum class Progress : std::uint8_t {
  delivered,  ///< the sink was called
  deadline,   ///< nothing happened until the deadline
  woken,      ///< `Transport::wake` or `Exchange::wake` was called
  ended,      ///< on_end has been called, now or before
};

/// One HTTP request and its answer. Used by one thread at a time, except `wake`.
class INFERWIRE_API Exchange {
 public:
  virtual ~Exchange();

  /// Advances the exchange on the calling thread; see the contract above. With a deadline in the past it does
  /// not wait.
  virtual Progress drive(TimePoint deadline) = 0;

  /// Stops delivering body bytes until `resume`; a few that are in flight may still be delivered.
  virtual void pause() = 0;
  /// Continues delivering body bytes.
  virtual void resume() = 0;

  /// The time at which `drive` may next have something to deliver, if that depends on time alone: a time in
  /// the past means now, TimePoint::max() not before `resume`. Absent: unknown; a loop that drives several
  /// exchanges then polls every millisecond, of real time where the transport is remote. Where nothing is
  /// remote, a clock that jumps may jump from there to the next deadline.
  virtual Optional<TimePoint> due() const { return {}; }

  /// What currently prevents the connection, in words for an error: "the name was not resolved". Empty:
  /// nothing, or unknown.
  virtual std::string_view obstacle() const noexcept { return {}; }

  /// Makes `drive` of this exchange return Progress::woken, as `Transport::wake` does for all exchanges: the
  /// call in progress, or else the next. This is the only function that another thread may call, as long as
  /// the exchange lives. Returns whether it is supported; if not, the transport is woken instead. Called
  /// under a lock, as `Transport::wake` is.
  virtual bool wake() noexcept { return false; }

  /// The client has recognised the end of the answer and needs nothing more, but the connection may be kept.
  /// Afterwards the sink is not called; the destructor need not close the connection.
  virtual void release() {}

  /// The client has read an error in the answer, or cannot read the answer, and needs nothing more: the
  /// exchange is destroyed next, which closes the connection. Lets a transport that keeps answers, such as a
  /// Recorder, distinguish this from an answer that its reader abandoned.
  virtual void reject() {}
};

/// Options of one exchange.
struct ExchangeOptions {
  /// The largest body, in bytes; absent for streams, whose events are limited instead.
  Optional<std::uint64_t> max_body_bytes{};
  /// How long the caller waits for the connection. Normally the caller's own timer ends the wait; the
  /// transport uses this to try the next address of a host in time. Absent: no limit.
  Optional<Duration> connect{};
  /// The earliest time at which the connection may have been begun: at this time another one broke or stayed
  /// silent, and older idle connections may be just as dead. Absent: any connection may be used. A transport
  /// without connections ignores it.
  Optional<TimePoint> connected_since{};
};

class Multiplexer;
namespace detail {
class CurlTransport;
}

/// Starts exchanges. Safe from any thread.
class INFERWIRE_API Transport {
 public:
  virtual ~Transport();

  /// Starts an exchange. `sink` must outlive it. Errors: config (a URL or header that cannot be sent),
  /// invalid_request (a method that cannot be sent, or a HEAD request with a body).
  virtual Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                                  const ExchangeOptions& options) = 0;

  /// Makes `drive` of every exchange of this transport return Progress::woken: the call in progress, or else
  /// the next. So no wake is lost between checking a flag and the following drive, even if other threads
  /// drive meanwhile. Code that waits for a flag checks it after `start` and after every `drive`. From any
  /// thread, and under a lock: it may wake other transports and exchanges, but must not call anything else of
  /// the library, nor wait for a thread that does.
  virtual void wake() noexcept = 0;

  /// For an event loop: a Multiplexer that advances many exchanges of this transport together. nullptr: there
  /// is nothing better than `drive`, and the loop drives them in turn.
  virtual std::unique_ptr<Multiplexer> multiplexer();

  /// Whether requests leave the process, and waiting uses the machine's clock. A client then needs the
  /// address and the key of a service, and errors say which is missing. False by default, true for
  /// `network_transport()`; a transport with a network of its own should return true, one that wraps another
  /// what that one returns.
  virtual bool is_remote() const noexcept;

 private:
  friend class detail::CurlTransport;
  /// `this`, if it is the library's own transport over libcurl. Not found by a cast, since a program may be
  /// built with -fno-rtti.
  virtual const detail::CurlTransport* as_curl_transport() const noexcept;
};

/// Advances many exchanges of one transport on one thread. Driving any exchange that it started advances them
/// all. Used by one thread at a time, except `wake`.
class INFERWIRE_API Multiplexer : public Transport {
 public:
  /// Advances every exchange that can make progress; if none can, waits for one, a wake, or the deadline.
  /// Sinks are called from within it. If a sink throws, its exchange ends.
  virtual void run(TimePoint deadline) = 0;
  /// Returns a transport that starts exchanges like those of `other`, which this multiplexer then advances
  /// too. nullptr: not possible.
  virtual std::unique_ptr<Transport> adopt(Transport& other);
};

}  // namespace inferwire::inline v0_1
