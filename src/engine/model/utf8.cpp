#include "engine/model/utf8.hpp"

#include <cstddef>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// The beginning of a text as UTF-8 sees it.
struct Character {
  enum class Kind { whole, unfinished, invalid };
  Kind kind;
  std::size_t length;  ///< the length of the character, or of what is replaced
};

struct Lead {
  std::size_t length;          ///< the length of the character; 0: no character begins so
  unsigned char second_least;  ///< range of its second byte (Unicode table 3-7); later ones are 80..BF
  unsigned char second_most;
};

constexpr Lead lead(unsigned char byte) noexcept {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

Character first_character(std::string_view text) noexcept {
  const auto [length, second_least, second_most] = lead(static_cast<unsigned char>(text[0]));
  if (length == 0) return {Character::Kind::invalid, 1};
  for (std::size_t at = 1; at < length; ++at) {
    if (at == text.size()) return {Character::Kind::unfinished, at};
    const auto byte = static_cast<unsigned char>(text[at]);
    const unsigned char least = at == 1 ? second_least : 0x80;
    const unsigned char most = at == 1 ? second_most : 0xBF;
    if (byte < least || byte > most) return {Character::Kind::invalid, at};
  }
  return {Character::Kind::whole, length};
}

}  // namespace

std::string Utf8Assembler::feed(std::string_view bytes) {
  const std::string joined = std::exchange(unfinished_, {}).append(bytes);
  std::string out;
  out.reserve(joined.size());
  for (std::string_view rest = joined; !rest.empty();) {
    const auto [kind, length] = first_character(rest);
    if (kind == Character::Kind::unfinished) {
      unfinished_ = rest;
      break;
    }
    out += kind == Character::Kind::whole ? rest.substr(0, length) : replacement;
    rest.remove_prefix(length);
  }
  return out;
}

std::string Utf8Assembler::flush() {
  return std::exchange(unfinished_, {}).empty() ? std::string{} : std::string{replacement};
}

std::string to_utf8(std::string_view bytes) {
  Utf8Assembler assembler;
  std::string out = assembler.feed(bytes);
  return out += assembler.flush();
}

std::u32string to_code_points(std::string_view utf8) {
  std::u32string out;
  while (!utf8.empty()) {
    const auto [kind, length] = first_character(utf8);
    if (kind != Character::Kind::whole) {
      out += U'\uFFFD';
    } else {
      constexpr unsigned char lead_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
      char32_t value = static_cast<unsigned char>(utf8[0]) & lead_bits[length];
      for (std::size_t i = 1; i < length; ++i)
        value = value << 6 | (static_cast<unsigned char>(utf8[i]) & 0x3F);
      out += value;
    }
    utf8.remove_prefix(length);
  }
  return out;
}

void append_utf8(char32_t code_point, std::string& out) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((code_point >> shift) & 0x3F)); };
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    out += static_cast<char>(0xC0 | (code_point >> 6));
    tail(0);
  } else if (code_point < 0x10000) {
    out += static_cast<char>(0xE0 | (code_point >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | (code_point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace inferwire::inline v0_1::engine
