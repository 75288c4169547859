#include "inferwire/structured_output.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "json/scanner.hpp"
#include "wire/first_choice.hpp"

namespace inferwire::inline v0_1 {

namespace {

/// Claude likes to put a document between lines of three backticks, the first of which may name its kind.
std::string_view without_fences(std::string_view text) noexcept {
  constexpr std::string_view fence = "```";
  text = json::trim(text);
  const auto line_end = text.find('\n');
  const bool fenced = text.size() > 2 * fence.size() && text.starts_with(fence) && text.ends_with(fence);
  if (!fenced || line_end == text.npos) return text;
  text.remove_suffix(fence.size());
  return json::trim(text.substr(line_end));
}

/// The document in an answer that ended so.
Result<Json> document_in(std::string text, Finish finish, const std::string& refusal) {
  const auto failed = [&](ErrorKind kind, std::string detail) {
    return Error{.kind = kind, .detail = std::move(detail), .body = std::move(text)};
  };
  if (finish == Finish::length) return failed(ErrorKind::length, "the answer was cut at its limit of tokens");
  if (finish == Finish::content_filter) return failed(ErrorKind::content_filter, "a filter cut the answer");
  if (!refusal.empty()) return failed(ErrorKind::schema, "the model refused: " + refusal);
  auto document = Json::parse(without_fences(text));
  if (document) return document;
  return failed(ErrorKind::schema, "the answer is not JSON: " + document.error().detail);
}

}  // namespace

namespace chat {

ResponseFormat format_of(std::string name, Json schema) {
  return {.type = "json_schema",
          .json_schema = JsonSchema{.name = std::move(name), .schema = std::move(schema), .strict = true}};
}

Result<Json> document_of(const Response& response) {
  const auto* const choice = wire::first_choice(response.choices);
  if (choice == nullptr) return Error{.kind = ErrorKind::schema, .detail = "the answer has no choice"};
  return document_in(choice->message.text(), choice->finish(), choice->message.refusal.value_or(""));
}

}  // namespace chat

namespace responses {

TextConfig format_of(std::string name, Json schema) {
  return {.format = TextFormat{
              .type = "json_schema", .name = std::move(name), .schema = std::move(schema), .strict = true}};
}

Result<Json> document_of(const Response& response) {
  return document_in(response.output_text(), response.finish(), response.refusal());
}

}  // namespace responses

}  // namespace inferwire::inline v0_1
