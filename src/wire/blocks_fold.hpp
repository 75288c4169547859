/// \file
/// Folds lists of objects that stream deltas carry piece by piece and that no struct describes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"
#include "wire/object_fold.hpp"

namespace inferwire::inline v0_1::chat {

/// A list of blocks of which deltas bring pieces by their index; where all have the same one, another type
/// begins the next block. Where there are none, a piece whose texts are joined goes on with the last block of
/// its type until that is signed. OpenRouter's `reasoning_details` and LiteLLM's `thinking_blocks` have to go
/// back as they were, signatures and all.
class BlocksFold {
 public:
  /// The member of deltas and message that the list is, and the strings of a block that are joined. Both
  /// outlive the fold.
  BlocksFold(std::string_view name, std::span<const std::string_view> joined)
      : name_(name), joined_(joined) {}

  void add(const Extra& extra);
  /// Sets the member, if any piece came.
  void take_into(Extra& extra) &&;

 private:
  struct Block {
    Optional<std::int64_t> index{};
    std::string type{};
    ObjectFold object;
    bool whole{};  ///< has what comes last: its signature, or its data
  };

  Block* block_of(const Json& piece);

  std::string_view name_;
  std::span<const std::string_view> joined_;
  std::vector<Block> blocks_{};
};

}  // namespace inferwire::inline v0_1::chat
