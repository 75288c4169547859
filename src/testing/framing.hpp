/// \file
/// How a reply says where its body ends.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "inferwire/testing/reply.hpp"

namespace inferwire::inline v0_1::testing {

/// The size of all its pieces, in bytes.
std::uint64_t body_size(const Reply& reply) noexcept;

/// The header that tells it: its length, that it comes in chunks, or that the connection's end is its own.
Header framing_header(const Reply& reply);
/// Whether they say that their sender takes the connection for closed after this message.
bool says_close(const std::vector<Header>& headers) noexcept;
/// How many bytes of body a client waits for: as many as the head promises, and none where HTTP has no body,
/// which is after a HEAD (`head_only`) and with some statuses. Absent: the body says itself where it ends.
std::optional<std::uint64_t> promised_length(const Reply& reply, bool head_only) noexcept;

}  // namespace inferwire::inline v0_1::testing
