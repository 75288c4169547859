#include "inferwire/structured_output.hpp"

#include "json/beginning.hpp"
#include "json/codec.hpp"
#include "json/scanner.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1 {

namespace {

/// Claude often puts a document between lines of three backticks, the first of which may name its format.
std::string_view without_fences(std::string_view text) noexcept {
  constexpr std::string_view fence = "```";
  text = json::trim(text);
  const auto line_end = text.find('\n');
  const bool fenced = text.size() > 2 * fence.size() && text.starts_with(fence) && text.ends_with(fence);
  if (!fenced || line_end == text.npos) return text;
  text.remove_suffix(fence.size());
  return json::trim(text.substr(line_end));
}

/// The document in an answer with this finish reason and refusal.
Result<Json> document_in(std::string text, Finish finish, const std::string& refusal) {
  const auto failed = [&](ErrorKind kind, std::string detail) {
    return Error{.kind = kind, .detail = std::move(detail), .body = std::move(text)};
  };
  if (finish == Finish::length) return failed(ErrorKind::length, "the answer was cut at its limit of tokens");
  if (finish == Finish::content_filter) return failed(ErrorKind::content_filter, "a filter cut the answer");
  if (finish == Finish::error) return failed(ErrorKind::truncated, "the server broke the answer off");
  if (!refusal.empty()) return failed(ErrorKind::refusal, refusal);
  auto document = Json::parse(without_fences(text));
  if (document) return document;
  return failed(ErrorKind::schema, "the answer is not JSON: " + document.error().detail);
}

}  // namespace

Json beginning_of(std::string_view text) {
  constexpr std::string_view fence = "```";
  text = json::trim(text);
  if (text.starts_with(fence)) text.remove_prefix(std::min(text.find('\n'), text.size()));
  auto document = Json::parse(json::closed_beginning(text));
  return document ? *std::move(document) : Json();
}

namespace chat {

ResponseFormat format_of(std::string name, Json schema, bool strict) {
  return {.type = "json_schema",
          .json_schema = JsonSchema{.name = std::move(name), .schema = std::move(schema), .strict = strict}};
}

Result<Json> document_of(const Response& response) {
  if (response.choices.empty()) return Error{.kind = ErrorKind::schema, .detail = "the answer has no choice"};
  return document_in(response.text(), response.finish(), response.refusal());
}

}  // namespace chat

namespace responses {

TextConfig format_of(std::string name, Json schema, bool strict) {
  return {.format = TextFormat{
              .type = "json_schema", .name = std::move(name), .schema = std::move(schema), .strict = strict}};
}

namespace {

/// Whether the message is an answer, rather than a remark on the way. (openai-python #3861)
bool is_answer(const Message& message) { return !message.phase || message.phase == "final_answer"; }

/// The text that holds the document: the last answer that is a document on its own, else all answers joined.
std::string text_of_answers(const Response& response) {
  std::vector<std::string> answers;
  for (const Item& item : response.output) {
    const auto* const message = std::get_if<Message>(&item);
    if (message != nullptr && is_answer(*message)) answers.push_back(message->text());
  }
  const auto document = std::find_if(answers.rbegin(), answers.rend(), [](const std::string& answer) {
    return json::check(without_fences(answer)).has_value();
  });
  if (document != answers.rend()) return *document;
  std::string all;
  for (const std::string& answer : answers) all += answer;
  return all;
}

}  // namespace

Result<Json> document_of(const Response& response) {
  if (auto failure = response.failure()) return *std::move(failure);
  return document_in(text_of_answers(response), response.finish(), response.refusal());
}

}  // namespace responses

}  // namespace inferwire::inline v0_1
