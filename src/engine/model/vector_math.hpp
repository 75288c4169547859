/// \file
/// Elementary functions over arrays of floats: fast, and the same bits on every IEEE machine.
#pragma once

#include <cstddef>
#include <span>

namespace inferwire::inline v0_1::engine {

/// Smallest number that `logarithms` tells from zero, the smallest normal float.
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

}  // namespace inferwire::inline v0_1::engine
