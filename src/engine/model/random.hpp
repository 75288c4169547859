/// \file
/// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea, Flood 2014).
#pragma once

#include <cstdint>

namespace inferwire::inline v0_1::engine {

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) noexcept : state_{seed} {}

  constexpr std::uint64_t next() noexcept {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  /// Uniform in [0, 1), with the 24 bits that a float holds exactly.
  constexpr float uniform() noexcept { return static_cast<float>(next() >> 40U) * 0x1p-24F; }

 private:
  std::uint64_t state_;
};

/// The seed of choice `index` among several that share one request's seed. Neighbouring seeds and
/// neighbouring indices give unrelated results.
constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t index) noexcept {
  return Random{seed ^ Random{index}.next()}.next();
}

}  // namespace inferwire::inline v0_1::engine
