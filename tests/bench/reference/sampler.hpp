/// \file
/// Plain sampling at a temperature, from all tokens or from the likeliest: the engine's is measured against
/// it.
#pragma once

#include "engine/model/random.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace inferwire_bench::reference {

inline void logarithms(const float* __restrict in, float* __restrict out, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) {
    const auto bits = std::bit_cast<std::int32_t>(in[k]);
    const std::int32_t exponent = (bits - 0x3F3504F3) >> 23;
    const auto mantissa = std::bit_cast<float>(bits - exponent * (1 << 23));
    const float t = (mantissa - 1.0F) / (mantissa + 1.0F), t2 = t * t;
    out[k] = static_cast<float>(exponent) * 0.69314718F +
             2.0F * t * (1.0F + t2 * (0.33333333F + t2 * (0.2F + t2 * (0.14285714F + t2 * 0.11111111F))));
  }
}

inline void exponentials(const float* __restrict in, float* __restrict out, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) {
    const float x = in[k] < -87.0F ? -87.0F : in[k];
    const float r = (x * 1.44269504F + 12582912.0F) - 12582912.0F;
    const float z = (x - r * 0.693359375F) + r * 2.12194440e-4F;
    const float series =
        1.0F + z * (1.0F + z * (0.5F + z * (0.16666667F +
                                            z * (0.041666667F + z * (0.0083333333F + z * 0.0013888889F)))));
    out[k] = series * std::bit_cast<float>((static_cast<std::int32_t>(r) + 127) * (1 << 23));
  }
}

/// Draws tokens at temperature 0.7.
class Sampler {
 public:
  explicit Sampler(std::size_t vocabulary_size)
      : weights_(vocabulary_size), scratch_(vocabulary_size), order_(vocabulary_size) {}

  int from_all(std::span<const float> probabilities) {
    const float sum = weigh(probabilities);
    const float target = random_.uniform() * sum;
    float reached = 0;
    std::size_t j = 0;
    for (; j + lanes <= weights_.size(); j += lanes) {
      float block = 0;
      for (std::size_t lane = 0; lane < lanes; ++lane) block += weights_[j + lane];
      if (target < reached + block) break;
      reached += block;
    }
    for (; j < weights_.size(); ++j) {
      reached += weights_[j];
      if (target < reached) return static_cast<int>(j);
    }
    return static_cast<int>(weights_.size()) - 1;
  }

  /// Draws from the likeliest tokens: at most 40, and of these only as many as reach 0.95 of their sum.
  int from_likeliest(std::span<const float> probabilities) {
    weigh(probabilities);
    constexpr std::ptrdiff_t most = 40;
    std::iota(order_.begin(), order_.end(), 0);
    const auto likelier = [this](int a, int b) {
      const float left = weight(a), right = weight(b);
      return left != right ? left > right : a < b;
    };
    std::nth_element(order_.begin(), order_.begin() + most, order_.end(), likelier);
    std::sort(order_.begin(), order_.begin() + most, likelier);
    float all = 0;
    for (std::size_t j = 0; j < most; ++j) all += weight(order_[j]);
    float kept = 0;
    std::size_t count = 0;
    while (count < most && kept < 0.95F * all) kept += weight(order_[count++]);
    const float target = random_.uniform() * kept;
    float reached = 0;
    for (std::size_t j = 0; j < count; ++j) {
      reached += weight(order_[j]);
      if (target < reached) return order_[j];
    }
    return order_[count - 1];
  }

 private:
  static constexpr std::size_t lanes = 16;

  float weight(int token) const { return weights_[static_cast<std::size_t>(token)]; }

  /// Sets the weights to p^(1/T), scaled so that the largest is 1; returns their sum.
  float weigh(std::span<const float> probabilities) {
    float largest = 0;
    for (const float p : probabilities) largest = std::max(largest, p);
    float shift = 0;
    logarithms(&largest, &shift, 1);
    logarithms(probabilities.data(), scratch_.data(), scratch_.size());
    for (float& x : scratch_) x = (x - shift) * (1 / 0.7F);
    exponentials(scratch_.data(), weights_.data(), weights_.size());
    float sums[lanes]{};
    for (std::size_t j = 0; j + lanes <= weights_.size(); j += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += weights_[j + lane];
    }
    return std::accumulate(std::begin(sums), std::end(sums), 0.0F);
  }

  std::vector<float> weights_;
  std::vector<float> scratch_;
  std::vector<int> order_;
  inferwire::engine::Random random_{42};
};

}  // namespace inferwire_bench::reference
