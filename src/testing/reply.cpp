#include "inferwire/testing/reply.hpp"

#include "inferwire/json.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::testing {

Reply Reply::json(std::string body, int status) {
  return {.status = status,
          .headers = {{"Content-Type", "application/json"}},
          .body = {{.bytes = std::move(body)}}};
}

Reply Reply::error(int status, std::string_view message) {
  return json(R"({"error": {"message": )" + Json::string(message).text() + "}}", status);
}

Reply Reply::stream(std::vector<std::string> pieces) {
  Reply reply{.headers = {{"Content-Type", "text/event-stream"}}, .framing = BodyFraming::chunked};
  for (auto& piece : pieces) reply.body.push_back({.bytes = std::move(piece)});
  return reply;
}

Reply Reply::silence() { return {.ending = Ending::silence, .head_gate = Gate()}; }

Reply Reply::bytes(std::string raw) { return {.ending = Ending::cut, .raw = std::move(raw)}; }

Reply Reply::reset() { return {.ending = Ending::reset}; }

Reply Reply::fails(Error why) {
  if (why.kind == ErrorKind::connection || why.kind == ErrorKind::timeout) why.retryable = true;
  return {.ending = Ending::reset, .unreachable = std::move(why)};
}

Reply Reply::with(std::string name, std::string value) const {
  auto reply = *this;
  reply.headers.push_back({std::move(name), std::move(value)});
  return reply;
}

Reply Reply::in_pieces_of(std::size_t size, std::chrono::milliseconds delay) const {
  auto reply = *this;
  reply.body.clear();
  size = std::max<std::size_t>(size, 1);
  for (const auto& piece : body) {
    for (std::size_t at = 0; at < piece.bytes.size(); at += size) {
      reply.body.push_back({.bytes = piece.bytes.substr(at, size), .delay = delay});
    }
    if (piece.claimed_size > piece.bytes.size() && !piece.bytes.empty()) {
      auto& last = reply.body.back();  // its chunk is short by as many bytes
      last.claimed_size = *piece.claimed_size - piece.bytes.size() + last.bytes.size();
    }
  }
  if (reply.body.empty() && !body.empty()) reply.body.emplace_back();  // the head is sent
  return reply;
}

Reply Reply::cut_after(std::size_t bytes, Ending how) const {
  auto reply = *this;
  reply.body.clear();
  reply.ending = how;
  std::size_t whole = 0;
  for (const auto& piece : body) {
    whole += piece.bytes.size();
    if (bytes == 0) continue;
    auto& kept = reply.body.emplace_back(piece);
    kept.times = 1;
    if (piece.bytes.size() > bytes) {
      kept.bytes.resize(bytes);
      kept.claimed_size = piece.bytes.size();
    }
    bytes -= kept.bytes.size();
  }
  if (reply.body.empty()) reply.body.emplace_back();  // the head is sent
  if (framing == BodyFraming::content_length && !claimed_length) reply.claimed_length = whole;
  return reply;
}

}  // namespace inferwire::inline v0_1::testing
