#include "inferwire/structured_output.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/codec.hpp"
#include "json/scanner.hpp"
#include "json/text.hpp"

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

/// Follows a document to where it ends, and remembers where it could be closed last.
class Beginning {
 public:
  explicit Beginning(std::string_view text) : text_(text) {}

  /// The text so far, closed; empty: there is nothing of it.
  std::string closed() && {
    while (at_ < text_.size() && step()) {}
    std::string out(text_.substr(0, safe_));
    out += end_;
    return out;
  }

 private:
  enum class Wants : std::uint8_t { value, value_or_end, name, name_or_end, colon, comma, nothing };

  /// Here the text can be closed by `quote` and the brackets that are open.
  void note(std::string_view quote = {}) {
    safe_ = at_;
    end_.assign(quote);
    end_.append(closers_.rbegin(), closers_.rend());
  }

  /// Takes one token; false where the text breaks off, ends, or is no JSON.
  bool step() {
    const char c = text_[at_];
    if (json::is_space(c)) return ++at_, true;
    if (wants_ == Wants::comma) return behind_value(c);
    if (wants_ == Wants::colon) return c == ':' && (++at_, wants_ = Wants::value, true);
    const bool may_end = wants_ == Wants::value_or_end || wants_ == Wants::name_or_end;
    if (may_end && c == closers_.back()) return close();
    if (wants_ == Wants::name || wants_ == Wants::name_or_end) {
      return c == '"' && string(false) && (wants_ = Wants::colon, true);
    }
    if (wants_ == Wants::nothing) return false;
    if (c == '{' || c == '[') return open(c);
    if (c == '"') return string(true) && end_value();
    return scalar() && end_value();
  }

  bool open(char bracket) {
    if (closers_.size() == std::size_t{json::max_depth}) return false;
    closers_ += bracket == '{' ? '}' : ']';
    wants_ = bracket == '{' ? Wants::name_or_end : Wants::value_or_end;
    ++at_;
    note();
    return true;
  }
  bool close() {
    ++at_;
    closers_.pop_back();
    return end_value();
  }
  bool end_value() {
    wants_ = closers_.empty() ? Wants::nothing : Wants::comma;
    note();
    return true;
  }
  bool behind_value(char c) {
    if (c == closers_.back()) return close();
    if (c != ',') return false;
    ++at_;
    wants_ = closers_.back() == '}' ? Wants::name : Wants::value;
    return true;
  }

  /// A name may not be closed before its end. Escapes and characters are taken whole or not at all.
  bool string(bool is_value) {
    ++at_;
    if (is_value) note("\"");
    for (;;) {
      if (is_value) safe_ = at_;
      if (at_ == text_.size()) return false;
      if (text_[at_] == '"') return ++at_, true;
      const auto size = size_of_character(text_.substr(at_));
      if (size == 0) return false;
      at_ += size;
    }
  }
  /// How long the character, or its escape, is with which `text` begins; 0 where it is cut, or none of
  /// JSON's.
  static std::size_t size_of_character(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    if (lead == '\\') return size_of_escape(text);
    const std::size_t size = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const bool whole = lead >= 0x20 && size <= text.size();
    return whole && json::invalid_utf8(text.substr(0, size)) == text.npos ? size : 0;
  }
  static std::size_t size_of_escape(std::string_view text) {
    constexpr std::string_view kinds = R"("\/bfnrtu)";
    if (text.size() < 2 || kinds.find(text[1]) == kinds.npos) return 0;
    if (text[1] != 'u') return 2;
    if (!begins_with_code(text)) return 0;
    constexpr std::string_view high = "89abAB";  // \ud800 to \udbff, of which the next code makes a character
    const auto next = text.substr(code_size);
    const bool goes_on = code_prefix.starts_with(next.substr(0, code_prefix.size()));
    const bool is_high = (text[2] == 'd' || text[2] == 'D') && high.find(text[3]) != high.npos;
    if (!is_high || !goes_on) return code_size;
    return begins_with_code(next) ? 2 * code_size : 0;
  }
  static bool begins_with_code(std::string_view text) {
    constexpr std::string_view hex = "0123456789abcdefABCDEF";
    return text.starts_with(code_prefix) && text.size() >= code_size &&
           text.substr(0, code_size).find_first_not_of(hex, code_prefix.size()) == text.npos;
  }

  /// Reads a number or a word. What follows tells where a number ends; a word is whole or not.
  bool scalar() {
    const auto begin = at_;
    at_ = std::min(text_.find_first_of(" \t\r\n,]}", at_), text_.size());
    const auto token = text_.substr(begin, at_ - begin);
    const bool is_word = token == "true" || token == "false" || token == "null";
    return is_word || (at_ < text_.size() && Json::parse(token));
  }

  static constexpr std::string_view code_prefix = "\\u";
  static constexpr std::size_t code_size = 6;

  std::string_view text_;
  std::size_t at_{};
  std::size_t safe_{};   ///< up to here the text can be closed,
  std::string end_{};    ///< by this
  std::string closers_;  ///< the closing ones of the brackets that are open
  Wants wants_{Wants::value};
};

/// The document in an answer that ended so.
Result<Json> document_in(std::string text, Finish finish, const std::string& refusal) {
  const auto failed = [&](ErrorKind kind, std::string detail) {
    return Error{.kind = kind, .detail = std::move(detail), .body = std::move(text)};
  };
  if (finish == Finish::length) return failed(ErrorKind::length, "the answer was cut at its limit of tokens");
  if (finish == Finish::content_filter) return failed(ErrorKind::content_filter, "a filter cut the answer");
  if (finish == Finish::error) return failed(ErrorKind::truncated, "the server broke the answer off");
  if (!refusal.empty()) return failed(ErrorKind::schema, "the model refused: " + refusal);
  auto document = Json::parse(without_fences(text));
  if (document) return document;
  return failed(ErrorKind::schema, "the answer is not JSON: " + document.error().detail);
}

}  // namespace

Json beginning_of(std::string_view text) {
  constexpr std::string_view fence = "```";
  text = json::trim(text);
  if (text.starts_with(fence)) text.remove_prefix(std::min(text.find('\n'), text.size()));
  auto document = Json::parse(Beginning(text).closed());
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

/// Whether it answers, rather than says something on the way. (openai-python #3861)
bool is_answer(const Message& message) { return !message.phase || message.phase == "final_answer"; }

/// The text that has the document: the last answer that is one by itself, else all of them together.
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
  if (response.finish() == Finish::error) return response.error.value_or(ResponseError()).as_error();
  return document_in(text_of_answers(response), response.finish(), response.refusal());
}

}  // namespace responses

}  // namespace inferwire::inline v0_1
