#include "engine/model/text.hpp"

#include <algorithm>

namespace inferwire::inline v0_1::engine {
namespace {

template <typename Belongs>
std::size_t run(std::string_view text, std::size_t from, std::size_t most, Belongs belongs) {
  const std::size_t end = std::min(text.size(), from + most);
  std::size_t at = from;
  while (at < end && belongs(text[at])) ++at;
  return at;
}

std::size_t length_of_spaces(std::string_view text) {
  const std::size_t spaces = run(text, 0, longest_word, [](char c) { return c == ' '; });
  const bool word_follows = spaces < text.size() && text[spaces] != ' ' && text[spaces] != '\n';
  return word_follows && spaces > 1 ? spaces - 1 : spaces;
}

}  // namespace

std::size_t word_length(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const bool led_by_space = text[0] == ' ' && text.size() > 1 && text[1] != ' ' && text[1] != '\n';
  if (text[0] == ' ' && !led_by_space) return length_of_spaces(text);

  const std::size_t first = led_by_space ? 1 : 0;
  const char kind = text[first];
  if (is_letter(kind)) return run(text, first, longest_word, is_letter);
  if (ascii::is_digit(kind)) return run(text, first, 3, ascii::is_digit);
  return run(text, first, longest_word, [kind](char c) { return c == kind; });
}

}  // namespace inferwire::inline v0_1::engine
