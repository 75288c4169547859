#include "engine/constraint/regex.hpp"

#include "engine/utf8.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// A range of characters, both ends included.
struct Span {
  char32_t first;
  char32_t last;
};
using Spans = std::vector<Span>;

constexpr char32_t first_printable = 0x20, last_printable = 0x7E;
/// The most characters beyond ASCII that are used of a span.
constexpr char32_t most_of_span = 64;
constexpr int most_repeats = 256;
constexpr int deepest = 64;
/// The most quantifiers of one atom; each repeats the result of those before it.
constexpr int most_quantifiers = 4;
constexpr std::size_t longest_expression = 16'384;

Spans digits() { return {{'0', '9'}}; }
Spans word() { return {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}; }
Spans space() { return {{' ', ' '}}; }
Spans all_space() { return {{'\t', '\r'}, {' ', ' '}}; }
Spans line_ends() { return {{'\n', '\n'}, {'\r', '\r'}}; }

/// The printable ASCII characters outside `spans` that JSON strings need not escape.
Spans others(const Spans& spans) {
  Spans out;
  for (char32_t c = first_printable; c <= last_printable; ++c) {
    const bool excluded =
        std::ranges::any_of(spans, [c](const Span& span) { return c >= span.first && c <= span.last; });
    if (!excluded && c != '"' && c != '\\') out.push_back({c, c});
  }
  return out;
}

Regex one_of(const Spans& spans) {
  Regex out{.kind = Regex::Kind::characters};
  for (const auto [first, last] : spans) {
    const auto end =
        last <= 0x7F ? last
                     : std::min(last, static_cast<char32_t>(std::max<char32_t>(first, 0x7F) + most_of_span));
    for (char32_t c = first; c <= end; ++c) {
      if (c < 0xD800 || c > 0xDFFF) out.characters += c;
    }
  }
  std::ranges::sort(out.characters);
  out.characters.erase(std::unique(out.characters.begin(), out.characters.end()), out.characters.end());
  return out;
}

Regex sequence(std::vector<Regex> parts) {
  return {.kind = Regex::Kind::sequence, .parts = std::move(parts)};
}

bool is_nothing(const Regex& regex) { return regex.kind == Regex::Kind::sequence && regex.parts.empty(); }

/// The prefix that lets an expression match anywhere in a text; `Regex::both` combines expressions with it.
constexpr std::string_view anywhere = "[^]*(?:";

Regex anything() { return {.kind = Regex::Kind::repeat, .parts = {one_of(others(line_ends()))}}; }

class Parser {
 public:
  explicit Parser(std::u32string text) : text_(std::move(text)) {}

  std::variant<Regex, std::string> parse() {
    auto regex = choice(0);
    if (fault_.empty() && at_ < text_.size()) fail("unmatched ')'");
    if (!fault_.empty()) return fault_;
    if (conditions_.empty()) return regex;
    conditions_.push_back(std::move(regex));
    return Regex{.kind = Regex::Kind::all, .parts = std::move(conditions_)};
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  bool sees(char32_t c) const { return !at_end() && text_[at_] == c; }
  bool take(char32_t c) { return sees(c) && (++at_, true); }
  bool take(std::u32string_view text) {
    return text_.compare(at_, text.size(), text) == 0 && (at_ += text.size(), true);
  }
  char32_t next() { return at_end() ? (fail("it ends too early"), 0) : text_[at_++]; }

  Regex fail(std::string_view why) {
    if (fault_.empty()) fault_ = why;
    at_ = text_.size();
    return {};
  }

  /// Alternatives. Those at the top level may be anchored; an unanchored side may be preceded or followed by
  /// anything.
  Regex choice(int depth) {
    if (depth > deepest) return fail("groups are nested too deep");
    Regex out{.kind = Regex::Kind::choice};
    bool has_conditions = false;
    do {
      const bool from_start = depth == 0 && take('^');
      for (; from_start && take(U"(?="); has_conditions = true) conditions_.push_back(condition());
      auto alternative = sequence_of(depth);
      const bool to_end = depth == 0 && take('$');
      if (has_conditions && is_nothing(alternative) && !to_end && !sees('|')) return last_condition();
      if (depth == 0) {
        std::vector<Regex> whole;
        if (!from_start) whole.push_back(anything());
        whole.push_back(std::move(alternative));
        if (!to_end) whole.push_back(anything());
        alternative = sequence(std::move(whole));
      }
      out.parts.push_back(std::move(alternative));
    } while (take('|'));
    if (has_conditions && out.parts.size() > 1) return fail("lookahead beside alternatives is not supported");
    return out;
  }

  /// A lookahead at the start: a condition on the whole text besides the rest of the expression.
  Regex condition() {
    if (take(std::u32string(anywhere.begin(), anywhere.end()))) {
      if (++conditions_within_ > deepest) return fail("groups are nested too deep");
      auto found = choice(0);
      --conditions_within_;
      return take(U"))") ? found : fail("unmatched '('");
    }
    std::vector<Regex> parts;
    parts.push_back(sequence_of(0));
    if (!take('$')) parts.push_back(anything());
    return take(')') ? sequence(std::move(parts)) : fail("this lookahead is not supported");
  }

  Regex last_condition() {
    auto last = std::move(conditions_.back());
    conditions_.pop_back();
    return last;
  }

  Regex sequence_of(int depth) {
    std::vector<Regex> parts;
    while (!at_end() && !sees('|') && !sees(')') && !(depth == 0 && sees_last_anchor())) {
      parts.push_back(repeated(atom(depth)));
    }
    return sequence(std::move(parts));
  }

  bool sees_last_anchor() const {
    return sees('$') && (at_ + 1 == text_.size() || text_[at_ + 1] == '|' || text_[at_ + 1] == ')');
  }

  Regex repeated(Regex part) {
    int quantifiers = 0;
    for (auto times = repeat(); times; times = repeat()) {
      if (++quantifiers > most_quantifiers)
        return fail("more than " + std::to_string(most_quantifiers) + " quantifiers in a row");
      take('?');  // lazy or not, the language is the same
      const auto [least, most] = *times;
      if (least > most_repeats || most > most_repeats)
        return fail("more than " + std::to_string(most_repeats) + " repetitions");
      if (most != Regex::unlimited && least > most)
        return fail("a repetition's bounds are in the wrong order");
      if (most == 0 || is_nothing(part)) {
        part = sequence({});
        continue;
      }
      std::vector<Regex> only;
      only.push_back(std::move(part));
      part = {.kind = Regex::Kind::repeat, .parts = std::move(only), .least = least, .most = most};
    }
    return part;
  }

  /// Takes a quantifier, if one is next: the least and most repetitions.
  std::optional<std::pair<int, int>> repeat() {
    if (take('*')) return {{0, Regex::unlimited}};
    if (take('+')) return {{1, Regex::unlimited}};
    if (take('?')) return {{0, 1}};
    if (!take('{')) return std::nullopt;
    const int least = number();
    int most = least;
    if (take(',')) most = sees('}') ? Regex::unlimited : number();
    if (!take('}')) fail("'{' does not begin a repetition");
    return {{least, most}};
  }

  int number() {
    if (at_end() || text_[at_] < '0' || text_[at_] > '9') fail("'{' does not begin a repetition");
    int value = 0;
    while (!at_end() && text_[at_] >= '0' && text_[at_] <= '9') {
      value = std::min(value * 10 + static_cast<int>(text_[at_++] - '0'), most_repeats + 1);
    }
    return value;
  }

  Regex atom(int depth) {
    const auto c = next();
    switch (c) {
      case '(': return group(depth);
      case '[': return char_class();
      case '.': return one_of(others(line_ends()));
      case '\\': return one_of(escaped(false));
      case '^':
      case '$': return fail("an anchor inside of the pattern is not supported");
      case '*':
      case '+':
      case '?':
      case '{': return fail("nothing to repeat");
      default: return one_of({{c, c}});
    }
  }

  Regex group(int depth) {
    if (take(U"?=") || take(U"?!") || take(U"?<=") || take(U"?<!")) {
      return fail("lookaround is not supported");
    }
    if (take(U"?<") || take(U"?P<")) {
      while (!at_end() && !sees('>')) ++at_;
      next();
    } else if (!take(U"?:") && sees('?')) {
      return fail("modifiers such as '(?i)' are not supported");
    }
    auto inner = choice(depth + 1);
    return take(')') ? inner : fail("unmatched '('");
  }

  Regex char_class() {
    const bool excludes = take('^');
    Spans spans;
    while (!at_end() && !sees(']')) {
      const auto first = class_atom();
      const bool one = first.size() == 1 && first[0].first == first[0].last;
      const bool range = one && sees('-') && at_ + 1 < text_.size() && text_[at_ + 1] != ']';
      if (!range) {
        spans.insert(spans.end(), first.begin(), first.end());
        continue;
      }
      next();
      const auto last = class_atom();
      if (last.size() != 1 || last[0].last < first[0].first) return fail("a range of characters is reversed");
      spans.push_back({first[0].first, last[0].last});
    }
    if (!take(']')) return fail("unmatched '['");
    return one_of(excludes ? others(spans) : spans);
  }

  Spans class_atom() {
    const auto c = next();
    return c == '\\' ? escaped(true) : Spans{{c, c}};
  }

  Spans escaped(bool in_class) {
    const auto c = next();
    switch (c) {
      case 'd': return digits();
      case 'D': return others(digits());
      case 'w': return word();
      case 'W': return others(word());
      case 's': return space();
      case 'S': return others(all_space());
      case 't': return {{'\t', '\t'}};
      case 'n': return {{'\n', '\n'}};
      case 'r': return {{'\r', '\r'}};
      case 'f': return {{'\f', '\f'}};
      case 'v': return {{'\v', '\v'}};
      case 'x': return code_point(2);
      case 'u': return take('{') ? code_point(0) : code_point(4);
      case 'b':
        if (in_class) return {{'\b', '\b'}};
        break;
      default: break;
    }
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter) return {{c, c}};
    fail("the escape '\\" + to_utf8(std::string(1, static_cast<char>(c))) + "' is not supported");
    return {};
  }

  /// `length` hexadecimal digits; with 0, one or more up to the closing brace.
  Spans code_point(int length) {
    char32_t value = 0;
    for (int i = 0; length == 0 ? i == 0 || !take('}') : i < length; ++i) {
      const auto c = next();
      const std::u32string_view hex = U"0123456789abcdef0123456789ABCDEF";
      const auto digit = hex.find(c);
      if (digit == hex.npos || value > 0x10FFFF) {
        fail("a character's number cannot be read");
        return {};
      }
      value = value * 16 + static_cast<char32_t>(digit % 16);
    }
    if (value > 0x10FFFF) fail("a character's number cannot be read");
    return {{value, value}};
  }

  std::u32string text_;
  std::size_t at_{};
  std::string fault_;
  std::vector<Regex> conditions_;
  int conditions_within_{};  ///< the nesting depth of the conditions around the parser
};

}  // namespace

std::variant<Regex, std::string> Regex::parse(std::string_view utf8) {
  auto text = to_code_points(utf8);
  if (text.size() > longest_expression)
    return "it is longer than " + std::to_string(longest_expression) + " characters";
  return Parser(std::move(text)).parse();
}

std::string Regex::both(const std::string& a, const std::string& b) {
  const auto condition = [](const std::string& regex) {
    return "(?=" + std::string(anywhere) + regex + "))";
  };
  return "^" + condition(a) + condition(b);
}

}  // namespace inferwire::inline v0_1::engine
