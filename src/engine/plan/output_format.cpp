#include "engine/plan/output_format.hpp"

#include "base/ascii.hpp"
#include "engine/document.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {
namespace {

/// The first uncommon words of a text, without duplicates, at most as many as an object gets keys.
std::vector<std::string> telling_words(std::string_view text) {
  constexpr std::array<std::string_view, 18> common{"about", "and",  "answer", "are",    "for",   "from",
                                                    "give",  "json", "object", "please", "tell",  "that",
                                                    "the",   "this", "what",   "with",   "write", "you"};
  constexpr std::size_t most_keys = 4;
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size() && words.size() < most_keys;) {
    std::string word;
    for (; at < text.size() && ascii::is_letter(text[at]); ++at) word += ascii::to_lower(text[at]);
    if (word.empty()) ++at;
    const bool is_new = std::ranges::find(words, word) == words.end();
    if (word.size() > 2 && is_new && std::ranges::find(common, word) == common.end()) words.push_back(word);
  }
  return words;
}

/// The schema of an object about `question`.
Schema object_about(std::string_view question) {
  auto words = telling_words(question);
  if (words.empty()) words.emplace_back("answer");
  Schema schema{{"type", "object"}, {"required", {words.front()}}};
  for (const auto& word : words) schema["properties"][word] = true;
  return schema;
}

}  // namespace

Strictness strictness_of(bool strict, const Dialect& dialect) {
  if (!strict) return Strictness::lenient;
  return dialect.strict_is_openai ? Strictness::openai : Strictness::strict;
}

MadeGrammar grammar_of(const OutputFormat& format, std::string_view param, std::string_view question,
                       const Dialect& dialect, const std::shared_ptr<const LanguageModel>& model) {
  if (format.type.empty() || format.type == "text") return std::shared_ptr<const Grammar>();
  const bool has_schema = format.type == "json_schema" && format.schema != nullptr;
  const auto refused = [&](std::string_view problem) {
    return refuse::invalid_schema(Cause::invalid_json_schema, std::string(param),
                                  "response_format '" + std::string(format.name) + "'", problem);
  };
  if (has_schema && values_in(format.schema->text()) > most_schema_values) {
    return refused(too_many_parts);
  }
  const auto schema = has_schema ? ordered_json_of(format.schema->text()) : object_about(question);
  const auto strictness = has_schema ? strictness_of(format.strict, dialect) : Strictness::lenient;
  auto compiled = compile_schema(schema, strictness, vocabulary_of(model));
  if (const auto* fault = std::get_if<SchemaFault>(&compiled)) return refused(fault->message());
  return std::get<0>(std::move(compiled));
}

}  // namespace inferwire::inline v0_1::engine
