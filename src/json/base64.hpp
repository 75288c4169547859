/// \file
/// Base64 of RFC 4648 section 4: standard alphabet, padded, no white space.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::json {

/// Appends `bytes` in base64.
void append_base64(std::string& out, std::string_view bytes);

/// The number of bytes encoded in `text`; nothing if its length or padding is not valid base64.
std::optional<std::size_t> base64_size(std::string_view text) noexcept;

/// The bytes encoded in `text`; nothing if it is not base64.
std::optional<std::string> base64_decode(std::string_view text);

/// Writes the `base64_size(text)` bytes encoded in `text`; false if it contains other characters.
bool base64_decode(std::string_view text, unsigned char* out) noexcept;

}  // namespace inferwire::inline v0_1::json
