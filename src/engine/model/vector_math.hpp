/// \file
/// Elementary functions over arrays of floats: fast, and bit-identical on every IEEE machine.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace inferwire::inline v0_1::engine {

/// The smallest number that `logarithms` distinguishes from zero: the smallest normal float.
inline constexpr float smallest_probability = 0x1p-126F;

/// out[i] = ln(max(in[i], smallest_probability)), to about 1e-7, for in[i] >= 0. Here and below `in` and
/// `out` have the same size and may be the same array.
void logarithms(std::span<const float> in, std::span<float> out) noexcept;

/// out[i] = e^((in[i] - shift) * factor) to a relative 1e-6, for exponents up to 0; exactly 0 for those below
/// -87, where floats lose precision.
void exponentials(std::span<const float> in, float shift, float factor, std::span<float> out) noexcept;

/// out[i] = in[i] * factor.
void scale(std::span<const float> in, float factor, std::span<float> out) noexcept;

/// The sum of all elements, added in an order that does not depend on compiler or machine.
float sum(std::span<const float> values) noexcept;

/// The largest element; `values` is not empty and has no NaN.
float largest(std::span<const float> values) noexcept;

/// How many elements are greater than `limit`.
std::size_t count_above(std::span<const float> values, float limit) noexcept;

/// Scales a vector to length 1; a zero vector becomes the first axis. Inline for inferwire::llama, which
/// cannot call functions that the engine's library does not export, and is compiled with other options:
/// products of floats are exact as doubles, so contraction changes no bit.
inline void normalise(std::span<float> vector) noexcept {
  double square = 0;
  for (const float x : vector) square += static_cast<double>(x) * static_cast<double>(x);
  if (square == 0) {
    vector[0] = 1;
    return;
  }
  const auto factor = static_cast<float>(1 / std::sqrt(square));
  for (float& x : vector) x *= factor;
}

}  // namespace inferwire::inline v0_1::engine
