/// \file
/// Base64 as RFC 4648 section 4 has it: standard alphabet, padded.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

std::string base64_encode(std::string_view bytes);
/// Nothing when `text` is not base64. White space is not skipped.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace inferwire::inline v0_1::protocol
