/// \file
/// One libcurl handle and the HTTP exchange that it carries at the time.
#pragma once

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

#include "http/curl_error.hpp"
#include "http/curl_handle.hpp"
#include "http/curl_share.hpp"
#include "http/flow.hpp"
#include "http/head_reader.hpp"
#include "http/loop/sockets.hpp"
#include "http/network_setup.hpp"
#include "inferwire/log.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::http {

/// Who carries an exchange among many on one thread: told that it wants more than its socket's news.
class Attendant {
 public:
  virtual ~Attendant() = default;
  virtual void attend() noexcept = 0;
};

/// Kept for the next exchange, for the sake of its handle. Used by one thread at a time.
class Transfer {
 public:
  /// `wire` hears what libcurl has to say; nullptr: nobody does.
  Transfer(const CurlShare& share, const NetworkSetup& network, Sockets& sockets, Log* wire = nullptr);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  CURL* handle() const noexcept { return handle_.get(); }
  /// The one that has this handle; nullptr: it is one of libcurl's own.
  static Transfer* of(CURL* handle) noexcept;

  /// Whether libcurl has taken every option so far.
  bool usable() const noexcept { return handle_.problem() == CURLE_OK; }

  /// Who is to be told when it wants a round, or a look after one; nullptr: nobody need be.
  void set_attendant(Attendant* attendant) noexcept { current_.attendant = attendant; }
  /// The next exchange is one of very many: memory goes before speed.
  void set_in_crowd(bool in_crowd) noexcept { current_.in_crowd = in_crowd; }

  /// Prepares an exchange. Errors: config.
  Result<void> begin(HttpRequest request, Sink& sink, const ExchangeOptions& options);
  /// Whether the request is to be made once more, of which the sink has heard nothing: the answer sends its
  /// client to another place of the same origin, or the connection was not fit to be used again.
  bool starts_over() const noexcept { return redirected() || current_.stale; }
  /// Prepares it anew. Errors: config.
  Result<void> begin_again(Sink& sink);
  /// The sink hears nothing more; a body that still comes is thrown away, up to a bound.
  void detach() noexcept { current_.sink = nullptr; }
  /// Ends the exchange, which goes no further: the server hears of it at once.
  void abandon() noexcept;
  /// libcurl has let go of the exchange; its memory can go too.
  void finish() noexcept;

  void pause() noexcept;
  void resume() noexcept;
  /// To be called before every round, for what has to wait until the driver is at work.
  void before_round() noexcept;
  /// To be called after every round.
  void after_round() noexcept;

  /// Whether this libcurl begins with the next address of a host only when something else has it look: 7.88
  /// does, 8.14 does not.
  static bool libcurl_sleeps_over_addresses() noexcept;
  /// How long it may sleep.
  static constexpr std::chrono::milliseconds address_sleep{200};
  /// Has it look in its next round, unless the connection stands.
  void look_at_addresses() noexcept;

  /// Whether the sink has been called since this was last asked.
  bool take_heard() noexcept { return std::exchange(current_.heard, false); }
  /// Whether a round is due without waiting for the socket.
  bool wants_round() const noexcept { return flow_.wants_round(); }
  /// Whether `after_round` waits for something.
  bool sending() const noexcept { return at_.connected && !at_.sent; }
  bool connected() const noexcept { return at_.connected; }
  /// What keeps it from that, in words; empty: it is connected, or waits for a connection of others.
  std::string_view obstacle() const noexcept;
  bool has_head() const noexcept { return head_.complete(); }

  /// How libcurl ended it; set by the reactor.
  void set_result(CURLcode code) noexcept {
    at_.result = code;
    want_attention();
  }
  bool has_result() const noexcept { return at_.result.has_value(); }
  /// Ends the exchange, which cannot go on; whoever drives removes it.
  void give_up(const char* why) noexcept;
  /// What the result means: nothing for a whole answer. Rethrows what the sink threw.
  std::optional<Error> outcome();

 private:
  /// The exchange under way.
  struct CurrentExchange {
    HttpRequest request{};
    ExchangeOptions options{};
    Sink* sink{};
    Attendant* attendant{};
    std::exception_ptr exception{};  ///< what the sink threw
    std::uint64_t body_bytes{};
    std::unique_ptr<std::string> redirect{};  ///< the place to go on; nullptr: nowhere
    int redirects{};                          ///< followed so far
    bool stale{};                             ///< the connection was not fit to be used
    bool in_crowd{};
    // What the sink has heard, wherever that was.
    bool told_connected{};
    bool told_sent{};
    bool heard{};
  };

  /// How far it has come at the place that is asked at present.
  struct AtPlace {
    TimePoint connected_at{};
    std::uint64_t uploaded{};  ///< how much of the request's body
    std::uint64_t thrown_away{};
    std::unique_ptr<Error> failure{};  ///< why a callback stopped it
    std::optional<CURLcode> result{};
    bool connected{};
    bool on_new{};  ///< the connection was made for it, or after another one broke
    bool sent{};
  };

  void set_up(const CurlShare& share);
  Result<void> set_request();
  void forget_request() noexcept;
  std::uint64_t uploaded_bytes() const noexcept {
    return static_cast<std::uint64_t>(handle_.info<curl_off_t>(CURLINFO_SIZE_UPLOAD_T));
  }
  CurlOutcome curl_outcome() const noexcept;
  bool holds_other_bytes(int local_port) noexcept;
  void limit_unacknowledged(int local_port) noexcept;
  bool is_new(int local_port) noexcept;
  bool take_connection(int local_port);
  bool has_own_connection() const noexcept { return handle_.info<long>(CURLINFO_NUM_CONNECTS) > 0; }
  bool redirected() const noexcept { return current_.redirect != nullptr; }

  void want_attention() noexcept {
    if (current_.attendant != nullptr) current_.attendant->attend();
  }
  template <class F>
  bool guarded(F&& callback) noexcept;
  bool fail(ErrorKind kind, std::string detail);
  void tell_connected();
  void look_for_sent();
  void tell_sending();
  void tell_sent();
  bool take_header(std::string_view line);
  bool take_head();
  bool take_body(std::string_view bytes);

  static std::size_t on_header(char* bytes, std::size_t, std::size_t size, void* self) noexcept;
  static std::size_t on_write(char* bytes, std::size_t, std::size_t size, void* self) noexcept;
  static int on_remark(CURL*, curl_infotype type, char* bytes, std::size_t size, void* self) noexcept;
  static int on_connected(void* self, char*, char*, int, int) noexcept;

  const NetworkSetup& network_;
  Sockets& sockets_;
  Log* wire_;
  CurlHandle handle_;

  CurrentExchange current_;
  AtPlace at_;
  HeadReader head_;     // keeps its memory for the next one
  Flow flow_;           // of the handle above
  bool in_callback_{};  // of libcurl
};

}  // namespace inferwire::inline v0_1::http
