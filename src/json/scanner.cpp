#include "json/scanner.hpp"

#include "base/ascii.hpp"
#include "base/decimal.hpp"
#include "base/percent.hpp"
#include "json/text.hpp"
#include "json/whole_number.hpp"

#include <bitset>
#include <limits>
#include <string>

namespace inferwire::inline v0_1::json {
using ascii::is_digit;

namespace {

/// Reports that another character has to come next.
bool unexpected(Scanner& scanner) noexcept {
  return scanner.fail(scanner.at_end() ? "unexpected end" : "unexpected character");
}

bool is_number(std::string_view token) noexcept {
  Scanner scanner(token);
  return !token.empty() && (token[0] == '-' || is_digit(token[0])) && scanner.value() && scanner.at_end();
}

}  // namespace

bool Scanner::value() noexcept {
  std::bitset<max_depth> objects;  // by level: whether the open container is an object
  const auto outside = static_cast<std::size_t>(depth_);
  auto level = outside;
  for (;;) {
    if (level > outside && objects[level - 1] && !key()) return false;
    space();
    if (p_ == end_) return unexpected(*this);
    if (*p_ == '{' || *p_ == '[') {
      if (level >= max_depth) return fail("nested too deeply");
      const bool object = *p_++ == '{';
      space();
      if (!take(object ? '}' : ']')) {
        objects[level++] = object;
        continue;
      }
    } else if (!scalar()) {
      return false;
    }
    // The value is complete; open containers may continue or close.
    for (; level > outside; --level) {
      space();
      if (take(',')) break;
      if (!take(objects[level - 1] ? '}' : ']')) return unexpected(*this);
    }
    if (level == outside) return true;
  }
}

bool Scanner::string() noexcept {
  if (!take('"')) return unexpected(*this);
  for (;;) {
    p_ = plain_run(p_, end_).end;
    if (p_ == end_) return unexpected(*this);
    if (*p_ == '"') {
      ++p_;
      return true;
    }
    if (*p_ != '\\') return fail("control character in a string");
    const char* const backslash = p_++;
    if (p_ == end_) return unexpected(*this);
    constexpr std::string_view simple = "\"\\/bfnrt";
    const bool is_code = *p_ == 'u';
    bool valid = is_code || simple.find(*p_) != simple.npos;
    ++p_;
    for (int digits = is_code ? 4 : 0; digits > 0 && valid && p_ != end_; --digits) {
      valid = hex_digit(*p_++) >= 0;
    }
    if (!valid) {
      p_ = backslash;
      return fail("invalid escape");
    }
  }
}

/// Skips the key of a member and its colon.
bool Scanner::key() noexcept {
  space();
  if (!string()) return false;
  space();
  return take(':') || unexpected(*this);
}

bool Scanner::scalar() noexcept {
  switch (*p_) {
    case '"': return string();
    case 't': return literal("true");
    case 'f': return literal("false");
    case 'n': return literal("null");
    default: return number();
  }
}

bool Scanner::number() noexcept {
  const auto digits = [this] {
    const char* const from = p_;
    while (p_ != end_ && is_digit(*p_)) ++p_;
    return p_ != from;
  };
  take('-');
  if (take('0')) {
    if (p_ != end_ && is_digit(*p_)) return fail("number with a leading zero");
  } else if (!digits()) {
    return unexpected(*this);
  }
  if (take('.') && !digits()) return unexpected(*this);
  if (take('e') || take('E')) {
    if (!take('+')) take('-');
    if (!digits()) return unexpected(*this);
  }
  return true;
}

bool Scanner::literal(std::string_view word) noexcept {
  for (const char c : word) {
    if (!take(c)) return unexpected(*this);
  }
  return true;
}

Items::Items(std::string_view text) noexcept : scanner_(text, 1) {
  scanner_.space();
  if (scanner_.take('{')) {
    close_ = '}';
  } else if (scanner_.take('[')) {
    close_ = ']';
  }
}

bool Items::next() noexcept {
  if (close_ == 0 || !ok_) return false;
  scanner_.space();
  if (scanner_.take(close_)) {
    close_ = 0;
    return false;
  }
  ok_ = first_ || scanner_.take(',');
  if (!ok_) return false;
  first_ = false;
  if (close_ == '}') {
    scanner_.space();
    const char* const from = scanner_.position() + 1;
    ok_ = scanner_.string();
    if (!ok_) return false;
    key_ = {from, static_cast<std::size_t>(scanner_.position() - from) - 1};
    scanner_.space();
    ok_ = scanner_.take(':');
    if (!ok_) return false;
  }
  scanner_.space();
  const char* const from = scanner_.position();
  ok_ = scanner_.value();
  if (!ok_) return false;
  value_ = {from, static_cast<std::size_t>(scanner_.position() - from)};
  return true;
}

std::string Items::key() const {
  std::string out;
  append_unescaped(out, key_);
  return out;
}

std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<std::string> string_of(std::string_view token) {
  token = trim(token);
  std::string out;
  if (token.size() < 2 || token.front() != '"' || token.back() != '"') return std::nullopt;
  if (!append_unescaped(out, token.substr(1, token.size() - 2))) return std::nullopt;
  return out;
}

std::optional<std::int64_t> integer_of(std::string_view token) {
  token = trim(token);
  if (!is_number(token)) return std::nullopt;
  const auto number = whole_number(token);
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!number || number->magnitude > most + (number->negative ? 1 : 0)) return std::nullopt;
  // A negative number is converted to its two's complement.
  return static_cast<std::int64_t>(number->negative ? 0 - number->magnitude : number->magnitude);
}

std::optional<double> number_of(std::string_view token) {
  token = trim(token);
  return is_number(token) ? parse_decimal(token) : std::nullopt;
}

}  // namespace inferwire::inline v0_1::json
