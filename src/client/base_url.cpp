#include "client/base_url.hpp"

#include "base/host.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

bool is_among(const DedicatedHosts& hosts, std::string_view host) noexcept {
  return std::ranges::any_of(hosts.suffixes,
                             [host](const std::string& suffix) { return host.ends_with(suffix); });
}

}  // namespace

Result<BaseUrl> BaseUrl::read(std::string_view text, bool allow_plain_http_key,
                              const std::vector<DedicatedHosts>& dedicated) {
  auto url = protocol::parse_base_url(text);
  if (!url) return std::move(url).error();
  BaseUrl base{.url = *std::move(url)};
  base.query = std::exchange(base.url.query, {});
  const auto own = std::ranges::find_if(
      dedicated, [&base](const DedicatedHosts& hosts) { return is_among(hosts, base.url.host); });
  if (own != dedicated.end()) {
    base.url.path.clear();
    base.lacks = own->prefix;
  }
  base.text = protocol::to_string(base.url);
  base.keys_may_go = base.url.scheme != "http" || is_loopback(base.url.host) || allow_plain_http_key;
  return base;
}

std::string BaseUrl::with(std::string_view path) const {
  if (path.starts_with(lacks) && path.substr(lacks.size()).starts_with('/')) path.remove_prefix(lacks.size());
  std::string whole;
  whole.reserve(text.size() + path.size());
  (whole += text) += path;
  return whole;
}

}  // namespace inferwire::inline v0_1::client
