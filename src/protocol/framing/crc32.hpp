/// \file
/// CRC-32 as Ethernet, zlib and the AWS event stream compute it: polynomial 0xEDB88320, reflected.
#pragma once

#include <cstdint>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

/// The checksum of the data with checksum `before`, followed by `bytes`.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0) noexcept;

}  // namespace inferwire::inline v0_1::protocol
