/// \file
/// The hash FNV-1a with 64 bits (Fowler, Noll, Vo). Its values are stored in files and visible in ids.
#pragma once

#include <cstdint>
#include <string_view>

namespace inferwire::inline v0_1 {

class Fnv1a {
 public:
  static constexpr std::uint64_t basis = 0xcbf29ce484222325U;

  constexpr explicit Fnv1a(std::uint64_t start = basis) noexcept : value_(start) {}

  constexpr void add_byte(unsigned char byte) noexcept { value_ = (value_ ^ byte) * 0x100000001b3U; }
  constexpr void add(std::string_view bytes) noexcept {
    for (const char c : bytes) add_byte(static_cast<unsigned char>(c));
  }
  constexpr std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_;
};

}  // namespace inferwire::inline v0_1
