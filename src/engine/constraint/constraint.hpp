/// \file
/// Computes at each step which tokens keep a text within its grammar and its budget.
#pragma once

#include "engine/constraint/machine.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// A text that is being written. A token is allowed if the grammar permits it and the text can still be
/// completed with the remaining tokens. So a text that fits into its budget is always completed within it;
/// one that does not fit is written as far as the budget goes. Used by one thread at a time.
class Constraint {
 public:
  /// `budget`: the maximum number of tokens. Texts do not become much longer than necessary. With
  /// `fills_lists`, a list near the top of the document gets an element if there is room for one.
  Constraint(std::shared_ptr<const Grammar> grammar, int budget, bool fills_lists = false);

  /// For each token, 1 if it may come next; once the text is complete, only end markers may. Valid until the
  /// next call.
  std::span<const std::uint8_t> allowed();
  /// `token` must be an allowed one.
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
  std::vector<Frames> ahead_;  ///< indexed by the number of bytes looked ahead
  std::vector<std::uint8_t> mask_;
  Cost budget_;
  bool fills_lists_;
  Cost limit_{};  ///< the maximum cost of a token and everything that has to follow it
};

}  // namespace inferwire::inline v0_1::engine
