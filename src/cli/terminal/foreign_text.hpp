/// \file
/// Makes text from models, services and files safe for standard output.
#pragma once

#include "cli/terminal/terminal.hpp"

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::cli {

/// A text that arrives in pieces. For a terminal, control characters other than line ends and tabs are
/// removed: with them the text could set the title, fill the clipboard or overwrite the screen. Elsewhere it
/// is unchanged.
class ForeignText {
 public:
  explicit ForeignText(bool at_terminal = output_is_seen()) noexcept : at_terminal_(at_terminal) {}

  /// What to print for the next piece. An incomplete character is held back until the rest of it arrives.
  std::string shown(std::string_view piece);

 private:
  bool at_terminal_;
  std::string unfinished_{};
};

/// Does this for a complete text.
inline std::string shown(std::string_view text) { return ForeignText().shown(text); }

}  // namespace inferwire::inline v0_1::cli
