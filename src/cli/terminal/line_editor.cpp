#include "cli/terminal/line_editor.hpp"

#include "base/utf8.hpp"

#include <locale.h>
#include <wchar.h>

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

constexpr char escape = '\x1b';
constexpr std::string_view gaps = " \t\n";  // between words

/// The key that is typed together with Ctrl.
constexpr char with_control(char key) { return static_cast<char>(key & 0x1f); }

/// The columns of one character.
std::size_t width_of(std::string_view character) {
  if (character.size() == 1) return 1;
  static const locale_t unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  const auto before = unicode != nullptr ? uselocale(unicode) : nullptr;
  const int width = wcwidth(static_cast<wchar_t>(utf8::code_point(character)));
  if (before != nullptr) uselocale(before);
  return width < 0 ? 1 : static_cast<std::size_t>(width);
}

/// How long the character at the end of a text is, in bytes; the same characters result as from the
/// beginning.
std::size_t size_of_last(std::string_view text) {
  constexpr std::size_t most = 4;
  for (std::size_t size = 1; size <= std::min(most, text.size()); ++size) {
    const auto end = text.substr(text.size() - size);
    if (utf8::is_first_byte(end.front())) return utf8::first_character(end).length == size ? size : 1;
  }
  return 1;
}

/// A text with line ends and tabs as visible characters of one column.
std::string on_one_line(std::string_view text) {
  constexpr std::string_view arrow = "\xe2\x86\xb5";  // U+21B5
  std::string line;
  for (const char byte : text) {
    if (byte == '\n') {
      line += arrow;
    } else {
      line += byte == '\t' ? ' ' : byte;
    }
  }
  return line;
}

}  // namespace

LineEditor::Event LineEditor::feed(char byte) {
  if (!sequence_.empty() || byte == escape) return sequence(byte);
  const auto code = static_cast<unsigned char>(byte);
  const bool is_control = code < 0x20 || code == 0x7f;
  if (is_control && pasting_) return pasted_control(byte);
  after_return_ = false;
  return is_control ? control(byte) : insert(byte);
}

std::string LineEditor::take() {
  std::string line = std::exchange(text_, {});
  cursor_ = 0;
  if (!line.empty() && (history_.empty() || history_.back() != line)) history_.push_back(line);
  place_ = history_.size();
  return line;
}

LineEditor::Event LineEditor::insert(char byte) {
  text_.insert(cursor_++, 1, byte);
  return Event::changed;
}

LineEditor::Event LineEditor::control(char byte) {
  switch (byte) {
    case '\t': return insert(byte);
    case '\r':
    case '\n': return Event::entered;
    case '\x7f':
    case with_control('H'): return erase(before(cursor_), cursor_);
    case with_control('A'): cursor_ = 0; return Event::changed;
    case with_control('E'): cursor_ = text_.size(); return Event::changed;
    case with_control('B'): cursor_ = before(cursor_); return Event::changed;
    case with_control('F'): cursor_ = after(cursor_); return Event::changed;
    case with_control('K'): return erase(cursor_, text_.size());
    case with_control('U'): return erase(0, cursor_);
    case with_control('W'): {
      const auto word = text_.find_last_not_of(gaps, cursor_ == 0 ? 0 : cursor_ - 1);
      const auto gap = word == std::string::npos ? word : text_.find_last_of(gaps, word);
      return erase(gap == std::string::npos ? 0 : gap + 1, cursor_);
    }
    case with_control('P'): return place_ == 0 ? Event::none : recall(place_ - 1);
    case with_control('N'): return place_ == history_.size() ? Event::none : recall(place_ + 1);
    case with_control('C'):
      text_.clear();
      cursor_ = 0;
      place_ = history_.size();
      pasting_ = false;
      return Event::cancelled;
    case with_control('D'): return text_.empty() ? Event::ended : erase(cursor_, after(cursor_));
    default: return Event::none;
  }
}

/// Takes CR, LF and CR LF for one line end: most terminals paste CR.
LineEditor::Event LineEditor::pasted_control(char byte) {
  const bool ends_return = std::exchange(after_return_, byte == '\r') && byte == '\n';
  switch (byte) {
    case '\n': return ends_return ? Event::none : insert('\n');
    case '\r': return insert('\n');
    case '\t': return insert('\t');
    case with_control('C'): return control(byte);
    default: return Event::none;
  }
}

/// Escape, then "[" or "O", then parameters, then a letter or "~".
LineEditor::Event LineEditor::sequence(char byte) {
  if (byte == escape) sequence_.clear();
  sequence_ += byte;
  if (const auto lead = sequence_.size() > 1 ? static_cast<unsigned char>(sequence_[1]) : 0U; lead >= 0xC0) {
    // All bytes of a letter that was typed together with Alt.
    const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (sequence_.size() > size) sequence_.clear();
    return Event::none;
  }
  if (sequence_.size() < 3) {
    const bool may_go_on = byte == escape || byte == '[' || byte == 'O';
    if (!may_go_on) sequence_.clear();
    return Event::none;
  }
  if (byte >= '0' && byte <= ';') return Event::none;
  const auto keys = std::exchange(sequence_, {}).substr(2);
  if (keys == "200~" || keys == "201~") {
    pasting_ = keys == "200~";
    after_return_ = false;
  }
  if (pasting_) return Event::none;
  if (keys == "A") return control(with_control('P'));
  if (keys == "B") return control(with_control('N'));
  if (keys == "C") return control(with_control('F'));
  if (keys == "D") return control(with_control('B'));
  if (keys == "H" || keys == "1~") return control(with_control('A'));
  if (keys == "F" || keys == "4~") return control(with_control('E'));
  if (keys == "3~") return erase(cursor_, after(cursor_));
  return Event::none;
}

LineEditor::Event LineEditor::erase(std::size_t begin, std::size_t end) {
  text_.erase(begin, end - begin);
  cursor_ = begin;
  return Event::changed;
}

LineEditor::Event LineEditor::recall(std::size_t place) {
  if (place_ == history_.size()) draft_ = text_;
  place_ = place;
  text_ = place_ == history_.size() ? draft_ : history_[place_];
  cursor_ = text_.size();
  return Event::changed;
}

std::size_t LineEditor::before(std::size_t at) const noexcept {
  if (at == 0) return 0;
  do --at;
  while (at > 0 && !utf8::is_first_byte(text_[at]));
  return at;
}

std::size_t LineEditor::after(std::size_t at) const noexcept {
  if (at < text_.size()) ++at;
  while (at < text_.size() && !utf8::is_first_byte(text_[at])) ++at;
  return at;
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const auto size = utf8::first_character(text).length;
    columns += width_of(text.substr(0, size));
    text.remove_prefix(size);
  }
  return columns;
}

LineView view_of(std::string_view text, std::size_t cursor, std::size_t columns) {
  std::size_t begin = cursor;
  std::size_t ahead = 0;
  while (begin > 0) {
    const auto size = size_of_last(text.substr(0, begin));
    const auto more = columns_of(text.substr(begin - size, size));
    if (ahead + more > columns) break;
    ahead += more;
    begin -= size;
  }
  std::size_t end = cursor;
  auto used = ahead;
  while (end < text.size()) {
    const auto size = utf8::first_character(text.substr(end)).length;
    const auto more = columns_of(text.substr(end, size));
    if (used + more > columns) break;
    used += more;
    end += size;
  }
  return {on_one_line(text.substr(begin, end - begin)), used, ahead};
}

}  // namespace inferwire::inline v0_1::cli
