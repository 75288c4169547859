#include "inferwire/data_uri.hpp"

#include "json/base64.hpp"

namespace inferwire::inline v0_1 {

std::string to_base64(std::string_view bytes) {
  std::string text;
  json::append_base64(text, bytes);
  return text;
}

std::string data_uri(std::string_view media_type, std::string_view bytes) {
  std::string uri("data:");
  (uri += media_type) += ";base64,";
  json::append_base64(uri, bytes);
  return uri;
}

}  // namespace inferwire::inline v0_1
