/// \file
/// Folds the pieces of objects that stream deltas carry and that no struct describes.
#pragma once

#include "inferwire/json.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::wire {

/// Joins some of the object's strings and keeps the last value of everything else; names beyond 256 are
/// dropped. Linear in the size of the input.
class ObjectFold {
 public:
  /// `joined`: the names of the strings that are joined; they must outlive the fold.
  explicit ObjectFold(std::span<const std::string_view> joined) : names_(joined), texts_(joined.size()) {}

  /// `piece` is an object.
  void add(const Json& piece);
  bool empty() const noexcept { return members_.empty(); }
  /// The complete object.
  Json take() &&;

 private:
  std::string* joined(std::string_view name) noexcept;

  std::span<const std::string_view> names_;
  std::vector<std::string> texts_;
  Extra members_;  ///< in order of first occurrence; for joined strings only the name is used
};

}  // namespace inferwire::inline v0_1::wire
