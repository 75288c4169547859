/// \file
/// The terminal that the program runs in.
#pragma once

#include "cli/terminal/line_editor.hpp"
#include "inferwire/cancel.hpp"

#include <csignal>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace inferwire::inline v0_1::cli {

/// Opens the standard streams that the program was started without, so that no file it opens gets their
/// descriptors. Reading and writing them fails, as it would have.
void fill_standard_streams() noexcept;

/// Whether standard output goes to a terminal.
bool output_is_seen() noexcept;
/// Whether standard error goes to a terminal on which a line can be overwritten.
bool errors_are_seen() noexcept;
/// The current width of the terminal that standard error goes to, in columns; 80 if it is unknown.
std::size_t errors_width() noexcept;
/// Whether both standard input and standard output are a terminal.
bool is_interactive() noexcept;
/// Whether the terminal obeys escape sequences: TERM is set, and not to "dumb".
bool obeys_sequences() noexcept;
/// Whether colours are wanted: at a terminal that has them, without the variable NO_COLOR
/// (https://no-color.org).
bool has_colours() noexcept;

/// `text` as it may be shown (foreign_text.hpp), faint where there are colours.
std::string dimmed(std::string_view text);

/// Reads lines with editing and a history, or as the terminal edits them if it obeys no escape sequences.
class LineReader {
 public:
  /// The next line; nullopt at the end of the input (Ctrl-D, or the terminal was closed).
  std::optional<std::string> read(std::string_view prompt);
  /// Forgets lines that were typed ahead, as a terminal does on Ctrl-C.
  void forget_typed() noexcept { typed_.clear(); }

 private:
  std::optional<std::string> read_plain(std::string_view prompt);
  /// Waits for bytes; false at the end of the input.
  bool receive();
  /// Feeds the editor, until a byte does more than change the line, and draws.
  LineEditor::Event edit(std::string_view prompt);
  void draw(std::string_view prompt) const;

  LineEditor editor_;
  std::string typed_;  // what has arrived and is not in the editor yet
};

/// During its lifetime, Ctrl-C does not end the program but cancels the token.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  CancelToken token() const noexcept { return source_.token(); }

 private:
  CancelSource source_;
  sigset_t before_{};
  std::thread thread_;  // waits for the signal
};

}  // namespace inferwire::inline v0_1::cli
