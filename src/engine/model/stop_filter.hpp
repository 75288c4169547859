/// \file
/// Ends a text before the first stop string in it, without ever emitting a part of one.
#pragma once

#include "engine/utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// A string that is searched for (Knuth, Morris and Pratt).
struct StopString {
  explicit StopString(std::string stop);
  /// Reads one byte; true if it completes the string. `matched` is the length of the string's longest prefix
  /// with which the text ends.
  bool feed(char byte, std::uint32_t& matched) const;

  std::string text;
  std::vector<std::uint32_t> borders;  ///< for each length: the longest proper prefix that also ends it
};

/// Shared by all texts of a request; nullptr: none.
using StopStrings = std::shared_ptr<const std::vector<StopString>>;

/// Ignores empty stop strings; they are refused when the request is validated.
StopStrings to_stop_strings(const std::vector<std::string>& stops);

/// Works on bytes, independent of tokens. The whole text emitted depends only on the bytes fed, not on how
/// they were split: it is the bytes as valid UTF-8, up to the leftmost stop string. For each stop string,
/// time is linear in the bytes.
class StopFilter {
 public:
  struct Output {
    std::string emit;  ///< text that can no longer belong to a stop string; complete characters
    bool stopped;      ///< a stop string was found: nothing comes after this
  };

  explicit StopFilter(StopStrings stops);

  /// Holds back the longest end of the text that begins a stop string, and an unfinished character.
  Output feed(std::string_view bytes);

  /// Ends the text and emits what was held back. `stopped` if that contains a stop string, which had waited
  /// for a longer one around it (see `found_`).
  Output flush();

 private:
  /// Searches complete characters for the stop strings.
  Output pass(std::string text);
  Output stop_at(std::size_t held);

  Utf8Assembler characters_;
  StopStrings stops_;
  std::vector<std::uint32_t> matched_;  ///< how many bytes of each stop string
  std::string held_;                    ///< end of the text that may belong to a stop string
  /// The position in `held_` of a stop string that may not be the leftmost: a longer one that began before it
  /// may still be completed. If two begin together, the first one completed decides: the text emitted is the
  /// same.
  std::optional<std::size_t> found_;
  bool stopped_ = false;
};

}  // namespace inferwire::inline v0_1::engine
