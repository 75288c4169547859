#include "http/redirect.hpp"

#include "http/curl_url.hpp"
#include "protocol/url.hpp"

#include <curl/curl.h>

#include <memory>

namespace inferwire::inline v0_1::http {

namespace {

struct FreeText {
  void operator()(char* text) const noexcept { curl_free(text); }
};

bool repeats(int status, std::string_view method) noexcept {
  if (status == 307 || status == 308) return true;
  return (status == 301 || status == 302 || status == 303) && (method == "GET" || method == "HEAD");
}

/// Resolves `location` against `base`; nothing if the result is not a URL.
std::optional<std::string> resolve(const std::string& base, const std::string& location) {
  const auto url = take_apart(base);
  char* text{};
  if (!url || curl_url_set(url.get(), CURLUPART_URL, location.c_str(), 0) != CURLUE_OK ||
      curl_url_set(url.get(), CURLUPART_FRAGMENT, nullptr, 0) != CURLUE_OK ||
      curl_url_get(url.get(), CURLUPART_URL, &text, 0) != CURLUE_OK) {
    return std::nullopt;
  }
  const std::unique_ptr<char, FreeText> owner(text);
  return std::string(text);
}

}  // namespace

std::optional<std::string> redirect_of(std::string_view method, const std::string& url,
                                       const ResponseHead& head) {
  if (!repeats(head.status, method)) return std::nullopt;
  const auto location = find_header(head.headers, "location");
  if (!location || location->empty()) return std::nullopt;
  auto target = resolve(url, std::string(*location));
  if (!target) return std::nullopt;
  const auto from = protocol::parse_url(url);
  const auto to = protocol::parse_url(*target);
  const bool same_origin =
      from && to && from->scheme == to->scheme && from->host == to->host && from->port == to->port;
  return same_origin ? target : std::nullopt;
}

}  // namespace inferwire::inline v0_1::http
