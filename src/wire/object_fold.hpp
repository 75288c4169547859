/// \file
/// Folds the pieces of objects that stream deltas carry and that no struct describes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inferwire/json.hpp"

namespace inferwire::inline v0_1::chat {

/// Some of its strings are joined, everything else is the last that came; names beyond 256 are left out.
/// Linear in what comes.
class ObjectFold {
 public:
  /// The names of the strings that are joined; they outlive the fold.
  explicit ObjectFold(std::span<const std::string_view> joined) : names_(joined), texts_(joined.size()) {}

  /// `piece` is an object.
  void add(const Json& piece);
  bool empty() const noexcept { return members_.empty(); }
  /// The whole.
  Json take() &&;

 private:
  std::string* joined(std::string_view name) noexcept;

  std::span<const std::string_view> names_;
  std::vector<std::string> texts_;
  Extra members_;  ///< in the order of their first coming; of the joined ones the name counts
};

}  // namespace inferwire::inline v0_1::chat
