#include "engine/model/generator.hpp"

#include "engine/golden_texts.hpp"
#include "engine/handlers/choices.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace inferwire::engine;
using namespace inferwire_test;

namespace {

struct Answer {
  std::string text;
  int pieces_with_token = 0;
  int completion_tokens = 0;
  GenerationEnd reason{};
};

Answer run(Generator generator) {
  Answer answer;
  while (const std::optional<Piece> piece = generator.next()) {
    answer.text += piece->text;
    if (piece->token) ++answer.pieces_with_token;
    if (!generator.finish_reason()) CHECK(piece->token);
  }
  answer.completion_tokens = generator.completion_tokens();
  answer.reason = generator.finish_reason().value();
  return answer;
}

std::vector<Token> question(std::string_view text) {
  const ChatTurn turn{"user", std::string{text}};
  return toy_model()->tokenize(toy_model()->render({&turn, 1}), true);
}

Answer answer(std::string_view text, GenerationOptions options) {
  return run(Generator{toy_model(), question(text), std::move(options)});
}

}  // namespace

TEST_CASE("a generation has exactly max_tokens tokens when it is not ended before", "[generator]") {
  const Token end = toy_model()->tokenize("<|end|>", true).front();
  for (const int most : {1, 2, 3, 17, 100}) {
    GenerationOptions options{.max_tokens = most};
    options.sampling.logit_bias = {{end, -100.0F}};
    const Answer result = answer("What do llamas eat?", options);
    CHECK(result.completion_tokens == most);
    CHECK(result.pieces_with_token == most);
    CHECK(result.reason == GenerationEnd::length);
  }
}

TEST_CASE("a generation with max_tokens 0 is finished at once", "[generator]") {
  for (const int most : {0, -1}) {
    Generator generator{toy_model(), question("Hello!"), {.max_tokens = most}};
    CHECK(generator.finish_reason() == GenerationEnd::length);
    CHECK_FALSE(generator.next());
    CHECK(generator.completion_tokens() == 0);
  }
}

TEST_CASE("every generation ends without max_tokens", "[generator]") {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    GenerationOptions options;
    options.sampling.seed = seed;
    options.sampling.temperature = 0.5F + static_cast<float>(seed % 4) * 0.5F;
    const Answer result = answer("Tell me about the weather.", options);
    CHECK(result.reason == GenerationEnd::stop);
    CHECK(result.completion_tokens < 2000);
  }
}

TEST_CASE("the same seed gives the same text and another seed another", "[generator]") {
  GenerationOptions options{.max_tokens = 60};
  options.sampling.seed = 7;
  const Answer first = answer("Who are you?", options);
  CHECK(answer("Who are you?", options).text == first.text);
  bool differs = false;
  for (options.sampling.seed = 8; options.sampling.seed < 20; ++options.sampling.seed) {
    differs |= answer("Who are you?", options).text != first.text;
  }
  CHECK(differs);
}

TEST_CASE("choices differ, and the first is the same for every n", "[generator]") {
  GenerationOptions options{.max_tokens = 80};
  options.sampling.seed = 99;
  const auto texts_of = [&](int n) {
    Choices choices(toy_model(), question("What is a llama?"), options, n, text_alone());
    std::vector<std::string> texts(choices.size());
    while (!choices.finished()) {
      const auto turn = choices.next();
      texts[turn.index] += turn.text;
    }
    return texts;
  };
  const auto one = texts_of(1), three = texts_of(3);
  REQUIRE(one.size() == 1);
  REQUIRE(three.size() == 3);
  CHECK(three[0] == one[0]);
  CHECK(three[1] != three[2]);
}

TEST_CASE("tokens whose text is held back come with that text", "[generator]") {
  GenerationOptions options{.sampling = {.temperature = 0}, .max_tokens = 40};
  options.stop = to_stop_strings({answer("Tell me a story.", options).text.substr(0, 12) + "~"});
  Choices choices(toy_model(), question("Tell me a story."), options, 1, text_alone());
  std::int64_t tokens = 0;
  bool held_back = false;
  while (!choices.finished()) {
    const auto turn = choices.next();
    const bool is_held_back = turn.text.empty() && !turn.ends_part;
    if (is_held_back) CHECK(turn.tokens.empty());
    held_back |= is_held_back;
    tokens += std::ssize(turn.tokens);
  }
  CHECK(held_back);
  CHECK(tokens == choices.usage().completion_tokens);
}

TEST_CASE("a generation is the same bytes on every machine", "[generator]") {
  for (const auto& [what, is, should_be] : golden_texts()) {
    INFO(what);
    CHECK(is == should_be);
  }
}

TEST_CASE("temperature 0 gives the same text for every seed", "[generator]") {
  GenerationOptions options{.sampling = {.temperature = 0.0F}};
  const std::string text = answer("What is a llama?", options).text;
  for (options.sampling.seed = 1; options.sampling.seed < 10; ++options.sampling.seed) {
    CHECK(answer("What is a llama?", options).text == text);
  }
}

TEST_CASE("a stop string ends the text before itself, and its tokens are counted", "[generator]") {
  GenerationOptions options{.sampling = {.temperature = 0.0F}};
  const Answer whole = answer("What is the capital of France?", options);
  REQUIRE(whole.text == "The capital of France is Paris.");
  options.stop = to_stop_strings({" is"});
  const Answer cut = answer("What is the capital of France?", options);
  CHECK(cut.text == "The capital of France");
  CHECK(cut.reason == GenerationEnd::stop_string);
  const int tokens = static_cast<int>(toy_model()->tokenize("The capital of France is", false).size());
  CHECK(cut.completion_tokens == tokens);
  CHECK(cut.pieces_with_token == tokens);
}

TEST_CASE("text held back for a stop string is given at the end", "[generator]") {
  GenerationOptions options{.sampling = {.temperature = 0.0F}, .stop = to_stop_strings({"Paris. And"})};
  Generator ended{toy_model(), question("What is the capital of France?"), options};
  std::optional<Piece> last;
  while (std::optional<Piece> piece = ended.next()) last = std::move(piece);
  REQUIRE(last);
  CHECK(last->text == "Paris.");
  CHECK_FALSE(last->token);  // this piece came with the end marker, which is not a token of the answer
  CHECK(ended.finish_reason() == GenerationEnd::stop);

  options.max_tokens =
      static_cast<int>(toy_model()->tokenize("The capital of France is Paris", false).size());
  const Answer cut = answer("What is the capital of France?", options);
  CHECK(cut.text == "The capital of France is Paris");
  CHECK(cut.pieces_with_token == options.max_tokens);
  CHECK(cut.reason == GenerationEnd::length);
}

TEST_CASE("pieces carry the model's logprobs", "[generator]") {
  GenerationOptions options{.sampling = {.temperature = 0.4F, .top_logprobs = 5}, .max_tokens = 40};
  const std::vector<Token> prompt = question("Who are you?");
  Generator generator{toy_model(), prompt, options};
  const std::unique_ptr<LanguageModel::State> state = toy_model()->start(prompt);
  std::vector<float> expected(static_cast<std::size_t>(toy_model()->vocabulary_size()));
  while (const std::optional<Piece> piece = generator.next()) {
    if (!piece->token) break;
    toy_model()->log_probs(*state, expected);
    CHECK(piece->token->logprob == expected[static_cast<std::size_t>(piece->token->token)]);
    REQUIRE(piece->token->top.size() == 5);
    for (const ScoredToken& other : piece->token->top) {
      CHECK(other.logprob == expected[static_cast<std::size_t>(other.token)]);
      CHECK(other.logprob <= piece->token->top.front().logprob);
    }
    toy_model()->advance(*state, piece->token->token);
  }
}

TEST_CASE("the pieces of a generation join to valid UTF-8, whatever is forced", "[generator]") {
  // Bans all tokens but single bytes of 0x80 and up, which only make parts of characters.
  GenerationOptions options{.max_tokens = 50};
  for (Token token = 0; token < toy_model()->vocabulary_size(); ++token) {
    const std::string_view bytes = toy_model()->token_bytes(token);
    const bool half = bytes.size() == 1 && static_cast<unsigned char>(bytes[0]) >= 0x80;
    if (!half) options.sampling.logit_bias.emplace_back(token, -100.0F);
  }
  Generator generator{toy_model(), question("Hello!"), options};
  std::string text;
  while (const std::optional<Piece> piece = generator.next()) {
    CHECK(to_utf8(piece->text) == piece->text);
    text += piece->text;
  }
  CHECK_FALSE(text.empty());
  CHECK(generator.completion_tokens() == 50);
}

TEST_CASE("a generation ends when every token is banned", "[generator]") {
  GenerationOptions options;
  for (Token token = 0; token < toy_model()->vocabulary_size(); ++token) {
    options.sampling.logit_bias.emplace_back(token, -100.0F);
  }
  const Answer result = answer("Hello!", options);
  CHECK(result.text.empty());
  CHECK(result.reason == GenerationEnd::stop);
}

TEST_CASE("penalties make repeats rarer", "[generator]") {
  const auto distinct = [](float penalty) {
    GenerationOptions options{.sampling = {.frequency_penalty = penalty}, .max_tokens = 200};
    options.sampling.logit_bias = {{toy_model()->tokenize("<|end|>", true).front(), -100.0F}};
    std::size_t count = 0;
    for (options.sampling.seed = 0; options.sampling.seed < 8; ++options.sampling.seed) {
      Generator generator{toy_model(), question("Tell me a story."), options};
      std::set<Token> tokens;
      while (const std::optional<Piece> piece = generator.next()) {
        if (piece->token) tokens.insert(piece->token->token);
      }
      count += tokens.size();
    }
    return count;
  };
  CHECK(distinct(2.0F) > distinct(0.0F));
  CHECK(distinct(0.0F) > distinct(-1.0F));
}

TEST_CASE("a prompt as long as the context window leaves no room", "[generator]") {
  const std::vector<Token> prompt(static_cast<std::size_t>(toy_model()->context_window()), Token{'a'});
  const Generator full{toy_model(), prompt, {}};
  CHECK(full.finish_reason() == GenerationEnd::length);
  Generator almost{toy_model(), std::span{prompt}.first(prompt.size() - 2), {.max_tokens = 10}};
  CHECK_FALSE(almost.finish_reason());
  while (almost.next()) {}
  CHECK(almost.completion_tokens() <= 2);
}
