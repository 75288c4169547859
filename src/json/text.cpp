#include "json/text.hpp"

#include "base/percent.hpp"
#include "base/utf8.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#if defined(__SSE2__)
#include <emmintrin.h>

#include <bit>
#endif

#if __has_cpp_attribute(gnu::init_priority)
#define INFERWIRE_BEFORE_STATICS [[gnu::init_priority(101)]]
#else
#define INFERWIRE_BEFORE_STATICS
#endif

namespace inferwire::inline v0_1::json {
namespace {

/// simdjson creates its kernels on first use, and destroys them at the program's end before anything created
/// earlier. This is the first use, so that the program's statics, and what they own, can still use this
/// library then.
struct FirstUse {
  bool done = simdjson::validate_utf8("", 0);
};
INFERWIRE_BEFORE_STATICS const FirstUse first_use;
#undef INFERWIRE_BEFORE_STATICS

constexpr bool is_plain(unsigned char c) noexcept { return c >= 0x20 && c != '"' && c != '\\'; }

#if defined(__SSE2__)
__m128i load(const char* from) noexcept { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
void store(char* to, __m128i bytes) noexcept { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes); }
unsigned mask_of(__m128i bytes) noexcept { return static_cast<unsigned>(_mm_movemask_epi8(bytes)); }

/// Flips one bit, which puts the quote (0x22) right behind the control characters and leaves those together.
__m128i flipped(__m128i bytes) noexcept { return _mm_xor_si128(bytes, _mm_set1_epi8(0x02)); }
/// Marks the control characters and quotes among flipped bytes.
__m128i low(__m128i bytes) noexcept {
  return _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x20)), bytes);  // unsigned: <= 0x20
}
__m128i backslash(__m128i bytes) noexcept { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')); }

/// Marks the bytes that must be escaped: control characters, quotes and backslashes.
__m128i special(__m128i bytes) noexcept { return _mm_or_si128(low(flipped(bytes)), backslash(bytes)); }
/// Whether one of four blocks has such a byte. The least byte of each column shows whether it has a low one.
bool have_special(const __m128i (&block)[4]) noexcept {
  const __m128i least = _mm_min_epu8(_mm_min_epu8(flipped(block[0]), flipped(block[1])),
                                     _mm_min_epu8(flipped(block[2]), flipped(block[3])));
  const __m128i backslashes = _mm_or_si128(_mm_or_si128(backslash(block[0]), backslash(block[1])),
                                           _mm_or_si128(backslash(block[2]), backslash(block[3])));
  return mask_of(_mm_or_si128(low(least), backslashes)) != 0;
}
#endif

/// The letter that represents a character after a backslash; 0 if it needs the long form.
constexpr auto escapes = [] {
  std::array<char, 256> letters{};
  for (const char* pair : {"\"\"", "\\\\", "\nn", "\rr", "\tt", "\bb", "\ff"}) {
    letters[static_cast<unsigned char>(pair[0])] = pair[1];
  }
  return letters;
}();

/// The character that a letter after a backslash represents; 0 if there is none, or for `u`.
constexpr auto unescapes = [] {
  std::array<char, 256> characters{};
  characters['/'] = '/';
  for (std::size_t c = 0; c < escapes.size(); ++c) {
    if (const char letter = escapes[c]; letter != 0)
      characters[static_cast<unsigned char>(letter)] = static_cast<char>(c);
  }
  return characters;
}();

/// Reads four hexadecimal digits at `p`; false if they are not.
bool read_hex4(const char* p, const char* end, std::uint32_t& value) noexcept {
  if (end - p < 4) return false;
  value = 0;
  for (const char c : std::string_view(p, 4)) {
    const int digit = hex_digit(c);
    if (digit < 0) return false;
    value = value * 16 + static_cast<std::uint32_t>(digit);
  }
  return true;
}

/// Appends the character of a `\u` escape; moves `p` after it, and after the second half of a surrogate pair.
bool append_code_unit(std::string& out, const char*& p, const char* end) {
  std::uint32_t unit = 0;
  if (!read_hex4(p, end, unit)) return false;
  p += 4;
  const bool high = unit >= 0xD800 && unit < 0xDC00;
  const bool low = unit >= 0xDC00 && unit < 0xE000;
  if (high && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
    std::uint32_t second = 0;
    if (!read_hex4(p + 2, end, second)) return false;
    if (second >= 0xDC00 && second < 0xE000) {
      p += 6;
      utf8::append(out, 0x10000 + ((unit - 0xD800) << 10U) + (second - 0xDC00));
      return true;
    }
  }
  if (high || low) {
    out += utf8::replacement;
  } else {
    utf8::append(out, unit);
  }
  return true;
}

}  // namespace

Run plain_run(const char* begin, const char* end) noexcept {
  // Apart, since GCC would keep a Run in memory and read it back right after writing its parts.
  const char* at = begin;
  bool ascii = true;
#if defined(__SSE2__)
  __m128i all = _mm_setzero_si128();
  const auto ends_in_block = [&] {
    const __m128i bytes = load(at);
    all = _mm_or_si128(all, bytes);
    const unsigned mask = mask_of(special(bytes));
    at += mask == 0 ? 16 : std::countr_zero(mask);
    return mask != 0;
  };
  bool ended = end - at >= 16 && ends_in_block();  // most runs are short
  while (!ended && end - at >= 64) {
    const __m128i block[] = {load(at), load(at + 16), load(at + 32), load(at + 48)};
    if (have_special(block)) break;
    all = _mm_or_si128(_mm_or_si128(_mm_or_si128(all, block[0]), block[1]), _mm_or_si128(block[2], block[3]));
    at += 64;
  }
  while (!ended && end - at >= 16) ended = ends_in_block();
  ascii = mask_of(all) == 0;
  if (ended) return {at, ascii};
#endif
  for (; at != end; ++at) {
    const auto c = static_cast<unsigned char>(*at);
    if (!is_plain(c)) break;
    ascii = ascii && c < 0x80;
  }
  return {at, ascii};
}

std::size_t invalid_utf8(std::string_view text) noexcept {
  if (text.empty() || simdjson::validate_utf8(text.data(), text.size())) return std::string_view::npos;
  for (std::size_t at = 0; at < text.size();) {
    const auto [kind, length] = utf8::first_character(text.substr(at));
    if (kind != utf8::Character::Kind::whole) return at;
    at += length;
  }
  return std::string_view::npos;
}

namespace {

/// Writes the escape of `c` at `to`, which must have room for six bytes; returns its end.
char* write_escape(char* to, unsigned char c) noexcept {
  constexpr const char* digits = "0123456789abcdef";
  to[0] = '\\';
  if (const char letter = escapes[c]; letter != 0) [[likely]] {
    to[1] = letter;
    return to + 2;
  }
  std::memcpy(to + 1, "u00", 3);
  to[4] = digits[c >> 4U];
  to[5] = digits[c & 15U];
  return to + 6;
}

/// The bytes that are looked at together.
constexpr std::ptrdiff_t stride = 16;
/// The output of two strides, plus the last full store.
constexpr std::ptrdiff_t margin = 2 * (6 * stride + stride);
/// Output is collected in a block, so that the string does not grow for each piece between two escapes.
using Block = char[1024];

/// The end of the output in the block, once there is room for two more strides behind it.
char* make_room(std::string& out, Block& block, char* to) {
  if (std::end(block) - to >= margin) [[likely]] {
    return to;
  }
  out += std::string_view(block, to);
  return block;
}

/// The end of the output in the block, and whether all of the text was ASCII.
struct Escaped {
  char* end{};
  bool ascii{true};
};

#if defined(__SSE2__)
/// Writes `count` bytes at `to`, escaped. Reads up to one stride further than it takes: the text after the
/// last escape is also copied as a full stride.
inline char* escape_stride(char* to, const char* from, std::ptrdiff_t count) noexcept {
  std::ptrdiff_t done = 0;
  for (auto mask = mask_of(special(load(from))) & ((1U << count) - 1); mask != 0; mask &= mask - 1) {
    const auto at = std::ptrdiff_t{std::countr_zero(mask)};
    store(to, load(from + done));
    to = write_escape(to + (at - done), static_cast<unsigned char>(from[at]));
    done = at + 1;
  }
  store(to, load(from + done));
  return to + (count - done);
}

inline Escaped escape(std::string& out, Block& block, std::string_view text) {
  char* to = block;
  const char* p = text.data();
  const char* const end = p + text.size();
  __m128i all = _mm_setzero_si128();
  for (; end - p >= 3 * stride; p += 2 * stride) {
    to = make_room(out, block, to);
    const __m128i first = load(p);
    const __m128i second = load(p + stride);
    all = _mm_or_si128(all, _mm_or_si128(first, second));
    if (mask_of(_mm_or_si128(special(first), special(second))) == 0) [[likely]] {
      store(to, first);
      store(to + stride, second);
      to += 2 * stride;
    } else {
      to = escape_stride(to, p, stride);
      to = escape_stride(to, p + stride, stride);
    }
  }
  if (auto left = end - p; left != 0) {
    char rest[4 * stride]{};
    std::memcpy(rest, p, static_cast<std::size_t>(left));
    for (const char* from = rest; left > 0; from += stride, left -= stride) {
      to = make_room(out, block, to);
      all = _mm_or_si128(all, load(from));
      to = escape_stride(to, from, std::min(stride, left));
    }
  }
  return {to, mask_of(all) == 0};
}
#else
inline Escaped escape(std::string& out, Block& block, std::string_view text) {
  char* to = block;
  bool ascii = true;
  for (const char byte : text) {
    to = make_room(out, block, to);
    const auto c = static_cast<unsigned char>(byte);
    ascii = ascii && c < 0x80;
    if (is_plain(c)) {
      *to++ = byte;
    } else {
      to = write_escape(to, c);
    }
  }
  return {to, ascii};
}
#endif

}  // namespace

std::string as_utf8(std::string_view text) {
  if (invalid_utf8(text) == std::string_view::npos) return std::string(text);
  std::string repaired;
  while (!text.empty()) {
    const auto [kind, length] = utf8::first_character(text);
    const bool whole = kind == utf8::Character::Kind::whole;
    repaired += whole ? text.substr(0, length) : utf8::replacement;
    text.remove_prefix(whole ? length : 1);
  }
  return repaired;
}

bool append_quoted(std::string& out, std::string_view text) {
  const char* const end = text.data() + text.size();
  const Run plain = plain_run(text.data(), end);
  bool ascii = plain.ascii;
  out += '"';
  out += std::string_view(text.data(), plain.end);  // append() of two pointers is a replacement, in more code
  if (plain.end != end) {
    Block block;
    const auto rest = escape(out, block, {plain.end, end});
    out += std::string_view(block, rest.end);
    ascii = ascii && rest.ascii;
  }
  out += '"';
  return ascii || simdjson::validate_utf8(text.data(), text.size());
}

void append_string(std::string& out, std::string_view text) {
  if (invalid_utf8(text) == std::string_view::npos) {
    append_quoted(out, text);
    return;
  }
  append_quoted(out, as_utf8(text));
}

bool append_unescaped(std::string& out, std::string_view inside) {
  const char* p = inside.data();
  const char* const end = p + inside.size();
  while (p != end) {
    const void* const found = std::memchr(p, '\\', static_cast<std::size_t>(end - p));
    const char* const backslash = found != nullptr ? static_cast<const char*>(found) : end;
    out += std::string_view(p, backslash);
    if (backslash == end) return true;
    if (backslash + 1 == end) return false;
    p = backslash + 2;
    if (const char c = unescapes[static_cast<unsigned char>(backslash[1])]; c != 0) [[likely]] {
      out += c;
    } else if (backslash[1] != 'u' || !append_code_unit(out, p, end)) {
      return false;
    }
  }
  return true;
}

}  // namespace inferwire::inline v0_1::json
