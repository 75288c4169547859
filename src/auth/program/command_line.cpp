#include "auth/program/command_line.hpp"

#include <optional>
#include <utility>

namespace inferwire::inline v0_1::auth {

namespace {

Error wrong(const char* what) {
  return {.kind = ErrorKind::config, .detail = std::string("a command ") + what};
}

constexpr bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

Result<std::vector<std::string>> split_command(std::string_view text) {
  std::vector<std::string> words;
  std::optional<std::string> word;  // the current word; an empty pair of quotes is also a word
  char quote = 0;                   // the open quote
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && is_space(c)) {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
      continue;
    }
    if (!word) word.emplace();
    if (c == '\\' && quote != '\'') {
      if (++i == text.size()) return wrong("ends in a backslash");
      *word += text[i];
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else {
      *word += c;
    }
  }
  if (quote != 0) return wrong("opens a quote and does not close it");
  if (word) words.push_back(*std::move(word));
  if (words.empty() || words.front().empty()) return wrong("names no program");
  return words;
}

}  // namespace inferwire::inline v0_1::auth
