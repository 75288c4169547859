/// \file
/// Ends a text before the first stop string in it, without ever showing a part of one.
#pragma once

#include "engine/model/utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// A string that is looked for (Knuth, Morris and Pratt).
struct StopString {
  explicit StopString(std::string stop);
  /// Reads one byte; true if it completes the string. `matched` is the length of the longest prefix of the
  /// string that the text ends with.
  bool feed(char byte, std::uint32_t& matched) const;

  std::string text;
  std::vector<std::uint32_t> borders;  ///< for each length: the longest proper prefix that also ends it
};

/// Shared by all texts that they end; nullptr: none.
using StopStrings = std::shared_ptr<const std::vector<StopString>>;

/// Empty stop strings are ignored; refusing them is the request's business.
StopStrings to_stop_strings(const std::vector<std::string>& stops);

/// Works on bytes, independent of tokens. The text given out, all together, depends only on the bytes fed,
/// never on how they were split: the bytes as valid UTF-8, up to the leftmost stop string. Time is linear in
/// the bytes for each stop string.
class StopFilter {
 public:
  struct Output {
    std::string emit;  ///< text that can no longer belong to a stop string; whole characters
    bool stopped;      ///< a stop string was found: nothing comes after this
  };

  explicit StopFilter(StopStrings stops);

  /// Holds back the longest end of the text so far that begins a stop string, and an unfinished character.
  Output feed(std::string_view bytes);

  /// The end of the text: gives out what was held back. `stopped` if a stop string was found in it after all,
  /// which had waited for a longer one around it (see `found_`).
  Output flush();

 private:
  /// Holds the stop strings against whole characters.
  Output pass(std::string text);
  Output stop_at(std::size_t held);

  Utf8Assembler characters_;
  StopStrings stops_;
  std::vector<std::uint32_t> matched_;  ///< how much of each stop string
  std::string held_;                    ///< end of the text that may belong to a stop string
  /// The place in `held_` where a stop string was found that is not the leftmost yet: a longer one that began
  /// before it may still be completed. Of two that begin together the first completed decides: what is given
  /// out is the same.
  std::optional<std::size_t> found_;
  bool stopped_ = false;
};

}  // namespace inferwire::inline v0_1::engine
