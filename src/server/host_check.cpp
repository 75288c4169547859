#include "server/host_check.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#if defined(_WIN32)
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#include <netinet/in.h>
#endif

namespace inferwire::inline v0_1::server {
namespace {

/// protocol::is_loopback does the same for URLs, but a shared libinferwire hides it from this library.
bool is_loopback(const std::string& name) {
  in_addr v4{};
  if (inet_pton(AF_INET, name.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  in6_addr v6{};
  if (inet_pton(AF_INET6, name.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
  constexpr std::string_view below = ".localhost";  // RFC 6761
  const bool is_below = name.size() > below.size() &&
                        ascii::equal_ignoring_case(name.substr(name.size() - below.size()), below);
  return is_below || ascii::equal_ignoring_case(name, "localhost");
}

/// Whether an address is one of loopback; false if it is unknown.
bool is_loopback(const SocketAddress& address) noexcept {
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

/// The name in a `Host`: without the port, and without the brackets of IPv6.
std::string name_in(std::string_view host) {
  if (host.starts_with('[')) return std::string(host.substr(1, host.find(']') - 1));
  return std::string(host.substr(0, host.find(':')));
}

}  // namespace

HostCheck::HostCheck(const SocketAddress& listening_at, const std::string& host,
                     std::vector<std::string> allowed)
    : checks_(listening_at.port >= 0 ? is_loopback(listening_at) : is_loopback(host)),
      allowed_(std::move(allowed)) {
  allowed_.push_back(host);
}

bool HostCheck::accepts(std::string_view host) const {
  if (!checks_ || host.empty()) return true;
  const auto name = name_in(host);
  return is_loopback(name) || std::ranges::any_of(allowed_, [&name](const std::string& allowed) {
           return ascii::equal_ignoring_case(name, allowed);
         });
}

}  // namespace inferwire::inline v0_1::server
