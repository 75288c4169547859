/// \file
/// What models, services and files say, as standard output may get it.
#pragma once

#include <string>
#include <string_view>

#include "cli/terminal/terminal.hpp"

namespace inferwire::inline v0_1::cli {

/// A text that comes in pieces. At a terminal it has no control characters other than line ends and tabs:
/// with them it could set the title, fill the clipboard or write over what stands there. Elsewhere it is as
/// it came.
class ForeignText {
 public:
  explicit ForeignText(bool at_terminal = output_is_seen()) noexcept : at_terminal_(at_terminal) {}

  /// What is to be printed with the next piece. A character that is cut waits for its rest.
  std::string shown(std::string_view piece);

 private:
  bool at_terminal_;
  std::string unfinished_{};
};

/// A whole text.
inline std::string shown(std::string_view text) { return ForeignText().shown(text); }

}  // namespace inferwire::inline v0_1::cli
