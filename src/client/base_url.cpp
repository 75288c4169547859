#include "client/base_url.hpp"

#include "base/host.hpp"

#include <utility>

namespace inferwire::inline v0_1::client {

Result<BaseUrl> BaseUrl::read(std::string_view text, bool allow_plain_http_key) {
  auto url = protocol::parse_base_url(text);
  if (!url) return std::move(url).error();
  BaseUrl base{.url = *std::move(url)};
  base.query = std::exchange(base.url.query, {});
  base.text = protocol::to_string(base.url);
  base.keys_may_go = base.url.scheme != "http" || is_loopback(base.url.host) || allow_plain_http_key;
  return base;
}

}  // namespace inferwire::inline v0_1::client
