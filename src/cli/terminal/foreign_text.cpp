#include "cli/terminal/foreign_text.hpp"

#include "base/controls.hpp"

#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

/// The position of the incomplete character at the end of a text; the text's size if there is none.
std::size_t begin_of_unfinished(std::string_view text) {
  constexpr std::size_t most = 3;  // bytes of an incomplete character
  for (std::size_t at = text.size(); at > 0 && text.size() - at < most;) {
    if (!utf8::is_first_byte(text[--at])) continue;
    const auto last = utf8::first_character(text.substr(at));
    return last.kind == utf8::Character::Kind::unfinished ? at : text.size();
  }
  return text.size();
}

}  // namespace

std::string ForeignText::shown(std::string_view piece) {
  if (!at_terminal_) return std::string(piece);
  auto text = std::exchange(unfinished_, {}).append(piece);
  const auto end = begin_of_unfinished(text);
  unfinished_ = text.substr(end);
  text.resize(end);
  return utf8::without_controls(text, "", "\n\t");
}

}  // namespace inferwire::inline v0_1::cli
