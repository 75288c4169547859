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

/// Scans eight bytes at a time without vector instructions.
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

#if defined(__SSE2__)

inline __m128i load_block(const char* at) noexcept {
  __m128i block;
  std::memcpy(&block, at, sizeof block);
  return block;
}

/// Skips groups of four blocks without a line end, tab or other small control character, which events rarely
/// contain.
inline const char* skip_plain_blocks(const char* begin, const char* end) noexcept {
  const auto highest = _mm_set1_epi8('\r');
  for (; end - begin >= 64; begin += 64) {
    const auto least = _mm_min_epu8(_mm_min_epu8(load_block(begin), load_block(begin + 16)),
                                    _mm_min_epu8(load_block(begin + 32), load_block(begin + 48)));
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(least, highest), least)) != 0) break;
  }
  return begin;
}

/// The first LF or CR in [begin, end), or null. Sixteen bytes from any position before `end` must be
/// readable.
inline const char* find_line_end(const char* begin, const char* end) noexcept {
  if (begin != end && (*begin == '\n' || *begin == '\r')) return begin;  // blank, like every second line
  const auto line_feed = _mm_set1_epi8('\n');
  const auto carriage_return = _mm_set1_epi8('\r');
  for (begin = skip_plain_blocks(begin, end); begin < end; begin += 16) {
    const auto block = load_block(begin);
    const auto hits = _mm_or_si128(_mm_cmpeq_epi8(block, line_feed), _mm_cmpeq_epi8(block, carriage_return));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits));
    if (mask != 0) {
      begin += std::countr_zero(mask);
      return begin < end ? begin : nullptr;
    }
  }
  return nullptr;
}

#else

inline const char* find_line_end(const char* begin, const char* end) noexcept {
  return find_line_end_portable(begin, end);
}

#endif

}  // namespace inferwire::inline v0_1::protocol
