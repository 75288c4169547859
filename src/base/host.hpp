/// \file
/// Hosts, and whether they are this machine.
#pragma once

#include "base/ascii.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace inferwire::inline v0_1 {

/// The host in "host:port" or "[address]:port", without the brackets.
constexpr std::string_view host_in(std::string_view authority) noexcept {
  if (authority.starts_with('[')) return authority.substr(1, authority.find(']') - 1);
  return authority.substr(0, authority.find(':'));
}

/// Whether `host` is four decimal numbers, the first of them 127. "127.example.org" is an ordinary name;
/// libcurl reads a number with a leading 0 as octal: 0127.0.0.1 is 87.0.0.1.
inline bool is_loopback_v4(std::string_view host) noexcept {
  for (int numbers = 0;; ++numbers) {
    std::uint8_t number{};
    const auto [end, error] = std::from_chars(host.data(), host.data() + host.size(), number);
    if (error != std::errc{} || (numbers == 0 && number != 127)) return false;
    const auto digits = static_cast<std::size_t>(end - host.data());
    if (digits > 1 && host.front() == '0') return false;
    host.remove_prefix(digits);
    if (host.empty()) return numbers == 3;
    if (host.front() != '.' || numbers == 3) return false;
    host.remove_prefix(1);
  }
}

/// Whether `host` is ::1, however many of its zeros are written.
constexpr bool is_loopback_v6(std::string_view host) noexcept {
  return host.find(':') != host.npos && host.find_first_not_of(":0") == host.size() - 1 && host.back() == '1';
}

/// Whether `host` can only be this machine: localhost, names below it, 127.0.0.0/8, ::1.
inline bool is_loopback(std::string_view host) noexcept {
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (is_loopback_v4(host) || is_loopback_v6(host)) return true;
  constexpr std::string_view below = ".localhost";  // RFC 6761: such names never leave the machine
  if (host.size() <= below.size()) return ascii::equal_ignoring_case(host, below.substr(1));
  return ascii::equal_ignoring_case(host.substr(host.size() - below.size()), below);
}

}  // namespace inferwire::inline v0_1
