#include "engine/constraint/constraint.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <variant>

namespace inferwire::inline v0_1::engine {
namespace {

/// How many tokens more than necessary a text may take, so that long repetitions come to an end.
constexpr Cost patience = 1'500;

}  // namespace

Constraint::Constraint(std::shared_ptr<const Grammar> grammar, int budget, bool fills_lists)
    : machine_(std::move(grammar)),
      now_(machine_.start()),
      ahead_(1),
      mask_(machine_.grammar().vocabulary().size()),
      budget_(std::min(static_cast<Cost>(std::max(budget, 0)), plus(machine_.grammar().cost(), patience))),
      fills_lists_(fills_lists) {}

std::span<const std::uint8_t> Constraint::allowed() {
  const auto& vocabulary = machine_.grammar().vocabulary();
  std::ranges::fill(mask_, std::uint8_t{0});
  if (may_end()) {
    for (const auto token : vocabulary.ends()) mask_[static_cast<std::size_t>(token)] = 1;
  }
  // A text that does not fit takes the shortest way: every token must bring it nearer to its end.
  limit_ = std::max(budget_, machine_.left(now_));
  const auto* string = in_plain_string();
  if (string != nullptr) allow_plain(now_[0], *string);
  const auto& trie = string != nullptr ? vocabulary.others() : vocabulary.all();
  ahead_[0] = now_;
  const bool dropped = fills_lists_ && machine_.drop_empty_lists(ahead_[0]);
  walk(trie, trie.root(), 0);
  if (dropped && !allows_any()) {
    ahead_[0] = now_;
    walk(trie, trie.root(), 0);
  }
  return mask_;
}

bool Constraint::allows_any() const { return std::ranges::find(mask_, std::uint8_t{1}) != mask_.end(); }

/// The position between two characters of a string, if that is the only place where the text can be.
const AtString* Constraint::in_plain_string() const {
  const auto* at = now_.size() == 1 ? std::get_if<AtString>(&now_[0].at) : nullptr;
  return at != nullptr && at->next == AtString::Next::character_or_end ? at : nullptr;
}

/// Plain tokens inside a string need not be examined byte by byte: only their length matters.
void Constraint::allow_plain(const Frame& frame, const AtString& at) {
  const auto& string = std::get<FreeString>(machine_.grammar()[frame.node]);
  const auto& vocabulary = machine_.grammar().vocabulary();
  const auto fits = [&](std::uint32_t characters) {
    const auto count = at.characters + characters;
    const auto missing = string.length.least > count ? string.length.least - count : 0;
    return count <= string.length.most && plus(frame.rest, 2 + vocabulary.plain_tokens(missing)) <= limit_;
  };
  std::array<std::uint8_t, 256> fitting{};
  bool all_fit = true;
  for (std::uint32_t characters = 1; characters <= vocabulary.most_characters(); ++characters) {
    fitting[characters] = fits(characters) ? 1 : 0;
    all_fit &= fits(characters);
  }
  const auto plain = vocabulary.plain();
  if (all_fit) {
    std::ranges::transform(mask_, plain, mask_.begin(), std::bit_or());
  } else {
    const auto characters = vocabulary.characters();
    for (std::size_t token = 0; token < mask_.size(); ++token) {
      if (plain[token] != 0 && fitting[characters[token]] != 0) mask_[token] = 1;
    }
  }
}

void Constraint::walk(const Trie& trie, const Trie::Node& node, std::size_t level) {
  if (ahead_.size() == level + 1) ahead_.emplace_back();
  for (const auto& child : trie.children(node)) {
    const auto mark = machine_.mark();
    machine_.step(ahead_[level], static_cast<char>(child.byte), ahead_[level + 1]);
    if (!ahead_[level + 1].empty()) {
      if (child.token >= 0 && plus(machine_.left(ahead_[level + 1]), 1) <= limit_) {
        mask_[static_cast<std::size_t>(child.token)] = 1;
      }
      walk(trie, child, level + 1);
    }
    machine_.release(mark);
  }
}

void Constraint::advance(Token token) {
  if (budget_ > 0) --budget_;
  Frames next;
  for (const char byte : machine_.grammar().vocabulary().spelling(token)) {
    machine_.step(now_, byte, next);
    std::swap(now_, next);
  }
}

}  // namespace inferwire::inline v0_1::engine
