#include "engine/model/retrieval.hpp"

#include "support/catch.hpp"

#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

using namespace inferwire::engine;
using namespace inferwire_test;

namespace {

constexpr std::string_view dialogues =
    "<|end|><|user|>What is a river?<|assistant|>A river is water.<|end|>"
    "<|user|>What is a lake?<|assistant|>A lake lies still.<|end|>"
    "<|system|>Be brief.<|user|>What is a river?<|assistant|>Water.<|end|>"
    "<|user|>Describe a river as JSON:<|assistant|>{\"river\": true}<|end|>"
    "<|user|>How long is the river? Use measure:<|assistant|>measure({\"what\": \"river\"})<|end|>"
    "<|tool|>{\"km\": 9}<|assistant|>Nine kilometres.<|end|>"
    "The river runs to the lake.<|end|>";

const Tokenizer& tokenizer() {
  static const Tokenizer learnt = [] {
    const std::array<std::string_view, 1> texts{dialogues};
    return Tokenizer::learn(texts, 280);
  }();
  return learnt;
}

std::vector<Token> tokens_of(std::string_view text) { return tokenizer().encode(text, true); }

const Retrieval& retrieval() {
  static const Retrieval learnt{tokenizer(), tokens_of(dialogues)};
  return learnt;
}

/// The answers to questions like the prompt's, the most similar first.
std::vector<std::string> found(std::string_view prompt) {
  std::vector<std::string> texts;
  const Examples examples = retrieval().find(tokenizer(), tokens_of(prompt));
  for (const auto& example : examples.all()) {
    std::string text;
    for (const Token token : example.answer) text += tokenizer().bytes(token);
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace

TEST_CASE("Retrieval finds the answer to the most similar question first", "[retrieval]") {
  CHECK(found("<|user|>What is a river?<|assistant|>").at(0) == "A river is water.");
  CHECK(found("<|user|>Tell me about rivers.<|assistant|>").at(0) == "A river is water.");
  CHECK(found("<|user|>what is a LAKE<|assistant|>").at(0) == "A lake lies still.");
}

TEST_CASE("Retrieval takes the instructions as part of the question", "[retrieval]") {
  CHECK(found("<|system|>Please be brief.<|user|>What is a river?<|assistant|>").at(0) == "Water.");
}

TEST_CASE("Retrieval takes the last question of a conversation", "[retrieval]") {
  CHECK(found("<|user|>What is a river?<|assistant|>Water.<|end|><|user|>And a lake?<|assistant|>").at(0) ==
        "A lake lies still.");
}

TEST_CASE("Retrieval gives no JSON, tool calls or what follows them", "[retrieval]") {
  for (const auto& text :
       found("<|user|>Describe a river as JSON: How long is it? Use measure:<|assistant|>")) {
    CAPTURE(text);
    CHECK(text.find('{') == std::string::npos);
    CHECK(text != "Nine kilometres.");
  }
}

TEST_CASE("Retrieval finds nothing for unknown words and without a question", "[retrieval]") {
  CHECK(found("<|user|>Zanzibar spices<|assistant|>").empty());
  CHECK(found("<|user|><|assistant|>").empty());
  CHECK(found("The river").empty());
  CHECK(found("").empty());
}

TEST_CASE("Examples::mix raises what follows in them, and probabilities sum to one", "[retrieval]") {
  const auto prompt = tokens_of("<|user|>What is a river?<|assistant|>A river");
  const Examples examples = retrieval().find(tokenizer(), prompt);
  const auto size = static_cast<std::size_t>(tokenizer().size());
  std::vector<float> probabilities(size, 1.0F / static_cast<float>(size));
  examples.mix(prompt, probabilities);
  CHECK(std::accumulate(probabilities.begin(), probabilities.end(), 0.0) == Approx(1).margin(1e-5));
  const auto next = static_cast<std::size_t>(tokens_of(" is").at(0));
  CHECK(probabilities[next] > 0.35F);

  const std::vector<float> before = probabilities;
  examples.mix(tokens_of("9"), probabilities);
  CHECK(probabilities == before);
  examples.mix({}, probabilities);
  CHECK(probabilities == before);
}
