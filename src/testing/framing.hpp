/// \file
/// How a reply says where its body ends.
#pragma once

#include <cstdint>

#include "inferwire/testing/reply.hpp"

namespace inferwire::inline v0_1::testing {

/// Of all its pieces, in bytes.
std::uint64_t body_size(const Reply& reply) noexcept;

/// The header that tells it: its length, that it comes in chunks, or that the connection's end is its own.
Header framing_header(const Reply& reply);

}  // namespace inferwire::inline v0_1::testing
