#include "testing/framing.hpp"

#include <string>

namespace inferwire::inline v0_1::testing {

std::uint64_t body_size(const Reply& reply) noexcept {
  std::uint64_t size = 0;
  for (const auto& piece : reply.body) size += piece.bytes.size() * piece.times;
  return size;
}

Header framing_header(const Reply& reply) {
  if (reply.claimed_length || reply.framing == BodyFraming::content_length) {
    return {"Content-Length", std::to_string(reply.claimed_length.value_or(body_size(reply)))};
  }
  if (reply.framing == BodyFraming::chunked) return {"Transfer-Encoding", "chunked"};
  return {"Connection", "close"};
}

}  // namespace inferwire::inline v0_1::testing
