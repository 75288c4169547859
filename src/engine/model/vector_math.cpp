// libm is not used: its last bits differ between platforms, and one bit can change the choice of a token. The
// same reason forbids contraction to fused multiply-add (-ffp-contract=off when this file is compiled).
//
// Everything works on blocks of a constant size in local arrays: without aliasing and loop remainders, GCC
// vectorises even at -O2.
#include "engine/model/vector_math.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "inferwire needs -fno-fast-math"
#endif

namespace inferwire::inline v0_1::engine {
namespace {

constexpr std::size_t block_size = 16;
using Block = std::array<float, block_size>;

constexpr float ln_2 = 0.693147182F;

// ln x = e ln 2 + ln m with m in [1/sqrt 2, sqrt 2), and ln m = 2 artanh((m - 1) / (m + 1)) as a series.
float logarithm(float x) noexcept {
  constexpr std::int32_t sqrt_half_bits = 0x3F3504F3;
  constexpr auto least_bits = std::bit_cast<std::int32_t>(smallest_probability);
  const auto own_bits = std::bit_cast<std::int32_t>(x);  // positive floats are ordered like their bits
  const std::int32_t bits = own_bits < least_bits ? least_bits : own_bits;
  const std::int32_t exponent = (bits - sqrt_half_bits) >> 23;
  const auto mantissa = std::bit_cast<float>(bits - exponent * (1 << 23));
  const float t = (mantissa - 1.0F) / (mantissa + 1.0F);
  const float t2 = t * t;
  const float series = 1.0F + t2 * (0.333333333F + t2 * (0.2F + t2 * (0.142857143F + t2 * 0.111111111F)));
  return static_cast<float>(exponent) * ln_2 + 2.0F * t * series;
}

// e^x = 2^r e^z with r = round(x / ln 2) and z in [-ln 2 / 2, ln 2 / 2]; e^z as its Taylor polynomial.
float exponential(float x) noexcept {
  constexpr auto lowest_bits = std::bit_cast<std::uint32_t>(-87.0F);
  constexpr float round_to_integer = 0x1.8p23F;  // adding it leaves no bits for a fraction
  constexpr float ln_2_high = 0.693359375F;      // few bits, so that r * ln_2_high is exact
  constexpr float ln_2_low = -2.12194440e-4F;
  const auto own_bits =
      std::bit_cast<std::uint32_t>(x);  // the order of negative floats is that of their bits, reversed
  const float clamped = std::bit_cast<float>(own_bits > lowest_bits ? lowest_bits : own_bits);
  const float r = (clamped * 1.44269504F + round_to_integer) - round_to_integer;
  const float z = (clamped - r * ln_2_high) - r * ln_2_low;
  const float series =
      1.0F + z * (1.0F + z * (0.5F + z * (0.166666667F +
                                          z * (0.0416666667F + z * (0.00833333333F + z * 0.00138888889F)))));
  const std::int32_t power_bits = (static_cast<std::int32_t>(r) + 127) * (1 << 23);
  return series * std::bit_cast<float>(own_bits > lowest_bits ? 0 : power_bits);
}

/// `padding` fills up the last block. `function` is called in one place, so that it is inlined, and whole
/// blocks are copied with a constant size.
template <typename Function>
void for_each_block(std::span<const float> in, std::span<float> out, float padding, Function function) {
  Block block;
  for (std::size_t at = 0; at < in.size(); at += block_size) {
    const std::size_t rest = in.size() - at;
    if (rest >= block_size) {
      std::memcpy(block.data(), in.data() + at, sizeof block);
    } else {
      block.fill(padding);
      std::copy_n(in.data() + at, rest, block.data());
    }
    for (std::size_t lane = 0; lane < block_size; ++lane) block[lane] = function(block[lane]);
    if (rest >= block_size) {
      std::memcpy(out.data() + at, block.data(), sizeof block);
    } else {
      std::copy_n(block.data(), rest, out.data() + at);
    }
  }
}

/// Folds `values` lane by lane, then the lanes pairwise.
template <typename Function>
float fold(std::span<const float> values, float neutral, Function function) {
  Block lanes;
  lanes.fill(neutral);
  std::size_t at = 0;
  for (; at + block_size <= values.size(); at += block_size) {
    const float* const block = values.data() + at;
    for (std::size_t lane = 0; lane < block_size; ++lane) lanes[lane] = function(lanes[lane], block[lane]);
  }
  for (std::size_t lane = 0; at < values.size(); ++at, ++lane)
    lanes[lane] = function(lanes[lane], values[at]);
  for (std::size_t half = block_size / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] = function(lanes[lane], lanes[lane + half]);
  }
  return lanes[0];
}

}  // namespace

void logarithms(std::span<const float> in, std::span<float> out) noexcept {
  for_each_block(in, out, 1.0F, [](float x) { return logarithm(x); });
}

void exponentials(std::span<const float> in, float shift, float factor, std::span<float> out) noexcept {
  for_each_block(in, out, shift, [=](float x) { return exponential((x - shift) * factor); });
}

void scale(std::span<const float> in, float factor, std::span<float> out) noexcept {
  for_each_block(in, out, 0.0F, [=](float x) { return x * factor; });
}

float sum(std::span<const float> values) noexcept {
  return fold(values, 0.0F, [](float a, float b) { return a + b; });
}

float largest(std::span<const float> values) noexcept {
  return fold(values, values.front(), [](float a, float b) { return a < b ? b : a; });
}

std::size_t count_above(std::span<const float> values, float limit) noexcept {
  std::array<std::uint32_t, block_size> lanes{};
  std::size_t at = 0;
  for (; at + block_size <= values.size(); at += block_size) {
    const float* const block = values.data() + at;
    for (std::size_t lane = 0; lane < block_size; ++lane) lanes[lane] += block[lane] > limit ? 1U : 0U;
  }
  std::size_t count = 0;
  for (; at < values.size(); ++at) count += values[at] > limit ? 1U : 0U;
  for (const std::uint32_t lane : lanes) count += lane;
  return count;
}

}  // namespace inferwire::inline v0_1::engine
