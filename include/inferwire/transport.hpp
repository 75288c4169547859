/// \file
/// HTTP as this library sees it. `Client` uses the libcurl transport unless it is given another one: the
/// embedded engine's, a test's script, or one of your own.
///
/// The drive contract, which every transport keeps (tests/contract checks it):
///  - `start` begins nothing that needs a thread of its own; an exchange moves while some thread is in its
///    `drive`.
///  - The sink hears, on the thread that drives and from within `drive` only: on_connected, on_sending any
///    number of times, on_sent, on_head once, on_body any number of times, on_end once as the last. Bytes are
///    valid until the call returns. An answer of any status is not an error.
///  - A sink may pause, resume or release its exchange while it is being told something, but neither drive it
///    nor destroy it. What it throws ends the exchange and comes out of `drive`.
///  - What `start`, `drive` and `multiplexer` throw, a client takes for the end of that exchange:
///    Error{connection}. Nothing else may throw.
///  - `drive` returns as soon as something was delivered, at the deadline, after `Transport::wake`, or at the
///    end.
///  - Destroying an exchange cancels it: the connection is closed at once and the sink hears nothing more.
///  - Exchanges do not disturb each other: one that is paused, slow or destroyed leaves the others alone.
///  - An exchange may outlive its transport.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "inferwire/error.hpp"
#include "inferwire/export.hpp"
#include "inferwire/headers.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"
#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1 {

/// The body of a request. Copies share its text, which does not change: another attempt costs no memory,
/// however long the prompt is.
class INFERWIRE_API RequestBody {
 public:
  /// No body.
  RequestBody() = default;
  /// Takes the text over.
  RequestBody(std::string text);
  RequestBody(const char* text) : RequestBody(std::string(text)) {}

  /// The text, valid as long as a copy of the body.
  const std::string& text() const noexcept;
  operator const std::string&() const noexcept { return text(); }
  operator std::string_view() const noexcept { return text(); }
  bool empty() const noexcept { return !text_; }
  /// In bytes.
  std::size_t size() const noexcept { return text().size(); }
  /// Never nullptr.
  const char* data() const noexcept { return text().data(); }
  const char* begin() const noexcept { return data(); }
  const char* end() const noexcept { return data() + size(); }

  friend bool operator==(const RequestBody& one, const RequestBody& other) {
    return one.text() == other.text();
  }
  template <class Text>
    requires(!std::is_same_v<Text, RequestBody> && std::is_convertible_v<const Text&, std::string_view>)
  friend bool operator==(const RequestBody& body, const Text& text) {
    return std::string_view(body) == std::string_view(text);
  }

 private:
  std::shared_ptr<const std::string> text_{};  // nullptr: empty
};

/// A request as it is sent.
struct HttpRequest {
  std::string method{"POST"};
  std::string url{};  ///< absolute: scheme, host, path and query
  std::vector<Header> headers{};
  RequestBody body{};
  /// It fetches a credential: its body and its answer's are secrets, which must be neither recorded nor
  /// logged.
  bool confidential{false};
};

/// The status line and the headers of an answer.
struct ResponseHead {
  int status{};
  std::string reason{};        ///< the reason phrase; HTTP/2 has none
  std::string http_version{};  ///< "1.1", "2"; empty in process
  Headers headers{};
};

/// Who listens to an exchange.
class INFERWIRE_API Sink {
 public:
  virtual ~Sink();

  /// The connection stands, new or used before.
  virtual void on_connected() {}
  /// More of the request has left, and not all of it yet: a long one moves. Comes behind `on_sent`, too,
  /// where a redirect is followed. A transport that cannot tell does not call it.
  virtual void on_sending() {}
  /// The whole request has left; where an answer comes before that, the answer began.
  virtual void on_sent() {}
  /// Status and headers of the answer.
  virtual void on_head(const ResponseHead& head) = 0;
  /// A piece of the body, of any size; valid during the call.
  virtual void on_body(std::string_view bytes) = 0;
  /// The answer is whole (nullptr), or broke: Error of kind connection, tls, timeout (no connection within
  /// ExchangeOptions::connect), too_large or config. Its `retryable` says whether the same request may fare
  /// better at once: a client then tries again.
  virtual void on_end(const Error* failure) = 0;
};

/// Why `drive` returned.
enum class Progress : std::uint8_t {
  delivered,  ///< the sink heard something
  deadline,   ///< nothing until the deadline
  woken,      ///< somebody called `Transport::wake`
  ended,      ///< on_end has been called, now or before
};

/// One HTTP request and its answer. Used by one thread at a time.
class INFERWIRE_API Exchange {
 public:
  virtual ~Exchange();

  /// Moves the exchange on the calling thread; see the contract above. A deadline in the past only looks.
  virtual Progress drive(TimePoint deadline) = 0;

  /// Stops the flow of body bytes until `resume`; a few that are under way may still be delivered.
  virtual void pause() = 0;
  /// Lets it flow again.
  virtual void resume() = 0;

  /// When `drive` may next have something to deliver, as far as that is a matter of time alone: the past for
  /// at once, TimePoint::max() for not before `resume`. Absent: nobody can say; a loop that drives several
  /// then looks every millisecond.
  virtual Optional<TimePoint> due() const { return {}; }

  /// The answer's end has been understood: nothing more is wanted, but the connection may be kept. Afterwards
  /// the sink hears nothing; the destructor need not close the connection.
  virtual void release() {}
};

/// Options of one exchange.
struct ExchangeOptions {
  /// The body may not grow beyond this many bytes; std::nullopt for streams, which are bounded by event.
  Optional<std::uint64_t> max_body_bytes{};
  /// How long the caller waits for the connection, whose own timer ends it then, as a rule: a host with
  /// several addresses is tried at the next one in good time. Absent: for any time.
  Optional<Duration> connect{};
};

class Multiplexer;
namespace http {
class CurlTransport;
}

/// Starts exchanges. Safe from any thread.
class INFERWIRE_API Transport {
 public:
  virtual ~Transport();

  /// Begins an exchange. `sink` must outlive it. Errors: config (a URL or header that cannot be sent).
  virtual Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                                  const ExchangeOptions& options) = 0;

  /// Makes the drive of every exchange of this transport return Progress::woken: the one under way, or else
  /// the next. So no wake is lost between a look at a flag and the drive that follows, whoever else drives
  /// meanwhile. Whoever waits for a flag looks at it after `start` and after every drive. From any thread.
  virtual void wake() noexcept = 0;

  /// For an event loop: moves many exchanges of this transport together. nullptr: it has nothing better than
  /// `drive`, and the loop drives them in turns.
  virtual std::unique_ptr<Multiplexer> multiplexer();

  /// Whether a request leaves the process, and waits by the machine's clock: a client then needs the address
  /// and the key of a service, and errors say which is missing. No by default; `network_transport()` says
  /// yes, and what goes around another transport had better say what that one says.
  virtual bool is_remote() const noexcept;

 private:
  friend class http::CurlTransport;
  /// This, where it is the library's own over libcurl. Nobody casts: classes of a program that is built with
  /// -fno-rtti do not say what they are.
  virtual const http::CurlTransport* as_curl_transport() const noexcept;
};

/// Moves many exchanges of one transport on one thread. Driving one of those it started moves them all. Used
/// by one thread at a time, but for `wake`.
class INFERWIRE_API Multiplexer : public Transport {
 public:
  /// Moves all that can move; where nothing can, waits until something does, a wake, or the deadline. Sinks
  /// hear what they hear from within it. A sink that throws has its exchange ended.
  virtual void run(TimePoint deadline) = 0;
  /// Has exchanges of `other` moved by this one as well: where those are started. nullptr: it cannot.
  virtual std::unique_ptr<Transport> adopt(Transport& other);
};

}  // namespace inferwire::inline v0_1
