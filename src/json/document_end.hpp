/// \file
/// Finds the end of a document while it is received.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace inferwire::inline v0_1::json {

/// Follows a growing text to the end of its first object or list.
class DocumentEnd {
 public:
  /// Whether `text`, to which only text was added since the last call, is one complete object or list,
  /// followed at most by white space. Counting brackets continues from the last position, and the contents
  /// are checked once, when all brackets are closed.
  bool is_reached(std::string_view text);

 private:
  enum class State : std::uint8_t {
    open,
    in_string,
    whole,
    broken,  // no further text can make it a document
  };

  State state_{};
  std::size_t seen_{};
  std::int64_t depth_{};
};

}  // namespace inferwire::inline v0_1::json
