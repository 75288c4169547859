/// \file
/// Folds the pieces of audio that stream deltas carry.
#pragma once

#include <string>

#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"

namespace inferwire::inline v0_1::chat {

/// `data` and `transcript` are joined, everything else is the last that came; names beyond 256
/// are left out. Linear in what comes.
class AudioFold {
 public:
  /// `piece` is an object.
  void add(const Json& piece);
  /// The whole; nothing when there was no piece.
  Optional<Json> take() &&;

 private:
  std::string* joined(std::string_view name) noexcept;

  Extra members_;  ///< in the order of their first coming; of the joined ones the name counts
  std::string data_;
  std::string transcript_;
};

}  // namespace inferwire::inline v0_1::chat
