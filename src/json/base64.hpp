/// \file
/// Base64 as RFC 4648 section 4 has it: standard alphabet, padded, no white space.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::json {

/// Appends the digits of `bytes`.
void append_base64(std::string& out, std::string_view bytes);

/// How many bytes `text` stands for; nothing when its length or padding is not that of base64.
std::optional<std::size_t> base64_size(std::string_view text) noexcept;

/// The bytes that `text` stands for; nothing when it is not base64.
std::optional<std::string> base64_decode(std::string_view text);

/// Writes the `base64_size(text)` bytes that `text` stands for; false when it has other characters.
bool base64_decode(std::string_view text, unsigned char* out) noexcept;

}  // namespace inferwire::inline v0_1::json
