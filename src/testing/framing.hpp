/// \file
/// How a reply determines the end of its body.
#pragma once

#include "inferwire/testing/reply.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace inferwire::inline v0_1::testing {

/// The total size of the pieces, in bytes.
std::uint64_t body_size(const Reply& reply) noexcept;

/// The header that determines the end: a length, chunks, or the end of the connection.
Header framing_header(const Reply& reply);
/// Whether these headers say that the connection is closed after this message.
bool says_close(const std::vector<Header>& headers) noexcept;
/// The number of body bytes that a client waits for: as many as the head promises, and none if HTTP allows no
/// body, which is after a HEAD (`head_only`) and with some statuses. Absent: the body itself marks its end.
std::optional<std::uint64_t> promised_length(const Reply& reply, bool head_only) noexcept;

}  // namespace inferwire::inline v0_1::testing
