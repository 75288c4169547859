#include "engine/constraint/vocabulary.hpp"

#include "base/immortal.hpp"
#include "base/utf8.hpp"
#include "engine/utf8.hpp"

#include <algorithm>
#include <mutex>

namespace inferwire::inline v0_1::engine {
namespace {

bool is_plain(std::string_view spelling) {
  constexpr std::size_t longest = 255;
  if (spelling.empty() || spelling.size() > longest) return false;
  const bool special = std::ranges::any_of(spelling, [](char byte) {
    return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F || byte == '"' || byte == '\\';
  });
  return !special && to_utf8(spelling) == spelling;
}

std::vector<std::string> spellings_of(const LanguageModel& model) {
  std::vector<std::string> spellings;
  for (Token token = 0; token < model.vocabulary_size(); ++token) {
    spellings.emplace_back(model.is_end(token) ? std::string_view() : model.token_bytes(token));
  }
  return spellings;
}

/// The vocabularies of the models that exist. Safe from any thread; runs nothing of a model, since that would
/// be under the lock.
class KnownVocabularies {
 public:
  /// nullptr if it is not known. `model` must not end meanwhile.
  std::shared_ptr<const Vocabulary> find(const LanguageModel& model) {
    const std::lock_guard lock(mutex_);
    return find_locked(model);
  }

  /// Returns the one that is known if another thread was quicker.
  std::shared_ptr<const Vocabulary> add(const std::shared_ptr<const LanguageModel>& model,
                                        std::shared_ptr<const Vocabulary> made) {
    const std::lock_guard lock(mutex_);
    if (auto found = find_locked(*model)) return found;
    return entries_.emplace_back(Entry{model.get(), model, std::move(made)}).vocabulary;
  }

 private:
  struct Entry {
    const LanguageModel* address;
    std::weak_ptr<const LanguageModel> model;
    std::shared_ptr<const Vocabulary> vocabulary;
  };

  std::shared_ptr<const Vocabulary> find_locked(const LanguageModel& model) {
    std::erase_if(entries_, [](const Entry& entry) { return entry.model.expired(); });
    const auto found = std::ranges::find(entries_, &model, &Entry::address);
    return found == entries_.end() ? nullptr : found->vocabulary;
  }

  std::mutex mutex_;
  std::vector<Entry> entries_;  // guarded by `mutex_`
};

}  // namespace

Trie::Trie(std::vector<std::pair<std::string_view, Token>> spellings) {
  std::ranges::sort(spellings);
  // Children of a node are adjacent: nodes are made level by level, each from the spellings with its prefix.
  struct Group {
    std::size_t begin;
    std::size_t end;
    std::size_t length;
  };
  std::vector<Group> groups{{0, spellings.size(), 0}};
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    auto [begin, end, length] = groups[at];
    for (; begin < end && spellings[begin].first.size() == length; ++begin) {
      if (nodes_[at].token < 0) nodes_[at].token = spellings[begin].second;
    }
    nodes_[at].first_child = static_cast<std::uint32_t>(nodes_.size());
    while (begin < end) {
      const char byte = spellings[begin].first[length];
      auto next = begin;
      while (next < end && spellings[next].first[length] == byte) ++next;
      nodes_.push_back({.byte = static_cast<std::uint8_t>(byte)});
      groups.push_back({begin, next, length + 1});
      ++nodes_[at].children;
      begin = next;
    }
  }
}

Vocabulary::Vocabulary(const LanguageModel& model)
    : spellings_(spellings_of(model)), plain_(spellings_.size()), characters_(spellings_.size()) {
  for (Token token = 0; token < model.vocabulary_size(); ++token) {
    if (model.is_end(token)) ends_.push_back(token);
  }
  find_plain();
  all_ = trie(true);
  others_ = trie(false);
}

void Vocabulary::find_plain() {
  for (std::size_t at = 0; at < spellings_.size(); ++at) {
    if (!is_plain(spellings_[at])) continue;
    characters_[at] = static_cast<std::uint8_t>(utf8::characters_in(spellings_[at]));
  }
  while (std::ranges::find(characters_, most_characters_ + 1) != characters_.end()) ++most_characters_;
  for (std::size_t at = 0; at < plain_.size(); ++at) {
    plain_[at] = characters_[at] > 0 && characters_[at] <= most_characters_ ? 1 : 0;
  }
}

Trie Vocabulary::trie(bool plain_too) const {
  std::vector<std::pair<std::string_view, Token>> spellings;
  for (std::size_t at = 0; at < spellings_.size(); ++at) {
    if (spellings_[at].empty() || (!plain_too && plain_[at] != 0)) continue;
    spellings.emplace_back(spellings_[at], static_cast<Token>(at));
  }
  return Trie(std::move(spellings));
}

std::vector<Cost> Vocabulary::tokens_left(std::string_view text) const {
  std::vector<Cost> left(text.size() + 1, unreachable);
  left.back() = 0;
  for (std::size_t from = text.size(); from-- > 0;) {
    const auto* node = &all_.root();
    for (std::size_t to = from; to < text.size(); ++to) {
      const auto children = all_.children(*node);
      const auto byte = static_cast<std::uint8_t>(text[to]);
      const auto child = std::ranges::lower_bound(children, byte, {}, &Trie::Node::byte);
      if (child == children.end() || child->byte != byte) break;
      node = &*child;
      if (node->token >= 0) left[from] = std::min(left[from], plus(1, left[to + 1]));
    }
  }
  return left;
}

std::shared_ptr<const Vocabulary> vocabulary_of(const std::shared_ptr<const LanguageModel>& model) {
  static Immortal<KnownVocabularies> known;
  if (auto found = known.value.find(*model)) return found;
  return known.value.add(model, std::make_shared<const Vocabulary>(*model));
}

}  // namespace inferwire::inline v0_1::engine
