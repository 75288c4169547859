#include "testing/framing.hpp"

#include "base/ascii.hpp"

#include <cstdint>
#include <limits>
#include <string>

namespace inferwire::inline v0_1::testing {

namespace {

bool has_length(const Reply& reply) noexcept {
  return reply.claimed_length || reply.framing == BodyFraming::content_length;
}

}  // namespace

/// An endless body has the largest length that clients can read.
std::uint64_t body_size(const Reply& reply) noexcept {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  std::uint64_t size = 0;
  for (const auto& piece : reply.body) {
    if (!piece.bytes.empty() && piece.times > (most - size) / piece.bytes.size()) return most;
    size += piece.bytes.size() * piece.times;
  }
  return size;
}

Header framing_header(const Reply& reply) {
  if (has_length(reply)) {
    return {"Content-Length", std::to_string(reply.claimed_length.value_or(body_size(reply)))};
  }
  if (reply.framing == BodyFraming::chunked) return {"Transfer-Encoding", "chunked"};
  return {"Connection", "close"};
}

bool says_close(const std::vector<Header>& headers) noexcept {
  const auto connection = find_header(headers, "connection");
  return connection && ascii::equal_ignoring_case(ascii::trim(*connection), "close");
}

std::optional<std::uint64_t> promised_length(const Reply& reply, bool head_only) noexcept {
  if (head_only || reply.status < 200 || reply.status == 204 || reply.status == 304) return 0;
  if (!has_length(reply)) return std::nullopt;
  return reply.claimed_length.value_or(body_size(reply));
}

}  // namespace inferwire::inline v0_1::testing
