/// \file
/// An embedding answer of 256 rows of 1,024 floats: as Python servers print it (float32 widened to double, 17
/// digits, 5.6 MB), and in base64 (1.4 MB).
#pragma once

#include "json/base64.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace inferwire_bench {

constexpr int rows = 256;
constexpr int columns = 1024;

/// Floats between -0.125 and 0.125 that use all their bits.
inline std::vector<float> row_of(int row, int length = columns) {
  std::vector<float> out;
  std::uint32_t state = 2463534242U + static_cast<std::uint32_t>(row);
  for (int i = 0; i < length; ++i) {
    state ^= state << 13U;
    state ^= state >> 17U;
    state ^= state << 5U;
    out.push_back((static_cast<float>(state >> 8U) * 0x1p-24F - 0.5F) * 0.25F);
  }
  return out;
}

template <class Encode>
std::string body_of(Encode encode, int count = rows, int length = columns) {
  std::string out = R"({"object":"list","data":[)";
  for (int i = 0; i < count; ++i) {
    if (i > 0) out += ',';
    out += R"({"object":"embedding","index":)" + std::to_string(i) + R"(,"embedding":)";
    encode(out, row_of(i, length));
    out += '}';
  }
  return out + R"(],"model":"m","usage":{"prompt_tokens":2048,"total_tokens":2048}})";
}

inline std::string text_body(int count = rows, int length = columns) {
  const auto digits_of = [](std::string& out, const std::vector<float>& row) {
    char digits[40];
    out += '[';
    for (const float number : row) {
      std::snprintf(digits, sizeof digits, "%.17g", static_cast<double>(number));
      if (out.back() != '[') out += ',';
      out += digits;
    }
    out += ']';
  };
  return body_of(digits_of, count, length);
}

inline std::string base64_body() {
  return body_of([](std::string& out, const std::vector<float>& row) {
    out += '"';
    inferwire::json::append_base64(out,
                                   {reinterpret_cast<const char*>(row.data()), row.size() * sizeof(float)});
    out += '"';
  });
}

}  // namespace inferwire_bench
