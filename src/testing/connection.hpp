/// \file
/// One connection of the mock server: requests in, scripted bytes out.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "inferwire/testing/reply.hpp"
#include "inferwire/transport.hpp"
#include "testing/gate_state.hpp"
#include "testing/socket.hpp"

namespace inferwire::inline v0_1::testing {

/// Takes the first request out of `bytes`, if it is there as a whole. Bodies need a Content-Length.
std::optional<HttpRequest> take_request(std::string& bytes, std::string_view base_url);

class Connection {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Connection(Socket socket, std::shared_ptr<Waiter> waiter)
      : socket_(std::move(socket)), waiter_(std::move(waiter)) {}

  const Socket& socket() const noexcept { return socket_; }
  bool is_open() const noexcept { return socket_.is_open(); }
  bool closed_by_peer() const noexcept { return closed_by_peer_; }
  bool wants_to_send() const noexcept { return sent_ < out_.size(); }
  /// When something is to be sent that only time stands before.
  std::optional<Time> due() const noexcept { return due_; }

  /// Reads what has come.
  void receive();
  /// The next request, when the reply to the one before has been played.
  std::optional<HttpRequest> next_request(std::string_view base_url);
  void play(Reply reply);
  /// Sends as much as the script and the peer allow.
  void move(Time now);

 private:
  bool advance(Time now);
  bool passes(const std::optional<Gate>& gate) const;
  void send_head();
  void send_piece(std::string_view bytes);
  void send_end();
  bool flush() noexcept;
  void broke() noexcept;

  Socket socket_;
  std::shared_ptr<Waiter> waiter_;
  std::string in_;
  std::string out_;
  std::size_t sent_{};
  bool closed_by_peer_{};

  std::optional<Reply> reply_;  // the one that is being played
  bool head_sent_{};
  std::size_t next_piece_{};
  Time last_{};  // when the last part was sent
  std::optional<Time> due_;
};

}  // namespace inferwire::inline v0_1::testing
