#include "json/beginning.hpp"

#include "base/utf8.hpp"
#include "inferwire/json.hpp"
#include "json/scanner.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace inferwire::inline v0_1::json {
namespace {

/// Follows a document to its end, and remembers the last position where it could be closed.
class Beginning {
 public:
  explicit Beginning(std::string_view text) : text_(text) {}

  /// The text so far, closed; empty if there is nothing to close.
  std::string closed() && {
    while (at_ < text_.size() && step()) {}
    std::string out(text_.substr(0, safe_));
    out += end_;
    return out;
  }

 private:
  enum class Wants : std::uint8_t { value, value_or_end, name, name_or_end, colon, comma, nothing };

  /// Records that the text can be closed here by `quote` and the closing brackets.
  void note(std::string_view quote = {}) {
    safe_ = at_;
    end_.assign(quote);
    end_.append(closers_.rbegin(), closers_.rend());
  }

  /// Takes one token; false if the text is cut off, ends, or is not JSON.
  bool step() {
    const char c = text_[at_];
    if (is_space(c)) return ++at_, true;
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
    if (closers_.size() == std::size_t{max_depth}) return false;
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

  /// A name can only be closed at its end. Escapes and characters are taken completely or not at all.
  bool string(bool is_value) {
    ++at_;
    if (is_value) note("\"");
    for (;;) {
      while (at_ < text_.size() && is_plain(text_[at_])) ++at_;
      if (is_value) safe_ = at_;
      if (at_ == text_.size()) return false;
      if (text_[at_] == '"') return ++at_, true;
      const auto size = size_of_character(text_.substr(at_));
      if (size == 0) return false;
      at_ += size;
    }
  }
  /// Whether the byte is a whole character of a string, as most are.
  static bool is_plain(char c) noexcept { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; }
  /// The length of the character or escape at the start of `text`; 0 if it is cut off or not valid in JSON.
  static std::size_t size_of_character(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    if (lead == '\\') return size_of_escape(text);
    const auto [kind, size] = utf8::first_character(text);
    return lead >= 0x20 && kind == utf8::Character::Kind::whole ? size : 0;
  }
  static std::size_t size_of_escape(std::string_view text) {
    constexpr std::string_view kinds = R"("\/bfnrtu)";
    if (text.size() < 2 || kinds.find(text[1]) == kinds.npos) return 0;
    if (text[1] != 'u') return 2;
    if (!begins_with_code(text)) return 0;
    constexpr std::string_view high =
        "89abAB";  // \ud800 to \udbff, which form one character with the next code
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

  /// Reads a number or a word. A number ends at the next delimiter; a word must be complete.
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
  std::size_t safe_{};   ///< the text can be closed at this position,
  std::string end_{};    ///< by appending this text
  std::string closers_;  ///< the closing brackets of the open ones
  Wants wants_{Wants::value};
};

}  // namespace

std::string closed_beginning(std::string_view text) { return Beginning(text).closed(); }

}  // namespace inferwire::inline v0_1::json
