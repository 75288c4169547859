#include "testing/connection.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "protocol/ascii.hpp"

namespace inferwire::inline v0_1::testing {

namespace {

std::string_view take_until(std::string_view& text, std::string_view end) {
  const auto part = text.substr(0, text.find(end));
  text.remove_prefix(std::min(text.size(), part.size() + end.size()));
  return part;
}

std::string hexadecimal(std::size_t number) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return {digits.data(), end};
}

}  // namespace

std::optional<HttpRequest> take_request(std::string& bytes, std::string_view base_url) {
  const auto head_end = bytes.find("\r\n\r\n");
  if (head_end == bytes.npos) return std::nullopt;
  std::string_view head(bytes.data(), head_end);
  auto line = take_until(head, "\r\n");
  HttpRequest request;
  request.method = take_until(line, " ");
  (request.url = base_url) += take_until(line, " ");
  while (!head.empty()) {
    auto value = take_until(head, "\r\n");
    const auto name = take_until(value, ":");
    request.headers.push_back({std::string(name), std::string(protocol::ascii::trim(value))});
  }
  std::size_t body_size{};
  if (const auto length = find_header(request.headers, "content-length")) {
    std::from_chars(length->data(), length->data() + length->size(), body_size);
  }
  const auto body = head_end + 4;
  if (bytes.size() - body < body_size) return std::nullopt;
  request.body = bytes.substr(body, body_size);
  bytes.erase(0, body + body_size);
  return request;
}

void Connection::receive() {
  std::array<char, 16 * 1024> buffer;
  for (;;) {
    const auto count = socket_.receive(buffer.data(), buffer.size());
    if (count == -1) return;
    if (count <= 0) return broke();
    in_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

void Connection::broke() noexcept {
  closed_by_peer_ = true;
  socket_.close();
}

std::optional<HttpRequest> Connection::next_request(std::string_view base_url) {
  if (reply_ || !is_open()) return std::nullopt;
  return take_request(in_, base_url);
}

void Connection::play(Reply reply) {
  reply_ = std::move(reply);
  head_sent_ = false;
  next_piece_ = 0;
  last_ = std::chrono::steady_clock::now();
}

void Connection::move(Time now) {
  while (flush() && reply_ && advance(now)) {}
}

/// Sends what is waiting; whether all of it has gone.
bool Connection::flush() noexcept {
  while (is_open() && wants_to_send()) {
    const auto count = socket_.send(std::string_view(out_).substr(sent_));
    if (count == -1) return false;
    if (count < 0) {
      broke();
      return false;
    }
    sent_ += static_cast<std::size_t>(count);
  }
  out_.clear();
  sent_ = 0;
  return is_open();
}

bool Connection::passes(const std::optional<Gate>& gate) const {
  return !gate || Gate::State::of(*gate).open_or_tell(waiter_);
}

/// Takes the next step of the script; whether one was due.
bool Connection::advance(Time now) {
  due_.reset();
  if (!head_sent_) {
    if (!passes(reply_->head_gate)) return false;
    head_sent_ = true;
    last_ = now;
    const bool broken = reply_->ending == Ending::cut || reply_->ending == Ending::reset;
    if (!reply_->raw.empty()) {
      out_ += reply_->raw;
    } else if (!broken || !reply_->body.empty()) {
      send_head();
    }
    return true;
  }
  if (next_piece_ < reply_->body.size()) {
    const auto& piece = reply_->body[next_piece_];
    if (!passes(piece.gate)) return false;
    if (now < last_ + piece.delay) {
      due_ = last_ + piece.delay;
      return false;
    }
    last_ = now;
    ++next_piece_;
    send_piece(piece.bytes);
    return true;
  }
  if (reply_->ending == Ending::silence) return false;
  send_end();
  return true;
}

void Connection::send_head() {
  out_ += "HTTP/1.1 " + std::to_string(reply_->status) + " Scripted\r\n";
  for (const auto& [name, value] : reply_->headers) out_ += name + ": " + value + "\r\n";
  std::uint64_t size = 0;
  for (const auto& piece : reply_->body) size += piece.bytes.size();
  if (reply_->claimed_length || reply_->framing == BodyFraming::content_length) {
    out_ += "Content-Length: " + std::to_string(reply_->claimed_length.value_or(size)) + "\r\n";
  } else if (reply_->framing == BodyFraming::chunked) {
    out_ += "Transfer-Encoding: chunked\r\n";
  } else {
    out_ += "Connection: close\r\n";
  }
  out_ += "\r\n";
}

void Connection::send_piece(std::string_view bytes) {
  const bool chunked =
      reply_->raw.empty() && !reply_->claimed_length && reply_->framing == BodyFraming::chunked;
  if (!chunked) {
    out_ += bytes;
  } else if (!bytes.empty()) {  // an empty chunk would be the end
    ((out_ += hexadecimal(bytes.size()) + "\r\n") += bytes) += "\r\n";
  }
}

void Connection::send_end() {
  const auto reply = *std::exchange(reply_, std::nullopt);
  switch (reply.ending) {
    case Ending::reset: socket_.reset(); return;
    case Ending::cut: socket_.close(); return;
    case Ending::whole:
    case Ending::silence: break;
  }
  if (!reply.raw.empty() || reply.claimed_length) return;
  if (reply.framing == BodyFraming::chunked) out_ += "0\r\n\r\n";
  if (reply.framing == BodyFraming::until_close) socket_.close();
}

}  // namespace inferwire::inline v0_1::testing
