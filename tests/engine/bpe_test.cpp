#include "engine/model/bpe.hpp"

#include "engine/model/random.hpp"
#include "engine/model/text.hpp"
#include "engine/model/tokenizer.hpp"
#include "support/catch.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

using namespace inferwire::engine;

namespace {

constexpr std::array<std::string_view, 2> lesson{"the cat and the dog and the llama", "the the the and"};

std::string decoded(const Bpe& bpe, const std::vector<Token>& tokens) {
  std::string text;
  for (const Token token : tokens) text += bpe.bytes(token);
  return text;
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const std::size_t length = word_length(text);
    result.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace

TEST_CASE("a text is cut into words that join to it", "[bpe]") {
  using Words = std::vector<std::string>;
  CHECK(words("").empty());
  CHECK(words("Hello, world!") == Words{"Hello", ",", " world", "!"});
  CHECK(words("don't stop") == Words{"don't", " stop"});
  CHECK(words("in 12345 days") == Words{"in", " 123", "45", " days"});
  CHECK(words("a   b") == Words{"a", "  ", " b"});
  CHECK(words("a  \n\n b ") == Words{"a", "  ", "\n\n", " b", " "});
  CHECK(words("==> ...") == Words{"==", ">", " ..."});
  CHECK(words("caf\xC3\xA9 au lait") == Words{"caf\xC3\xA9", " au", " lait"});
  CHECK(words(std::string(100, 'x')) == Words{std::string(48, 'x'), std::string(48, 'x'), "xxxx"});
}

TEST_CASE("the most frequent pairs are merged first, and only inside words", "[bpe]") {
  const std::vector<Bpe::Merge> merges = learn_merges(lesson, 100);
  const Bpe bpe{merges};
  REQUIRE(merges.size() >= 3);
  CHECK(bpe.bytes(256) == "he");  // "th" is as frequent, but has higher numbers
  for (Token token = 256; token < bpe.size(); ++token)
    CHECK(bpe.bytes(token).find(' ', 1) == std::string_view::npos);
  std::vector<Token> tokens;
  bpe.encode(" and the", tokens);
  CHECK(tokens.size() == 2);
}

TEST_CASE("learning stops when no pair occurs twice", "[bpe]") {
  constexpr std::array<std::string_view, 1> text{"abcdefg"};
  CHECK(learn_merges(text, 100).empty());
  CHECK(learn_merges({}, 100).empty());
}

TEST_CASE("learning the same text twice gives the same merges", "[bpe]") {
  const std::vector<Bpe::Merge> once = learn_merges(lesson, 50);
  const std::vector<Bpe::Merge> again = learn_merges(lesson, 50);
  REQUIRE(once.size() == again.size());
  for (std::size_t i = 0; i < once.size(); ++i) {
    CHECK(once[i].left == again[i].left);
    CHECK(once[i].right == again[i].right);
  }
}

TEST_CASE("Bpe encodes and decodes any bytes", "[bpe]") {
  const Bpe bpe{learn_merges(lesson, 50)};
  Random random{1};
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    const bool letters = round % 2 == 0;
    for (std::uint64_t length = random.next() % 80; length > 0; --length) {
      bytes += letters ? "the cat\n 12"[random.next() % 11] : static_cast<char>(random.next());
    }
    std::vector<Token> tokens;
    bpe.encode(bytes, tokens);
    REQUIRE(decoded(bpe, tokens) == bytes);
  }
}

TEST_CASE("a long word takes linear time", "[bpe]") {
  const Bpe bpe{learn_merges(lesson, 50)};
  const std::string word(2'000'000, 't');
  std::vector<Token> tokens;
  bpe.encode(word, tokens);  // quadratic work would take minutes
  CHECK(decoded(bpe, tokens) == word);
}

TEST_CASE("Tokenizer::encode reads special tokens only when asked to", "[bpe]") {
  const Tokenizer tokenizer = Tokenizer::learn(lesson, 300);
  const std::string text = "<|user|>the cat<|end|><|nothing|><|";
  const std::vector<Token> special = tokenizer.encode(text, true);
  const std::vector<Token> plain = tokenizer.encode(text, false);
  CHECK(special.front() == tokenizer.token(Special::user));
  const auto count_special = [&](const std::vector<Token>& tokens) {
    int count = 0;
    for (const Token token : tokens) count += tokenizer.is_special(token) ? 1 : 0;
    return count;
  };
  CHECK(count_special(special) == 2);
  CHECK(count_special(plain) == 0);
  std::string joined;
  for (const Token token : plain) joined += tokenizer.bytes(token);
  CHECK(joined == text);
  CHECK(tokenizer.bytes(tokenizer.token(Special::end)).empty());
  CHECK(tokenizer.bytes(-1).empty());
  CHECK(tokenizer.bytes(tokenizer.size()).empty());
}
