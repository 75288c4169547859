#include "client/random.hpp"

#include <chrono>
#include <cstdint>
#include <random>
#include <string_view>

namespace inferwire::inline v0_1::client {

namespace {

/// 32 random bits from the system, or from the clock if the system has no random device.
std::uint32_t random_bits() noexcept {
  try {
    return std::random_device{}();
  } catch (...) {
    return static_cast<std::uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  }
}

}  // namespace

double random_fraction() {
  thread_local std::minstd_rand generator(random_bits());
  return std::uniform_real_distribution<double>(0, 1)(generator);
}

std::string random_uuid() {
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr std::string_view pattern = "xxxxxxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx";
  std::string out(pattern);
  std::uint32_t bits = 0;
  int left = 0;
  for (char& c : out) {
    if (c != 'x' && c != 'v') continue;
    if (left == 0) {
      bits = random_bits();
      left = 8;
    }
    const auto digit = bits & 0xFU;
    c = digits[c == 'v' ? 8 + digit % 4 : digit];
    bits >>= 4U;
    --left;
  }
  return out;
}

}  // namespace inferwire::inline v0_1::client
