#include "auth/fetch/fetch_url.hpp"

#include "base/host.hpp"
#include "protocol/url.hpp"

#include <algorithm>
#include <array>

namespace inferwire::inline v0_1::auth {

namespace {

/// Addresses that are reached without a network on which others could listen: the instance's metadata service
/// (AWS and Azure), and the services next to containers of ECS and EKS.
constexpr std::array<std::string_view, 5> own_addresses{"169.254.169.254", "fd00:ec2::254", "169.254.170.2",
                                                        "169.254.170.23", "fd00:ec2::23"};

}  // namespace

Result<void> check_fetch_url(std::string_view text) {
  const auto url = protocol::parse_url(text);
  if (!url) return url.error();
  if (url->scheme == "https" || is_loopback(url->host)) return {};
  if (std::ranges::find(own_addresses, url->host) != own_addresses.end()) return {};
  return Error{.kind = ErrorKind::config,
               .detail = "secrets would travel over plain http to or from " + url->host + "; use https"};
}

}  // namespace inferwire::inline v0_1::auth
