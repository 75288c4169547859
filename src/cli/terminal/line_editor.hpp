/// \file
/// A line that is being edited: what each key does to it. Independent of terminals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::cli {

/// Fed the bytes of the keys, escape sequences included. The text is UTF-8; the cursor is always between
/// characters, never within one. Line ends of what is pasted belong to the text, if the terminal marks the
/// paste by the sequences 200~ and 201~ ("bracketed paste"); other control characters in it are left out.
/// Ctrl-C works within a paste, too, so that one without an end can be left.
class LineEditor {
 public:
  /// The effect of a byte.
  enum class Event : std::uint8_t {
    none,       ///< nothing visible, such as part of an escape sequence
    changed,    ///< text or cursor
    entered,    ///< the line is finished: see take()
    cancelled,  ///< Ctrl-C: the line is empty again
    ended,      ///< Ctrl-D on an empty line
  };

  Event feed(char byte);

  const std::string& text() const noexcept { return text_; }
  /// The number of bytes before the cursor.
  std::size_t cursor() const noexcept { return cursor_; }

  /// The finished line, which becomes the newest of the history unless it is empty or repeats the one before.
  std::string take();
  const std::vector<std::string>& history() const noexcept { return history_; }

 private:
  Event insert(char byte);
  Event control(char byte);
  Event pasted_control(char byte);
  Event sequence(char byte);
  Event erase(std::size_t begin, std::size_t end);
  Event recall(std::size_t place);
  std::size_t before(std::size_t at) const noexcept;
  std::size_t after(std::size_t at) const noexcept;

  std::string text_;
  std::size_t cursor_{};  // a byte of text_
  std::string sequence_;  // an escape sequence so far
  std::string draft_;     // the text that was being typed before moving into the history
  std::vector<std::string> history_;
  std::size_t place_{};  // in the history; its size: the draft
  bool pasting_{};
  bool after_return_{};  // the last byte that was pasted is a carriage return
};

/// The visible part of a text that may be longer than the line.
struct LineView {
  std::string text{};            ///< the part of the line that fits
  std::size_t columns{};         ///< how many it takes
  std::size_t cursor_columns{};  ///< before the cursor
};

/// The part of `text` around the cursor, which is after `cursor` bytes, that fits into `columns`. A line end
/// is shown as an arrow, a tab as a space. The time it takes depends on `columns`, not on the size of the
/// text.
LineView view_of(std::string_view text, std::size_t cursor, std::size_t columns);

/// How many columns of a terminal a text takes: two for most of East Asia and for emoji, none for accents
/// that combine with the previous letter. A byte that is not valid UTF-8 takes one.
std::size_t columns_of(std::string_view text);

}  // namespace inferwire::inline v0_1::cli
