// What a new user sees first: the bundled model is asked everyday questions, without tools or a format.
#include "base/ascii.hpp"
#include "engine/model/corpus.hpp"
#include "engine/model/generator.hpp"
#include "engine/model/text.hpp"
#include "engine/model/tokenizer.hpp"
#include "inferwire/engine/language_model.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace inferwire::engine;

namespace {

// Questions from the README, the pages, the examples and the program's help, and others that people try.
constexpr std::array<std::string_view, 48> questions{
    "Tell me about rivers.",
    "Tell me something about rivers.",
    "Which rivers are long?",
    "What about bread?",
    "Hello!",
    "Hello",
    "Hi",
    "hello there",
    "How are you?",
    "Who are you?",
    "What are you?",
    "What can you do?",
    "Say this is a test.",
    "This is a test",
    "Tell me a joke.",
    "A fun fact about llamas?",
    "Tell me about llamas.",
    "What is a llama?",
    "What is the weather in Paris?",
    "How is the weather in Rome today?",
    "What time is it in Tokyo?",
    "What is 17 plus 25?",
    "Where is my order?",
    "Find a book about llamas.",
    "Turn on the light in the kitchen.",
    "Send an email to Anna.",
    "Book a table for two.",
    "What is the capital of France?",
    "What is the capital of Sweden?",
    "Who wrote Hamlet?",
    "Write a poem about autumn.",
    "Write a haiku about the sea.",
    "Write a short story about a dog.",
    "Explain gravity to a child.",
    "Explain quantum computing in simple words.",
    "What is a mixture of experts model?",
    "What is Databricks?",
    "Summarize the plot of a novel.",
    "Give me three tips for a good talk.",
    "How do I boil an egg?",
    "How do I bake a cake without eggs?",
    "Why is the sky blue?",
    "Recommend a film.",
    "My brother Paul is 41.",
    "I cannot log in.",
    "Plan a trip to Lisbon for me.",
    "Thank you!",
    "Goodbye.",
};

std::string answer(std::string_view question, float temperature, std::uint64_t seed) {
  const auto model = toy_model();
  const ChatTurn turn{"user", std::string{question}};
  Generator generator{model,
                      model->tokenize(model->render({&turn, 1}), true),
                      {.sampling = {.temperature = temperature, .seed = seed}, .max_tokens = 100}};
  std::string text;
  while (const auto piece = generator.next()) text += piece->text;
  return text;
}

/// Several answers to the question: the likeliest one, and five sampled ones.
std::vector<std::string> answers(std::string_view question) {
  std::vector<std::string> all{answer(question, 0, 0)};
  for (std::uint64_t seed = 0; seed < 5; ++seed) all.push_back(answer(question, 0.7F, seed));
  return all;
}

using Words = std::set<std::string, std::less<>>;

/// Calls `visit(word)` for each word that is made of letters, in lower case.
template <class Visit>
void each_word(std::string_view text, Visit visit) {
  while (!text.empty()) {
    std::string word{text.substr(0, word_length(text))};
    text.remove_prefix(word.size());
    if (word.front() == ' ') word.erase(0, 1);
    if (word.empty() || !is_letter(word.front())) continue;
    visit(inferwire::ascii::to_lower(word));
  }
}

/// The words of the corpus's texts, leaving out JSON, calls and code.
Words words_of_prose() {
  Words words;
  for (std::string_view file : corpus()) {
    for (auto match = find_special(file); match.position != std::string_view::npos;
         match = find_special(file)) {
      const auto text = file.substr(0, match.position);
      file.remove_prefix(match.position + spelling(match.special).size());
      const bool is_prose = text.find("{\"") == text.npos && text.find("```") == text.npos;
      if (is_prose) each_word(text, [&](const std::string& word) { words.insert(word); });
    }
  }
  return words;
}

bool has(std::string_view text, std::string_view word) {
  bool found = false;
  each_word(text, [&](const std::string& each) { found = found || each.starts_with(word); });
  return found;
}

}  // namespace

TEST_CASE("an everyday question is answered in words, not in JSON, calls or code", "[toy_model]") {
  for (const auto question : questions) {
    for (const auto& text : answers(question)) {
      CAPTURE(question, text);
      REQUIRE_FALSE(text.empty());
      CHECK(std::string_view("{[`(\"<|").find(text.front()) == std::string_view::npos);
      CHECK(text.find("{\"") == std::string::npos);
      CHECK(text.find("({") == std::string::npos);
    }
  }
}

TEST_CASE("answers to everyday questions consist of whole words", "[toy_model]") {
  const auto known = words_of_prose();
  REQUIRE(known.size() > 2000);
  CHECK_FALSE(known.contains("get_weather"));
  std::size_t all = 0;
  std::size_t whole = 0;
  for (const auto question : questions) {
    Words own;
    each_word(question, [&](const std::string& word) { own.insert(word); });
    for (const auto& text : answers(question)) {
      std::size_t words = 0;
      std::size_t good = 0;
      each_word(text, [&](const std::string& word) {
        ++words;
        good += known.contains(word) || own.contains(word) ? 1U : 0U;
      });
      CAPTURE(question, text);
      CHECK(good * 10 >= words * 8);
      all += words;
      whole += good;
    }
  }
  CHECK(whole * 100 >= all * 98);
}

TEST_CASE("an answer to an everyday question is about its topic", "[toy_model]") {
  struct Topic {
    std::string_view question;
    std::string_view word;
  };
  // None of these questions is in the corpus, and their last words do not lead an n-gram to the topic.
  constexpr std::array<Topic, 8> topics{{{"Please describe an atom.", "atom"},
                                         {"What should one know about Paris", "paris"},
                                         {"Is cheese made of milk?", "cheese"},
                                         {"Could you explain gravity?", "gravity"},
                                         {"A short word on volcanoes please", "volcano"},
                                         {"What is there to say about the moon?", "moon"},
                                         {"Which bees make honey?", "bee"},
                                         {"tell me of the winter here", "winter"}}};
  std::size_t all = 0;
  std::size_t named = 0;
  for (const auto& [question, word] : topics) {
    for (const auto& text : answers(question)) {
      ++all;
      named += has(text, word) ? 1U : 0U;
    }
  }
  CHECK(named * 3 >= all * 2);
}
