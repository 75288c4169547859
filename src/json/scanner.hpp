/// \file
/// Walks over JSON text without building anything: finds where values end, and whether they are well-formed.
/// It is the one arbiter of what JSON is (RFC 8259); the decoder asks it about everything that simdjson
/// On-Demand skips unread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::json {

/// Levels of arrays and objects that a document may have.
inline constexpr int max_depth = 256;

constexpr bool is_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Goes forward over a text, which must outlive it. Does not look at UTF-8: see `invalid_utf8`. Every
/// function that returns false has left `fault()` and stands where the fault is. Neither recursion nor
/// allocation.
class Scanner {
 public:
  /// `depth`: how many levels lie around the text.
  explicit Scanner(std::string_view text, int depth = 0) noexcept
      : begin_(text.data()), p_(text.data()), end_(text.data() + text.size()), depth_(depth) {}

  /// Goes over one value and the space before it.
  bool value() noexcept;
  /// Goes over a string, from quote to quote, and says whether it has escapes.
  bool string(bool& escaped) noexcept;

  void space() noexcept {
    while (p_ != end_ && is_space(*p_)) ++p_;
  }
  /// Takes `c` if it comes next.
  bool take(char c) noexcept {
    if (p_ == end_ || *p_ != c) return false;
    ++p_;
    return true;
  }

  /// Reports `what` here.
  bool fail(const char* what) noexcept {
    fault_ = what;
    return false;
  }

  bool at_end() const noexcept { return p_ == end_; }
  const char* position() const noexcept { return p_; }
  std::size_t offset() const noexcept { return static_cast<std::size_t>(p_ - begin_); }
  const char* fault() const noexcept { return fault_; }

 private:
  bool key() noexcept;
  bool scalar() noexcept;
  bool number() noexcept;
  bool literal(std::string_view word) noexcept;

  const char* begin_;
  const char* p_;
  const char* end_;
  int depth_;
  const char* fault_{};
};

/// Steps through the members of an object or the elements of an array.
///
///     Items items(text);
///     while (items.next()) use(items.key(), items.value());
class Items {
 public:
  /// `text` must be well-formed, or be checked by `ok()` after the last `next()`. A text that is neither an
  /// object nor an array has no items.
  explicit Items(std::string_view text) noexcept;

  bool next() noexcept;
  /// Whether everything walked over so far was well-formed.
  bool ok() const noexcept { return ok_; }

  bool is_object() const noexcept { return close_ == '}'; }
  /// The key between its quotes, as written.
  std::string_view raw_key() const noexcept { return key_; }
  std::string key() const;
  std::string_view value() const noexcept { return value_; }

 private:
  Scanner scanner_;
  std::string_view key_;
  std::string_view value_;
  char close_{};
  bool first_{true};
  bool ok_{true};
};

/// Whether a value of JSON is an empty string, list or object, however it is written.
constexpr bool is_empty_value(std::string_view token) noexcept {
  if (token.size() < 2) return false;
  const char ends[] = {token.front(), token.back()};
  const std::string_view pair(ends, 2);
  if (pair == "\"\"") return token.size() == 2;
  return (pair == "[]" || pair == "{}") &&
         token.substr(1, token.size() - 2).find_first_not_of(" \t\r\n") == token.npos;
}

/// `text` without the white space around it.
std::string_view trim(std::string_view text) noexcept;

/// The text of a JSON string; nothing when `token` is not a string.
std::optional<std::string> string_of(std::string_view token);
/// The number as an integer: `12`, `1.0e2`; nothing when it is none, has a fraction, or does not fit.
std::optional<std::int64_t> integer_of(std::string_view token);
/// The number; nothing when it is none or beyond the range of a double.
std::optional<double> number_of(std::string_view token);

}  // namespace inferwire::inline v0_1::json
