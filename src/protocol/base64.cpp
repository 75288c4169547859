#include "protocol/base64.hpp"

#include "json/base64.hpp"

namespace inferwire::inline v0_1::protocol {

std::string base64_encode(std::string_view bytes) {
  std::string out;
  json::append_base64(out, bytes);
  return out;
}

std::optional<std::string> base64_decode(std::string_view text) {
  const auto size = json::base64_size(text);
  if (!size) return std::nullopt;
  std::string out(*size, '\0');
  if (!json::base64_decode(text, reinterpret_cast<unsigned char*>(out.data()))) return std::nullopt;
  return out;
}

}  // namespace inferwire::inline v0_1::protocol
