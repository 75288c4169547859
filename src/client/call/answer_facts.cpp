#include "client/call/answer_facts.hpp"

#include "json/codec.hpp"
#include "json/scanner.hpp"
#include "wire/documents.hpp"

#include <string>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

void note_text(std::string& fact, std::string_view value) {
  if (!fact.empty()) return;
  if (auto text = json::string_of(value)) fact = *std::move(text);
}

/// `response`: receives the member of that name, if it is an object.
void note_members(AnswerFacts& facts, std::string_view object, std::string_view* response) {
  json::Items items(object);
  if (!items.is_object()) return;
  while (items.next()) {
    const auto key = items.raw_key();
    const auto value = json::trim(items.value());
    if (key == "id") note_text(facts.id, value);
    if (key == "model") note_text(facts.model, value);
    if (!value.starts_with('{')) continue;
    if (key == "response" && response != nullptr) *response = value;
    if (key != "usage") continue;
    if (const auto usage = json::decode<Usage>(value)) note_usage(facts, *usage);
  }
}

}  // namespace

void note_json(AnswerFacts& facts, std::string_view document) {
  std::string_view response;
  note_members(facts, document, &response);
  note_members(facts, response, nullptr);
}

void note_facts(AnswerFacts& facts, const RawResponse& answer) {
  if (json::check(answer.body)) note_json(facts, answer.body);
}

}  // namespace inferwire::inline v0_1::client
