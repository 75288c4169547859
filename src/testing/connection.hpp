/// \file
/// One connection of the mock server: requests in, scripted bytes out.
#pragma once

#include "inferwire/testing/reply.hpp"
#include "inferwire/transport.hpp"
#include "testing/gate_state.hpp"
#include "testing/playback.hpp"
#include "testing/request_reader.hpp"
#include "testing/socket.hpp"
#include "testing/tls.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::testing {

class Connection {
 public:
  using Time = std::chrono::steady_clock::time_point;
  enum class End : std::uint8_t { none, by_script, by_peer, handshake };

  /// `number`: its number on the server; uses TLS if `tls` is not null.
  Connection(std::size_t number, Socket socket, std::shared_ptr<Waiter> waiter,
             std::unique_ptr<TlsSession> tls)
      : number_(number), socket_(std::move(socket)), waiter_(std::move(waiter)), tls_(std::move(tls)) {}

  std::size_t number() const noexcept { return number_; }
  const Socket& socket() const noexcept { return socket_; }
  bool is_open() const noexcept { return socket_.is_open(); }
  End end() const noexcept { return end_; }
  bool resumed() const noexcept { return tls_ && tls_->resumed(); }
  bool wants_to_send() const noexcept { return sent_ < out_.size(); }
  /// Whether the client may send more.
  bool wants_to_receive() const noexcept { return !peer_done_; }
  /// The time of the next step that waits only for time.
  std::optional<Time> due() const noexcept { return due_; }

  /// Closes or resets the connection before anything is sent (with TLS, after the client's first message);
  /// with silence nothing is ever sent.
  void meet(Ending fate) noexcept;
  /// Reads the bytes that have arrived.
  void receive();
  /// The next request, once the reply to the previous one has been played. An unreadable request is refused
  /// and is the last.
  std::optional<HttpRequest> next_request(std::string_view base_url);
  void play(Reply reply);
  /// Sends as much as the script and the peer allow.
  void move(Time now);
  /// Closes the connection if the client sends no more and has received what could be sent so far.
  void part(Time now);
  /// Whether a reply has been played to its end since the last call.
  bool take_answered() noexcept { return std::exchange(answered_, false); }

 private:
  bool advance(Time now);
  bool is_taken(Time now);
  void send_head();
  void send_piece(const Piece& piece);
  void send_end();
  void put(std::string_view plain);
  bool flush() noexcept;
  void close(End end) noexcept;
  void end_as_fated() noexcept;

  std::size_t number_;
  Socket socket_;
  std::shared_ptr<Waiter> waiter_;
  std::unique_ptr<TlsSession> tls_;  // absent: plain HTTP
  RequestReader reader_;
  std::string in_;
  std::string out_;  // in the form that the socket sends
  std::size_t sent_{};
  Ending fate_{Ending::whole};
  bool answered_{};
  bool peer_done_{};     // the client sends no more
  bool last_request_{};  // the client has declared it to be its last
  bool closing_{};       // once all of `out_` is sent
  End end_{End::none};

  bool head_only_{};                  // the request is a HEAD
  std::optional<Playback> playback_;  // absent: waiting for a request
  std::optional<Time> due_;
};

}  // namespace inferwire::inline v0_1::testing
