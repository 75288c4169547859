/// \file
/// Finds the end of a document while it arrives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace inferwire::inline v0_1::json {

/// Follows a text that grows, to the end of its first object or list.
class DocumentEnd {
 public:
  /// Whether `text`, which only grew since it was last asked for, is one whole object or list: nothing but
  /// white space may follow. Brackets are counted on from where they were, and what is between them is
  /// checked once, when they are closed.
  bool is_reached(std::string_view text);

 private:
  enum class State : std::uint8_t {
    open,
    in_string,
    whole,
    broken,  // more will not make a document of it
  };

  State state_{};
  std::size_t seen_{};
  std::int64_t depth_{};
};

}  // namespace inferwire::inline v0_1::json
