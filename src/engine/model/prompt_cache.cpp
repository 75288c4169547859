#include "engine/model/prompt_cache.hpp"

#include "base/ascii.hpp"
#include "engine/model/text.hpp"
#include "engine/model/vector_math.hpp"

#include <algorithm>
#include <array>

namespace inferwire::inline v0_1::engine {
namespace {

/// How many tokens at the end of the prompt are read, and the number of nodes: bounds on time and memory.
constexpr std::size_t most_cached_tokens = 4096;
constexpr std::size_t most_cached_nodes = 512;

/// The maximum share of the cache at the beginning of a word, and how many times more likely it may make a
/// word. Without the second limit, words would appear where they make no sense.
constexpr float most_share = 0.1F;
constexpr float most_gain = 12.0F;

/// Inside a word of the prompt: the share of its next tokens.
constexpr float spelling_share = 0.5F;

/// Instructions weigh more than questions.
constexpr float system_weight = 2.0F;

/// Words of four letters and more that say nothing about the topic, sorted. Shorter words are never cached.
constexpr std::array<std::string_view, 64> common_words{
    "about", "after", "again", "also",  "answer", "because", "been",  "before", "best", "both", "could",
    "does",  "down",  "each",  "even",  "every",  "explain", "from",  "give",   "have", "here", "into",
    "just",  "know",  "like",  "list",  "made",   "make",    "many",  "might",  "more", "most", "much",
    "must",  "need",  "only",  "other", "over",   "please",  "same",  "should", "some", "such", "tell",
    "than",  "that",  "their", "them",  "then",   "there",   "these", "they",   "this", "very", "want",
    "well",  "were",  "what",  "when",  "which",  "will",    "with",  "would",  "your"};
static_assert(std::is_sorted(common_words.begin(), common_words.end()));

constexpr std::size_t shortest_word = 4;

bool has_topic(const std::string& word) {
  if (word.size() < shortest_word) return false;
  return !std::ranges::binary_search(common_words, ascii::to_lower(word));
}

}  // namespace

PromptCache::PromptCache(const Tokenizer& tokenizer, std::span<const Token> prompt) {
  if (prompt.size() > most_cached_tokens) prompt = prompt.last(most_cached_tokens);
  std::string turn;
  float weight = 1;
  for (const Token token : prompt) {
    if (!tokenizer.is_special(token)) {
      turn += tokenizer.bytes(token);
      continue;
    }
    add_words(tokenizer, turn, weight);
    turn.clear();
    weight = token == tokenizer.token(Special::system) ? system_weight : 1;
  }
  add_words(tokenizer, turn, weight);
}

void PromptCache::add_words(const Tokenizer& tokenizer, std::string_view text, float weight) {
  bool begins_sentence = true;
  while (!text.empty()) {
    const std::size_t length = word_length(text);
    std::string word{text.substr(text[0] == ' ' ? 1 : 0, length - (text[0] == ' ' ? 1 : 0))};
    text.remove_prefix(length);
    if (word.empty()) continue;
    if (is_letter(word[0])) {
      // A capital at the beginning of a sentence is not part of the word's spelling.
      if (begins_sentence) word[0] = ascii::to_lower(word[0]);
      if (has_topic(word)) add_word(tokenizer, std::move(word), weight);
      begins_sentence = false;
    } else {
      begins_sentence = word[0] == '.' || word[0] == '!' || word[0] == '?' || word[0] == '\n';
    }
  }
}

void PromptCache::add_word(const Tokenizer& tokenizer, std::string word, float weight) {
  Place place = 0;
  for (const Token token : tokenizer.encode(word.insert(0, 1, ' '), false)) {
    Place next = child(place, token);
    if (next == 0) {
      if (nodes_.size() == most_cached_nodes) return;
      next = static_cast<Place>(nodes_.size());
      nodes_.push_back({token, 0, 0, nodes_[place].first_child});
      nodes_[place].first_child = next;
    }
    nodes_[next].weight += weight;
    place = next;
  }
}

PromptCache::Place PromptCache::child(Place parent, Token token) const {
  Place at = nodes_[parent].first_child;
  while (at != 0 && nodes_[at].token != token) at = nodes_[at].next_sibling;
  return at;
}

PromptCache::Place PromptCache::advance(Place place, Token token) const {
  const Place inside = child(place, token);
  return inside != 0 || place == 0 ? inside : child(0, token);
}

void PromptCache::mix(Place place, std::span<float> probabilities) const {
  const Node& node = nodes_[place];
  if (place != 0 && node.first_child != 0) return mix_continuations(node, probabilities);
  mix_beginnings(probabilities);
}

void PromptCache::mix_beginnings(std::span<float> probabilities) const {
  float heaviest = 0;
  float fitting = 0;
  for (Place at = nodes_[0].first_child; at != 0; at = nodes_[at].next_sibling) {
    heaviest = std::max(heaviest, nodes_[at].weight);
    fitting += nodes_[at].weight * probabilities[static_cast<std::size_t>(nodes_[at].token)];
  }
  if (fitting < smallest_probability) return;
  const float share = std::min(most_share, most_gain * fitting / heaviest);
  // Each beginning gets its part of the share by its original probability: the gain makes up for scaling.
  const float gain = share / (fitting * (1 - share));
  scale(probabilities, 1 - share, probabilities);
  for (Place at = nodes_[0].first_child; at != 0; at = nodes_[at].next_sibling) {
    float& probability = probabilities[static_cast<std::size_t>(nodes_[at].token)];
    probability += probability * gain * nodes_[at].weight;
  }
}

void PromptCache::mix_continuations(const Node& word, std::span<float> probabilities) const {
  // Some words may end here, so only the share of those that go on is taken.
  const float share = spelling_share;
  float going_on = 0;
  for (Place at = word.first_child; at != 0; at = nodes_[at].next_sibling) going_on += nodes_[at].weight;
  const float taken = share * going_on / word.weight;
  scale(probabilities, 1 - taken, probabilities);
  for (Place at = word.first_child; at != 0; at = nodes_[at].next_sibling) {
    probabilities[static_cast<std::size_t>(nodes_[at].token)] += share * nodes_[at].weight / word.weight;
  }
}

}  // namespace inferwire::inline v0_1::engine
