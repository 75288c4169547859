/// \file
/// Folds lists of objects that stream deltas carry piece by piece and that no struct describes.
#pragma once

#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"
#include "wire/object_fold.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::wire {

/// A list of blocks whose pieces arrive in deltas, identified by their index; if all have the same index, a
/// different type begins the next block. Pieces without an index whose texts are joined continue the last
/// block of their type until it is signed. OpenRouter's `reasoning_details` and LiteLLM's `thinking_blocks`
/// must be sent back unchanged, including signatures.
class BlocksFold {
 public:
  /// `name`: the member of deltas and messages that holds the list. `joined`: the strings of a block that are
  /// joined. Both must outlive the fold.
  BlocksFold(std::string_view name, std::span<const std::string_view> joined)
      : name_(name), joined_(joined) {}

  void add(const Extra& extra);
  /// Sets the member, if there were any pieces.
  void take_into(Extra& extra) &&;

 private:
  struct Block {
    Optional<std::int64_t> index{};
    std::string type{};
    ObjectFold object;
    bool whole{};  ///< has its last member: its signature, or its data
  };

  Block* block_of(const Json& piece);

  std::string_view name_;
  std::span<const std::string_view> joined_;
  std::vector<Block> blocks_{};
};

}  // namespace inferwire::inline v0_1::wire
