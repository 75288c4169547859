/// \file
/// Finds the end of a line of an event stream: the first LF or CR.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace inferwire::inline v0_1::protocol {

/// Eight bytes at a time without vector instructions.
inline const char* find_line_end_portable(const char* begin, const char* end) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101u;
  constexpr std::uint64_t highs = 0x8080808080808080u;
  const auto has_zero = [](std::uint64_t word) { return ((word - ones) & ~word & highs) != 0; };
  for (; end - begin >= 8; begin += 8) {
    std::uint64_t word;
    std::memcpy(&word, begin, sizeof word);
    if (has_zero(word ^ (ones * '\n')) || has_zero(word ^ (ones * '\r'))) break;
  }
  for (; begin != end; ++begin) {
    if (*begin == '\n' || *begin == '\r') return begin;
  }
  return nullptr;
}

/// The first LF or CR in [begin, end), or null. Sixteen bytes from any place before `end` must be readable.
inline const char* find_line_end(const char* begin, const char* end) noexcept {
#if defined(__SSE2__)
  const auto line_feed = _mm_set1_epi8('\n');
  const auto carriage_return = _mm_set1_epi8('\r');
  for (; begin < end; begin += 16) {
    __m128i block;
    std::memcpy(&block, begin, sizeof block);
    const auto hits = _mm_or_si128(_mm_cmpeq_epi8(block, line_feed), _mm_cmpeq_epi8(block, carriage_return));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits));
    if (mask != 0) {
      begin += std::countr_zero(mask);
      return begin < end ? begin : nullptr;
    }
  }
  return nullptr;
#else
  return find_line_end_portable(begin, end);
#endif
}

}  // namespace inferwire::inline v0_1::protocol
