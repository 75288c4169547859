#include "client/base_url.hpp"

#include "base/host.hpp"

#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

bool is_gateway(std::string_view host) noexcept {
  return host.find(".ai-gateway.") != host.npos &&
         (host.ends_with(".databricks.com") || host.ends_with(".azuredatabricks.net"));
}

}  // namespace

Result<BaseUrl> BaseUrl::read(std::string_view text, bool allow_plain_http_key) {
  auto url = protocol::parse_base_url(text);
  if (!url) return std::move(url).error();
  BaseUrl base{.url = *std::move(url)};
  base.query = std::exchange(base.url.query, {});
  base.text = protocol::to_string(base.url);
  base.keys_may_go = base.url.scheme != "http" || is_loopback(base.url.host) || allow_plain_http_key;
  return base;
}

std::string BaseUrl::with(std::string_view path) const {
  constexpr std::string_view prefix = "/ai-gateway";
  if (path.starts_with("/ai-gateway/") && is_gateway(url.host)) path.remove_prefix(prefix.size());
  std::string whole = text;
  whole += path;
  return whole;
}

}  // namespace inferwire::inline v0_1::client
