#include "server/host_check.hpp"

#include "base/ascii.hpp"
#include "base/host.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace inferwire::inline v0_1::server {
namespace {

/// Whether an address is one of loopback; false if it is unknown.
bool is_on_loopback(const SocketAddress& address) noexcept {
  SocketAddress v4;
  v4.host[10] = v4.host[11] = 0xFF;
  constexpr std::size_t mapped = 12;  // bytes before the IPv4 address
  if (std::equal(v4.host.begin(), v4.host.begin() + mapped, address.host.begin())) {
    return address.host[mapped] == 127;
  }
  SocketAddress v6;
  v6.host.back() = 1;
  return address.host == v6.host;
}

}  // namespace

HostCheck::HostCheck(const SocketAddress& listening_at, const std::string& host,
                     std::vector<std::string> allowed)
    : checks_(listening_at.port >= 0 ? is_on_loopback(listening_at) : is_loopback(host)),
      allowed_(std::move(allowed)) {
  allowed_.push_back(host);
}

bool HostCheck::accepts(std::string_view host) const {
  if (!checks_ || host.empty()) return true;
  const auto name = host_in(host);
  return is_loopback(name) || std::ranges::any_of(allowed_, [&name](const std::string& allowed) {
           return ascii::equal_ignoring_case(name, allowed);
         });
}

}  // namespace inferwire::inline v0_1::server
