#include "engine/model/generator.hpp"

#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace inferwire::engine;

namespace {

struct Answer {
  std::string text;
  int pieces_with_token = 0;
  int completion_tokens = 0;
  FinishReason reason{};
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
  return toy_model()->tokenize(toy_model()->render({&turn, 1}, {}), true);
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
    CHECK(result.reason == FinishReason::length);
  }
}

TEST_CASE("a generation with no tokens to spend is finished at once", "[generator]") {
  for (const int most : {0, -1}) {
    Generator generator{toy_model(), question("Hello!"), {.max_tokens = most}};
    CHECK(generator.finish_reason() == FinishReason::length);
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
    CHECK(result.reason == FinishReason::stop);
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

TEST_CASE("choices share a prompt and differ; the first is the same for every n", "[generator]") {
  GenerationOptions options{.max_tokens = 80};
  options.sampling.seed = 99;
  const std::vector<Token> prompt = question("What is a llama?");
  std::vector<Generator> one = start_choices(toy_model(), prompt, options, 1);
  std::vector<Generator> three = start_choices(toy_model(), prompt, options, 3);
  REQUIRE(one.size() == 1);
  REQUIRE(three.size() == 3);
  CHECK(three[0].prompt_tokens() == static_cast<int>(prompt.size()));
  const std::string text = run(std::move(one[0])).text;
  CHECK(run(std::move(three[0])).text == text);
  CHECK(run(std::move(three[1])).text != run(std::move(three[2])).text);
}
