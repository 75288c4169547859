/// \file
/// Says at each step which tokens keep a text in its grammar, and within its budget.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/constraint/machine.hpp"

namespace inferwire::inline v0_1::engine {

/// One text under way. A token is allowed if the text goes on in the grammar with it and can still be ended
/// with the tokens that are left then. So a text that fits into its budget is always ended within it; one
/// that does not fit is written as far as it goes. Used by one thread at a time.
class Constraint {
 public:
  /// `budget`: the most tokens of the text. Texts are not drawn out much beyond what they need. With
  /// `fills_lists` a list near the top of the document has an element where there is room for one.
  Constraint(std::shared_ptr<const Grammar> grammar, int budget, bool fills_lists = false);

  /// For each token 1 if it may come next; nothing but end markers once the text may go no further. Valid
  /// until the next call.
  std::span<const std::uint8_t> allowed();
  /// `token` is one of those allowed.
  void advance(Token token);

  /// Whether the text may end here, and whether it has to.
  bool may_end() const { return machine_.may_end(now_); }
  bool has_to_end() const { return now_.size() == 1 && now_.front().node == no_node; }

 private:
  const AtString* in_plain_string() const;
  void allow_plain(const Frame& frame, const AtString& at);
  bool allows_any() const;
  void walk(const Trie& trie, const Trie::Node& node, std::size_t level);

  Machine machine_;
  Frames now_;
  std::vector<Frames> ahead_;  ///< by the bytes looked ahead
  std::vector<std::uint8_t> mask_;
  Cost budget_;
  bool fills_lists_;
  Cost limit_{};  ///< what a token may cost, with all that has to follow it
};

}  // namespace inferwire::inline v0_1::engine
