/// \file
/// Texts in UTF-8: assembled from pieces, repaired, shortened, decoded.
#pragma once

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// Passes characters on as soon as they are complete. Invalid bytes become U+FFFD, one for each maximal
/// beginning of a character (Unicode 15, 3.9, "U+FFFD substitution of maximal subparts"), so that the result
/// does not depend on how the bytes were split.
class Utf8Assembler {
 public:
  /// Returns the characters completed by `bytes`; at most 3 bytes are held back.
  std::string feed(std::string_view bytes);

  /// U+FFFD if an unfinished character was held back, else nothing.
  std::string flush();

 private:
  std::string unfinished_;
};

/// `bytes` as valid UTF-8, with invalid sequences replaced.
std::string to_utf8(std::string_view bytes);

/// What a message shows of a caller's text: all, or its first characters and "...".
std::string shortened(std::string_view text);

/// The characters of `text`, with one U+FFFD for each invalid byte.
std::u32string to_code_points(std::string_view text);

}  // namespace inferwire::inline v0_1::engine
