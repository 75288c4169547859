/// \file
/// Walks over JSON text without building anything: finds where values end, and whether they are well-formed.
/// It alone decides what is valid JSON (RFC 8259); the decoder uses it for everything that simdjson On-Demand
/// skips unread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::json {

/// The maximum depth of arrays and objects in a document.
inline constexpr int max_depth = 256;

constexpr bool is_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Moves forward over a text, which must outlive it. Does not check UTF-8: see `invalid_utf8`. A function
/// that returns false has set `fault()` and stopped at the position of the error. No recursion, no
/// allocations.
class Scanner {
 public:
  /// `depth`: the number of levels around the text.
  explicit Scanner(std::string_view text, int depth = 0) noexcept
      : begin_(text.data()), p_(text.data()), end_(text.data() + text.size()), depth_(depth) {}

  /// Skips one value and the space before it.
  bool value() noexcept;
  /// Skips a string including its quotes.
  bool string() noexcept;

  void space() noexcept {
    while (p_ != end_ && is_space(*p_)) ++p_;
  }
  /// Takes `c` if it is next.
  bool take(char c) noexcept {
    if (p_ == end_ || *p_ != c) return false;
    ++p_;
    return true;
  }

  /// Reports the error `what` at this position.
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
  /// Whether everything so far was well-formed.
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

/// Whether a JSON value is an empty string, list or object, in any notation.
constexpr bool is_empty_value(std::string_view token) noexcept {
  if (token.size() < 2) return false;
  const char ends[] = {token.front(), token.back()};
  const std::string_view pair(ends, 2);
  if (pair == "\"\"") return token.size() == 2;
  return (pair == "[]" || pair == "{}") &&
         token.substr(1, token.size() - 2).find_first_not_of(" \t\r\n") == token.npos;
}

/// `text` without surrounding white space.
std::string_view trim(std::string_view text) noexcept;

/// The text of a JSON string; nothing if `token` is not a string.
std::optional<std::string> string_of(std::string_view token);
/// The number as an integer: `12`, `1.0e2`; nothing if it is not a number, has a fraction, or does not fit.
std::optional<std::int64_t> integer_of(std::string_view token);
/// The number; nothing if it is not one or beyond the range of a double.
std::optional<double> number_of(std::string_view token);

}  // namespace inferwire::inline v0_1::json
