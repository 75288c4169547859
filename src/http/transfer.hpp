/// \file
/// A libcurl handle and the HTTP exchange that it currently carries.
#pragma once

#include "http/curl_error.hpp"
#include "http/curl_handle.hpp"
#include "http/curl_share.hpp"
#include "http/flow.hpp"
#include "http/head_reader.hpp"
#include "http/network_setup.hpp"
#include "http/sockets.hpp"
#include "inferwire/log.hpp"
#include "inferwire/transport.hpp"

#include <curl/curl.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::http {

/// Implemented by an exchange among many on one thread: notified when a transfer needs more than socket
/// events.
class Attendant {
 public:
  virtual ~Attendant() = default;
  virtual void attend() noexcept = 0;
};

/// Kept for later exchanges, in order to reuse its handle. Used by one thread at a time.
class Transfer {
 public:
  /// `wire` receives libcurl's messages; nullptr: they are not logged.
  Transfer(const CurlShare& share, const NetworkSetup& network, Sockets& sockets, Log* wire = nullptr);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  CURL* handle() const noexcept { return handle_.get(); }
  /// The transfer with this handle; nullptr if the handle is one of libcurl's own.
  static Transfer* of(CURL* handle) noexcept;

  /// Whether libcurl has taken every option so far.
  bool usable() const noexcept { return handle_.problem() == CURLE_OK; }

  /// Prepares an exchange. `attendant` is notified when a round, or a look after one, is needed; nullptr:
  /// nobody is. `in_crowd`: it is one of very many, so that memory matters more than speed. Errors: config.
  Result<void> begin(HttpRequest&& request, Sink& sink, const ExchangeOptions& options,
                     Attendant* attendant = nullptr, bool in_crowd = false);
  /// Asked when there is a result: whether the request must be repeated without the sink noticing. It was
  /// redirected within the same origin, or the connection was unfit for reuse.
  bool starts_over() const noexcept {
    return current_.sink != nullptr && (redirected() || at_.stale || broke_on_reuse());
  }
  /// Prepares the repetition. Errors: config.
  [[gnu::cold]] Result<void> begin_again();
  /// Stops calling the sink and the attendant; the rest of the body is discarded, up to a limit.
  void detach() noexcept {
    current_.sink = nullptr;
    current_.attendant = nullptr;
  }
  /// Detaches an exchange without a result and ends it; the server learns of it at once.
  void abandon() noexcept;
  /// Called after libcurl has released the exchange; frees its memory.
  void finish() noexcept;

  void pause() noexcept { flow_.pause(); }
  void resume() noexcept;
  /// Does what had to wait until the exchange is driven. Must be called before a round that it wants; before
  /// any other, it lets that deliver as much as one may.
  void before_round() noexcept;
  /// Must be called after every round.
  void after_round() noexcept;

  /// Whether this libcurl tries the next address of a host only when called for another reason: 7.88 does,
  /// 8.14 does not.
  static bool libcurl_sleeps_over_addresses() noexcept;
  /// How long it may sleep.
  static constexpr std::chrono::milliseconds address_sleep{200};
  /// Makes libcurl try further addresses in its next round, unless it is connected.
  void look_at_addresses() noexcept;

  /// Whether the sink has been called since this was last asked.
  bool take_heard() noexcept { return std::exchange(current_.heard, false); }
  /// Whether a round is due without waiting for the socket.
  bool wants_round() const noexcept { return flow_.wants_round(); }
  /// Whether `after_round` waits for something.
  bool sending() const noexcept { return at_.connection && !at_.sent; }
  bool connected() const noexcept { return at_.connection.has_value(); }
  /// Why it is not connected, as text; empty: it is connected, or waits for another exchange's connection.
  std::string_view obstacle() const noexcept;
  /// Whether it is connected, and was the first to use its connection.
  bool has_new_connection() const noexcept { return at_.connection && at_.connection->is_new; }
  /// Whether it may wait to share the connection of `other`, which was begun before.
  bool may_wait_for(const Transfer& other) const noexcept;
  /// Notes that libcurl chooses a connection again: it then waits for no other's.
  void note_choice() noexcept { at_.chose_again = true; }
  bool has_head() const noexcept { return head_.complete(); }

  /// How libcurl ended the exchange; set by the reactor.
  void set_result(CURLcode code) noexcept {
    at_.result = code;
    want_attention();
  }
  bool has_result() const noexcept { return at_.result.has_value(); }
  /// Fails the exchange; the driver removes it.
  [[gnu::cold]] void give_up(const char* why) noexcept;
  /// The error for the result; nothing for a complete answer. Rethrows an exception from the sink.
  std::optional<Error> outcome();

 private:
  friend class CurlShard;

  /// The current exchange.
  struct CurrentExchange {
    HttpRequest request{};
    ExchangeOptions options{};
    Sink* sink{};
    Attendant* attendant{};
    std::exception_ptr exception{};  ///< an exception from the sink
    std::uint64_t body_bytes{};
    int redirects{};  ///< followed so far
    bool in_crowd{};
    // What the sink has been notified of, at any place.
    bool told_connected{};
    bool told_sent{};
    bool heard{};
  };

  /// The connection that the request is sent on.
  struct Connection {
    TimePoint since{};
    int local_port{};  ///< 0: none, or a Unix socket
    bool is_new{};     ///< made for the request, or after another one broke
  };

  /// The progress at the current URL.
  struct AtPlace {
    std::optional<Connection> connection{};
    std::uint64_t uploaded{};  ///< bytes of the request's body
    std::uint64_t thrown_away{};
    std::unique_ptr<Error> failure{};         ///< why a callback stopped it
    std::unique_ptr<std::string> redirect{};  ///< the URL to continue at; nullptr: none
    std::optional<CURLcode> result{};
    bool chose_again{};  ///< a connection, since the one that it waited for cannot be shared
    bool stale{};        ///< the connection was unfit for reuse
    bool sent{};
  };

  void set_up(const CurlShare& share);
  Result<void> set_request(bool on_new_connection = false);
  void release_unneeded() noexcept;
  std::uint64_t uploaded_bytes() const noexcept {
    return static_cast<std::uint64_t>(handle_.info<curl_off_t>(CURLINFO_SIZE_UPLOAD_T));
  }
  /// Asks libcurl for much.
  [[gnu::cold]] CurlOutcome curl_outcome() const noexcept;
  bool take_connection(int local_port);
  bool broke_on_reuse() const noexcept;
  /// Whether other exchanges may use the connection at the same time.
  bool may_be_http2() const noexcept { return network_.multiplexes() && handle_.is_secure(); }
  bool redirected() const noexcept { return at_.redirect != nullptr; }

  void want_attention() noexcept {
    if (current_.attendant != nullptr) current_.attendant->attend();
  }
  template <class F>
  bool guarded(F&& callback) noexcept;
  [[gnu::cold]] bool fail(ErrorKind kind, std::string detail);
  [[gnu::cold]] bool fail_broken(TimePoint::duration held);
  /// The sink, which is about to be called.
  Sink& tell() noexcept {
    current_.heard = true;
    return *current_.sink;
  }
  void tell_connected();
  void look_for_sent();
  void tell_sent();
  bool take_header(std::string_view line);
  bool take_head();
  bool take_body(std::string_view bytes);

  static std::size_t on_header(char* bytes, std::size_t, std::size_t size, void* self) noexcept;
  static std::size_t on_write(char* bytes, std::size_t, std::size_t size, void* self) noexcept;
  static int on_remark(CURL*, curl_infotype type, char* bytes, std::size_t size, void* self) noexcept;
  static int on_lookup(void*, void*, void* self) noexcept;
  static int on_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) noexcept;
  static int on_connected(void* self, char*, char*, int, int) noexcept;

  const NetworkSetup& network_;
  Sockets& sockets_;
  Sockets::Attempts attempts_{sockets_};
  Log* wire_;
  CurlHandle handle_;

  CurrentExchange current_;
  AtPlace at_;
  HeadReader head_;  // keeps its memory for the next exchange
  Flow flow_;        // of the handle above

  // Bookkeeping of its shard.
  static constexpr std::size_t not_connecting = static_cast<std::size_t>(-1);
  std::size_t place_{not_connecting};  // among the shard's transfers that connect
};

}  // namespace inferwire::inline v0_1::http
