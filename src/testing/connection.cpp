#include "testing/connection.hpp"

#include "testing/framing.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

namespace inferwire::inline v0_1::testing {

namespace {

std::string hexadecimal(std::uint64_t number) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return {digits.data(), end};
}

}  // namespace

void Connection::meet(Ending fate) noexcept {
  fate_ = fate;
  if (!tls_) end_as_fated();
}

void Connection::end_as_fated() noexcept {
  if (fate_ == Ending::reset) socket_.reset();
  if (fate_ == Ending::cut) socket_.close();
  if (!is_open()) end_ = End::by_script;
}

void Connection::receive() {
  std::array<char, 16 * 1024> buffer;
  while (is_open() && !peer_done_) {
    const auto count = socket_.receive(buffer.data(), buffer.size());
    if (count == -1) return;
    if (count < 0) return close(End::by_peer);
    if (count == 0) {
      peer_done_ = true;
      return;
    }
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
    if (fate_ != Ending::whole) {
      end_as_fated();
      continue;
    }
    if (!tls_) {
      in_ += bytes;
    } else if (!tls_->receive(bytes, in_, out_)) {
      peer_done_ = true;
      if (tls_->handshake_done()) return;
      flush();  // the alert with the reason
      return close(End::handshake);
    }
  }
}

void Connection::close(End end) noexcept {
  if (is_open()) end_ = end;
  socket_.close();
}

std::optional<HttpRequest> Connection::next_request(std::string_view base_url) {
  if (playback_ || closing_ || !is_open()) return std::nullopt;
  HttpRequest request;
  switch (reader_.next(in_, base_url, request)) {
    case RequestReader::Next::more:
      if (reader_.take_expectation()) put("HTTP/1.1 100 Continue\r\n\r\n");
      return std::nullopt;
    case RequestReader::Next::unreadable:
      put("HTTP/1.1 400 \r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      closing_ = true;
      return std::nullopt;
    case RequestReader::Next::request: break;
  }
  head_only_ = request.method == "HEAD";
  last_request_ = says_close(request.headers);
  return request;
}

void Connection::play(Reply reply) {
  if (reply.unreachable) reply = Reply::reset();
  if (head_only_ && reply.raw.empty()) {  // the length is sent, the body is not
    reply.claimed_length = reply.claimed_length.value_or(body_size(reply));
    if (!reply.body.empty()) reply.body = {Piece{}};
  }
  playback_.emplace(std::move(reply), std::chrono::steady_clock::now());
}

void Connection::move(Time now) {
  due_.reset();
  constexpr int most = 256;  // an endless reply must leave time for the others
  for (int steps = 0; flush() && playback_ && advance(now); ++steps) {
    if (steps < most) continue;
    due_ = now;
    return;
  }
  if (closing_ && !wants_to_send()) close(End::by_script);
}

void Connection::part(Time now) {
  // A client that has gone cannot be told apart from one that only stopped sending, and waits.
  if (peer_done_ && !wants_to_send() && !(due_ && *due_ <= now)) close(End::by_peer);
}

/// Sends pending bytes; returns whether all of them were sent.
bool Connection::flush() noexcept {
  while (is_open() && wants_to_send()) {
    const auto count = socket_.send(std::string_view(out_).substr(sent_));
    if (count == -1) return false;
    if (count < 0) {
      close(End::by_peer);
      return false;
    }
    sent_ += static_cast<std::size_t>(count);
  }
  out_.clear();
  sent_ = 0;
  return is_open();
}

void Connection::put(std::string_view plain) {
  if (tls_) {
    tls_->send(plain, out_);
  } else {
    out_ += plain;
  }
}

/// Whether a reset loses nothing that was sent before, or waiting longer is useless.
bool Connection::is_taken(Time now) {
  constexpr std::chrono::seconds patience(2);
  if (socket_.untaken() == 0 || now >= playback_->last() + patience) return true;
  due_ = now + std::chrono::milliseconds(1);
  return false;
}

/// Takes the next step of the script; returns whether one was due.
bool Connection::advance(Time now) {
  switch (playback_->next(now, waiter_)) {
    case Playback::Next::head: send_head(); break;
    case Playback::Next::piece: send_piece(playback_->piece()); break;
    case Playback::Next::end:
      if (playback_->reply().ending == Ending::reset && !is_taken(now)) return false;
      send_end();
      return true;
    case Playback::Next::not_yet: due_ = playback_->due(); return false;
  }
  playback_->played(now);
  return true;
}

void Connection::send_head() {
  const auto& reply = playback_->reply();
  if (!reply.raw.empty()) return put(reply.raw);
  const bool broken = reply.ending == Ending::cut || reply.ending == Ending::reset;
  if (broken && reply.body.empty()) return;
  auto head =
      "HTTP/1.1 " + std::to_string(reply.status) + " \r\n";  // no reason phrase, as in ScriptTransport
  for (const auto& [name, value] : reply.headers) head += name + ": " + value + "\r\n";
  const auto framing = framing_header(reply);
  put(head + framing.name + ": " + framing.value + "\r\n\r\n");
}

void Connection::send_piece(const Piece& piece) {
  const auto& reply = playback_->reply();
  const bool chunked = reply.raw.empty() && !reply.claimed_length && reply.framing == BodyFraming::chunked;
  if (!chunked) return put(piece.bytes);
  if (piece.bytes.empty()) return;  // an empty chunk would end the body
  const auto claim = piece.claimed_size.value_or(piece.bytes.size());
  put(hexadecimal(claim) + "\r\n" + piece.bytes + (claim > piece.bytes.size() ? "" : "\r\n"));
}

void Connection::send_end() {
  const auto playback = *std::exchange(playback_, std::nullopt);
  const auto& reply = playback.reply();
  answered_ = true;
  if (reply.ending == Ending::reset) {
    end_ = End::by_script;
    return socket_.reset();
  }
  if (reply.ending == Ending::cut) return close(End::by_script);
  const bool framed = reply.raw.empty() && !reply.claimed_length;
  if (framed && reply.framing == BodyFraming::chunked) put("0\r\n\r\n");
  closing_ =
      last_request_ || says_close(reply.headers) || (framed && reply.framing == BodyFraming::until_close);
  if (closing_ && tls_) tls_->close(out_);
}

}  // namespace inferwire::inline v0_1::testing
