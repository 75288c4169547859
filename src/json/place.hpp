/// \file
/// The place of a value in its document.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::json {

/// A chain of steps up to the root, formatted only if there is an error. Lives on the caller's stack. The
/// first step is the root or, if it has a name, a member of the root.
struct Place {
  static constexpr auto no_element = static_cast<std::size_t>(-1);

  const Place* above{};
  std::string_view name{};
  std::size_t index{no_element};

  Place member(std::string_view of) const { return {.above = this, .name = of}; }
  Place element(std::size_t of) const { return {.above = this, .index = of}; }
  /// "messages[0].role"
  std::string text() const;
};

}  // namespace inferwire::inline v0_1::json
