#include "engine/plan/token_texts.hpp"

#include "engine/document.hpp"

#include <string>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// OpenAI's limit for texts to embed, and this engine's limit if none is documented.
constexpr std::size_t most_texts = 2048;

Refusal too_many(std::string_view param, std::size_t count) {
  return refuse::too_many(std::string(param), most_texts, "elements", count);
}

OrRefusal<Text> tokens_of(const std::vector<std::int64_t>& numbers, const Place& place, int vocabulary_size) {
  std::vector<Token> tokens;
  tokens.reserve(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < 0 || numbers[i] >= vocabulary_size) {
      return refuse::invalid_value(place.element(i).text(), "expected the number of a token below " +
                                                                std::to_string(vocabulary_size) +
                                                                ", but got " + std::to_string(numbers[i]));
    }
    tokens.push_back(static_cast<Token>(numbers[i]));
  }
  return Text(std::move(tokens));
}

}  // namespace

OrRefusal<std::vector<Text>> texts_of(const TextsOrTokens& given, std::string_view param,
                                      int vocabulary_size) {
  if (const auto* text = std::get_if<std::string>(&given)) return std::vector<Text>{Text(*text)};
  if (const auto* texts = std::get_if<std::vector<std::string>>(&given)) {
    if (texts->size() > most_texts) return too_many(param, texts->size());
    return std::vector<Text>(texts->begin(), texts->end());
  }
  const Place here{.name = param};
  std::vector<Text> out;
  if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&given)) {
    auto tokens = tokens_of(*numbers, here, vocabulary_size);
    if (!tokens) return std::move(tokens).refusal();
    out.push_back(*std::move(tokens));
    return out;
  }
  const auto& lists = std::get<std::vector<std::vector<std::int64_t>>>(given);
  if (lists.size() > most_texts) return too_many(param, lists.size());
  for (std::size_t i = 0; i < lists.size(); ++i) {
    auto tokens = tokens_of(lists[i], here.element(i), vocabulary_size);
    if (!tokens) return std::move(tokens).refusal();
    out.push_back(*std::move(tokens));
  }
  return out;
}

}  // namespace inferwire::inline v0_1::engine
