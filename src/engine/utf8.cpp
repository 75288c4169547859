#include "engine/utf8.hpp"

#include "base/utf8.hpp"

#include <cstddef>
#include <utility>

namespace inferwire::inline v0_1::engine {

std::string Utf8Assembler::feed(std::string_view bytes) {
  const std::string joined = std::exchange(unfinished_, {}).append(bytes);
  std::string out;
  out.reserve(joined.size());
  for (std::string_view rest = joined; !rest.empty();) {
    const auto [kind, length] = utf8::first_character(rest);
    if (kind == utf8::Character::Kind::unfinished) {
      unfinished_ = rest;
      break;
    }
    out += kind == utf8::Character::Kind::whole ? rest.substr(0, length) : utf8::replacement;
    rest.remove_prefix(length);
  }
  return out;
}

std::string Utf8Assembler::flush() {
  return std::exchange(unfinished_, {}).empty() ? std::string{} : std::string{utf8::replacement};
}

std::string to_utf8(std::string_view bytes) {
  Utf8Assembler assembler;
  std::string out = assembler.feed(bytes);
  return out += assembler.flush();
}

std::string shortened(std::string_view text) {
  constexpr std::size_t most = 64;
  if (text.size() <= most) return std::string(text);
  return std::string(utf8::whole_characters(text, most)) + "...";
}

std::u32string to_code_points(std::string_view text) {
  std::u32string out;
  while (!text.empty()) {
    const auto [kind, length] = utf8::first_character(text);
    const bool is_whole = kind == utf8::Character::Kind::whole;
    out += is_whole ? utf8::code_point(text.substr(0, length)) : U'\uFFFD';
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace inferwire::inline v0_1::engine
