#include "server/host_check.hpp"

#include "base/ascii.hpp"

#include <algorithm>
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

/// The name in a `Host`: without the port, and without the brackets of IPv6.
std::string name_in(std::string_view host) {
  if (host.starts_with('[')) return std::string(host.substr(1, host.find(']') - 1));
  return std::string(host.substr(0, host.find(':')));
}

}  // namespace

HostCheck::HostCheck(std::string_view listening_at, std::vector<std::string> allowed)
    : checks_(is_loopback(std::string(listening_at))), allowed_(std::move(allowed)) {}

bool HostCheck::accepts(std::string_view host) const {
  if (!checks_ || host.empty()) return true;
  const auto name = name_in(host);
  return is_loopback(name) || std::ranges::any_of(allowed_, [&name](const std::string& allowed) {
           return ascii::equal_ignoring_case(name, allowed);
         });
}

}  // namespace inferwire::inline v0_1::server
