/// \file
/// A line as it is being typed: what each key does to it. Knows nothing of terminals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::cli {

/// Fed the bytes of the keys, escape sequences included. The text is UTF-8; the cursor stands before a
/// character and never within one.
class LineEditor {
 public:
  /// What a byte has led to.
  enum class Event : std::uint8_t {
    none,       ///< nothing that shows: a sequence that is not whole
    changed,    ///< text or cursor
    entered,    ///< the line is finished: see take()
    cancelled,  ///< Ctrl-C: the line is empty again
    ended,      ///< Ctrl-D on an empty line
  };

  Event feed(char byte);

  const std::string& text() const noexcept { return text_; }
  /// How many characters stand before the cursor, and how many there are.
  std::size_t cursor_column() const noexcept;
  std::size_t columns() const noexcept;

  /// The finished line, which becomes the newest of the history unless it is empty or repeats the one before.
  std::string take();
  const std::vector<std::string>& history() const noexcept { return history_; }

 private:
  Event control(char byte);
  Event sequence(char byte);
  Event erase(std::size_t begin, std::size_t end);
  Event recall(std::size_t place);
  std::size_t before(std::size_t at) const noexcept;
  std::size_t after(std::size_t at) const noexcept;

  std::string text_;
  std::size_t cursor_{};  // a byte of text_
  std::string sequence_;  // an escape sequence so far
  std::string draft_;     // what was being typed before the history was looked at
  std::vector<std::string> history_;
  std::size_t place_{};  // in the history; its size: the draft
};

}  // namespace inferwire::inline v0_1::cli
