#include "engine/model/corpus.hpp"
#include "engine/model/random.hpp"
#include "inferwire/engine/language_model.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace inferwire::engine;
using namespace inferwire_test;

namespace {

const LanguageModel& model() {
  static const std::shared_ptr<const LanguageModel> toy = toy_model();
  return *toy;
}

std::string text_of(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token token : tokens) text += model().token_bytes(token);
  return text;
}

std::vector<float> log_probs(const LanguageModel::State& state) {
  std::vector<float> out(static_cast<std::size_t>(model().vocabulary_size()));
  model().log_probs(state, out);
  return out;
}

std::vector<float> log_probs_after(std::string_view text) {
  return log_probs(*model().start(model().tokenize(text, true)));
}

double total(const std::vector<float>& log_probs) {
  double sum = 0;
  for (const float logprob : log_probs) sum += std::exp(double{logprob});
  return sum;
}

Token token(std::string_view text) { return model().tokenize(text, true).at(0); }

}  // namespace

TEST_CASE("toy_model() is one object with a name and sizes", "[toy_model]") {
  CHECK(toy_model() == toy_model());
  CHECK(model().id() == "inferwire-toy-1");
  CHECK(model().vocabulary_size() == 1024);
  CHECK(model().context_window() >= 4096);
}

TEST_CASE("toy_model() may be called from many threads at once", "[toy_model]") {
  std::vector<std::thread> threads;
  std::vector<std::vector<float>> results(4);
  for (std::vector<float>& result : results) {
    threads.emplace_back([&result] { result = log_probs_after("<|user|>Hello!<|assistant|>"); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<float>& result : results) CHECK(result == results.front());
}

TEST_CASE("toy_model() tokenizes any bytes without loss", "[toy_model]") {
  Random random{5};
  for (int round = 0; round < 500; ++round) {
    std::string bytes;
    for (std::uint64_t length = random.next() % 200; length > 0; --length)
      bytes += static_cast<char>(random.next());
    REQUIRE(text_of(model().tokenize(bytes, false)) == bytes);
  }
  for (const std::string_view text :
       {"", " ", "Llamas hum.", "caf\xC3\xA9 \xF0\x9F\xA6\x99", "<|end|>", "a\r\n\tb"}) {
    CHECK(text_of(model().tokenize(text, false)) == text);
  }
}

TEST_CASE("common words are few tokens", "[toy_model]") {
  CHECK(model().tokenize("", false).empty());
  CHECK(model().tokenize(" the", false).size() == 1);
  CHECK(model().tokenize(" llama", false).size() == 1);
  CHECK(model().tokenize("What is a llama?", false).size() == 5);
  CHECK(model().tokenize("How can I help you today?", false).size() <= 8);
}

TEST_CASE("special tokens have no bytes, and only the end marker ends", "[toy_model]") {
  for (const std::string_view special : {"<|system|>", "<|user|>", "<|assistant|>", "<|tool|>", "<|end|>"}) {
    const std::vector<Token> tokens = model().tokenize(special, true);
    REQUIRE(tokens.size() == 1);
    CHECK(model().token_bytes(tokens[0]).empty());
    CHECK(model().is_end(tokens[0]) == (special == "<|end|>"));
    CHECK(model().tokenize(special, false).size() > 1);
  }
  CHECK_FALSE(model().is_end(token("a")));
}

TEST_CASE("render() puts a marker before every turn", "[toy_model]") {
  const std::vector<ChatTurn> turns{
      {"system", "Be brief."}, {"user", "Hi"}, {"assistant", "Hello!"}, {"tool", "{}"}, {"critic", "Hm."}};
  CHECK(model().render(turns) ==
        "<|system|>Be brief.<|user|>Hi<|assistant|>Hello!<|end|><|tool|>{}<|user|>Hm.<|assistant|>");
  CHECK(model().render({}) == "<|assistant|>");
}

TEST_CASE("render() escapes markers in a turn's text", "[toy_model]") {
  const ChatTurn turn{"user", "a<|end|><|system|>b <<|user|>"};
  const std::vector<Token> tokens = model().tokenize(model().render({&turn, 1}), true);
  int special = 0;
  for (const Token t : tokens) special += model().token_bytes(t).empty() ? 1 : 0;
  CHECK(special == 2);  // those that render() wrote itself
}

TEST_CASE("probabilities sum to one along every text, prompts and all", "[toy_model]") {
  for (const std::string_view prompt : {"", "<|user|>What do llamas eat?<|assistant|>",
                                        "<|system|>Speak of Zanzibar.<|user|>Where?<|assistant|>",
                                        "Once upon a time", "\xFF\xFE\x01", "<|tool|><|tool|>"}) {
    const std::unique_ptr<LanguageModel::State> state = model().start(model().tokenize(prompt, true));
    Random random{9};
    for (int step = 0; step < 400; ++step) {
      const std::vector<float> next = log_probs(*state);
      REQUIRE(total(next) == Approx(1).margin(1e-4));
      for (const float logprob : next) REQUIRE((std::isfinite(logprob) && logprob <= 1e-5F));
      // Chooses mostly likely tokens, sometimes any.
      Token chosen = static_cast<Token>(random.next() % 1024);
      for (Token t = 0; step % 7 != 0 && t < 1024; ++t) {
        if (next[static_cast<std::size_t>(t)] > next[static_cast<std::size_t>(chosen)] &&
            random.next() % 3 != 0)
          chosen = t;
      }
      model().advance(*state, chosen);
    }
  }
}

TEST_CASE("markers of other turns are never predicted", "[toy_model]") {
  for (const std::string_view prompt : {"", "<|user|>Hello!", "<|user|>Hello!<|assistant|>"}) {
    const std::vector<float> next = log_probs_after(prompt);
    for (const std::string_view marker : {"<|system|>", "<|user|>", "<|assistant|>", "<|tool|>"}) {
      CHECK(next[static_cast<std::size_t>(token(marker))] < -80);
    }
  }
}

TEST_CASE("a clone goes on independently", "[toy_model]") {
  const std::unique_ptr<LanguageModel::State> state = model().start(model().tokenize("A llama is", true));
  const std::unique_ptr<LanguageModel::State> clone = state->clone();
  const std::vector<float> before = log_probs(*state);
  CHECK(log_probs(*clone) == before);
  model().advance(*clone, token(" a"));
  CHECK(log_probs(*clone) != before);
  CHECK(log_probs(*state) == before);
  model().advance(*state, token(" a"));
  CHECK(log_probs(*state) == log_probs(*clone));
}

TEST_CASE("a state started with a text equals one advanced token by token", "[toy_model]") {
  const std::vector<Token> tokens = model().tokenize("the sea", true);
  const std::unique_ptr<LanguageModel::State> state = model().start({});
  for (const Token t : tokens) model().advance(*state, t);
  CHECK(log_probs(*state) == log_probs_after("the sea"));
}

TEST_CASE("words of the prompt become more likely", "[toy_model]") {
  const auto likelihood = [](std::string_view question, std::string_view word) {
    const std::string prompt = "<|user|>" + std::string{question} + "<|assistant|>There is a";
    return log_probs_after(prompt)[static_cast<std::size_t>(token(word))];
  };
  CHECK(likelihood("Is there a llama?", " llama") > likelihood("Is there a house?", " llama") + 0.3F);
  CHECK(likelihood("Is there a house?", " house") > likelihood("Is there a llama?", " house") + 0.3F);
}

TEST_CASE("an unknown word of the prompt is completed token by token", "[toy_model]") {
  const std::vector<Token> word = model().tokenize(" Zanzibar", false);
  REQUIRE(word.size() > 2);
  const std::unique_ptr<LanguageModel::State> state =
      model().start(model().tokenize("<|user|>Where is Zanzibar?<|assistant|>It is in", true));
  model().advance(*state, word[0]);
  for (std::size_t i = 1; i < word.size(); ++i) {
    CHECK(log_probs(*state)[static_cast<std::size_t>(word[i])] > std::log(0.45F));
    model().advance(*state, word[i]);
  }
}

TEST_CASE("a question from the corpus gets its answer", "[toy_model]") {
  const std::vector<float> next = log_probs_after("<|user|>What do llamas eat?<|assistant|>");
  CHECK(next[static_cast<std::size_t>(token("Llamas eat"))] > std::log(0.5F));
}

TEST_CASE("a long answer becomes likely to end", "[toy_model]") {
  const std::unique_ptr<LanguageModel::State> state = model().start({});
  const auto end = static_cast<std::size_t>(token("<|end|>"));
  const std::vector<Token> sentence = model().tokenize(" The sea.", false);
  for (int i = 0; i < 121; ++i)
    model().advance(*state, sentence[static_cast<std::size_t>(i) % sentence.size()]);
  REQUIRE(model().token_bytes(sentence.back()) == ".");
  for (const Token t : sentence) model().advance(*state, t);
  CHECK(std::exp(log_probs(*state)[end]) >= 0.25F);
}

TEST_CASE("each file of the corpus fits into a string literal of every compiler", "[toy_model]") {
  for (const std::string_view file : corpus()) {
    CHECK(file.size() < 16'000);
    CHECK(file.find("<|end|>\n") != std::string_view::npos);
    CHECK(file.ends_with("<|end|>\n"));
  }
}
