#include "engine/model/retrieval.hpp"

#include "base/ascii.hpp"
#include "engine/model/text.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

constexpr std::size_t most_examples = 3;

/// Questions that share only common words stay below this.
constexpr float least_likeness = 0.12F;

/// How many tokens at the end of a turn are read: a bound on time.
constexpr std::size_t most_tokens = 256;

using Words = std::vector<std::string>;

/// The key of a word: in lower case and singular.
std::string key_of(std::string_view word) {
  auto key = ascii::to_lower(word);
  if (key.size() > 3 && key.ends_with('s') && !key.ends_with("ss")) key.pop_back();
  return key;
}

void add_words(const Tokenizer& tokenizer, std::span<const Token> turn, Words& words) {
  if (turn.size() > most_tokens) turn = turn.last(most_tokens);
  std::string bytes;
  for (const Token token : turn) bytes += tokenizer.bytes(token);
  for (std::string_view text = bytes; !text.empty();) {
    std::string_view word = text.substr(0, word_length(text));
    text.remove_prefix(word.size());
    if (word.starts_with(' ')) word.remove_prefix(1);
    if (!word.empty() && (is_letter(word[0]) || ascii::is_digit(word[0]))) words.push_back(key_of(word));
  }
}

void make_distinct(Words& words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

/// Whether an answer begins like a sentence.
bool is_prose(std::string_view answer) {
  if (answer.empty()) return false;
  const bool is_small_letter = answer[0] >= 'a' && answer[0] <= 'z';
  return ascii::is_digit(answer[0]) || (is_letter(answer[0]) && !is_small_letter);
}

/// Calls `visit(turn)` for every turn of a text, with the special token that opens it.
template <class Visit>
void each_turn(const Tokenizer& tokenizer, std::span<const Token> text, Visit visit) {
  const auto opens = [&](Token token) { return tokenizer.is_special(token); };
  for (auto turn = std::find_if(text.begin(), text.end(), opens); turn != text.end();) {
    const auto next = std::find_if(turn + 1, text.end(), opens);
    visit(std::span<const Token>{turn, next});
    turn = next;
  }
}

/// The importance of a word that occurs in this many questions.
float importance(std::size_t questions) { return 1 / std::sqrt(static_cast<float>(questions)); }

}  // namespace

Retrieval::Retrieval(const Tokenizer& tokenizer, std::span<const Token> corpus) {
  std::vector<Words> questions;
  Words words;
  each_turn(tokenizer, corpus, [&](std::span<const Token> turn) {
    const Token marker = turn.front();
    if (marker == tokenizer.token(Special::end)) words.clear();
    if (marker == tokenizer.token(Special::system) || marker == tokenizer.token(Special::user)) {
      add_words(tokenizer, turn, words);
    }
    if (marker != tokenizer.token(Special::assistant) || turn.size() < 2 || words.empty()) return;
    if (!is_prose(tokenizer.bytes(turn[1]))) return;
    const std::size_t begin = answers_.size();
    answers_.insert(answers_.end(), turn.begin(), turn.end());
    answers_.push_back(tokenizer.token(Special::end));
    dialogues_.push_back({begin, answers_.size()});
    make_distinct(words);
    questions.push_back(std::move(words));
    words.clear();
  });
  for (std::uint32_t number = 0; number < questions.size(); ++number) {
    for (const std::string& word : questions[number]) questions_[word].push_back(number);
  }
  for (std::size_t number = 0; number < questions.size(); ++number) {
    for (const std::string& word : questions[number]) {
      dialogues_[number].importance += importance(questions_[word].size());
    }
  }
}

Examples Retrieval::find(const Tokenizer& tokenizer, std::span<const Token> prompt) const {
  std::span<const Token> instructions;
  std::span<const Token> question;
  each_turn(tokenizer, prompt, [&](std::span<const Token> turn) {
    if (turn.front() == tokenizer.token(Special::system)) instructions = turn;
    if (turn.front() == tokenizer.token(Special::user)) question = turn;
  });
  if (question.empty()) return {};
  Words words;
  add_words(tokenizer, instructions, words);
  add_words(tokenizer, question, words);
  make_distinct(words);

  // The likeness of two sets of words: the importance of their intersection divided by that of their union.
  float all = 0;
  std::vector<float> shared(dialogues_.size());
  for (const std::string& word : words) {
    const auto found = questions_.find(word);
    const float worth = importance(found == questions_.end() ? 1 : found->second.size());
    all += worth;
    if (found == questions_.end()) continue;
    for (const std::uint32_t number : found->second) shared[number] += worth;
  }
  std::vector<Examples::Example> likely;
  for (std::size_t number = 0; number < dialogues_.size(); ++number) {
    const Dialogue& dialogue = dialogues_[number];
    const float likeness = shared[number] / (all + dialogue.importance - shared[number]);
    if (likeness < least_likeness) continue;
    likely.push_back({std::span{answers_}.subspan(dialogue.begin, dialogue.end - dialogue.begin), likeness});
  }
  std::sort(likely.begin(), likely.end(), [](const Examples::Example& a, const Examples::Example& b) {
    return a.likeness != b.likeness ? a.likeness > b.likeness : a.answer.data() < b.answer.data();
  });
  if (likely.size() > most_examples) likely.resize(most_examples);
  return Examples{std::move(likely)};
}

}  // namespace inferwire::inline v0_1::engine
