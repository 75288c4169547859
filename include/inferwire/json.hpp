/// \file
/// JSON values kept as text, and the members of a document that this library does not know.
#pragma once

#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1 {

struct Member;

namespace detail {
struct JsonAccess;  // the codec's way to the text inside
}

/// One JSON value, kept as text byte for byte: `12345678901234567890123` and `1.10` are not changed.
///
/// It can be read by JSON pointer and by type; to build or change documents, include `inferwire/nlohmann.hpp`
/// or write text. A default-constructed Json is `null`. As thread-safe as a std::string.
class INFERWIRE_API Json {
 public:
  Json() = default;

  /// The value that `text` holds (RFC 8259, UTF-8, white space around it allowed, at most 256 levels deep).
  /// Errors: decode, with the byte offset in the detail.
  static Result<Json> parse(std::string_view text);

  /// Takes `text` unchecked. Text that is not well-formed JSON is detected when it is sent:
  /// Error{invalid_request}.
  static Json raw(std::string text) { return Json(Trusted{}, std::move(text)); }

  /// The JSON string for `text`. Bytes that are not UTF-8 become U+FFFD.
  static Json string(std::string_view text);
  /// The JSON number that reads back as `value`. JSON has no infinities and no NaN: those are detected when
  /// they are sent, like invalid text given to `raw`.
  static Json number(double value);
  static Json number(float value);
  template <class Whole>
    requires(std::is_integral_v<Whole> && !std::is_same_v<Whole, bool> && !std::is_same_v<Whole, char>)
  static Json number(Whole value) {
    return raw(std::to_string(value));
  }
  /// `true` or `false`. Takes only a bool, since a string literal or a pointer would convert to true.
  template <class Truth>
    requires std::is_same_v<Truth, bool>
  static Json boolean(Truth value) {
    return raw(value ? "true" : "false");
  }

  const std::string& text() const& noexcept INFERWIRE_LIFETIMEBOUND { return text_; }
  std::string text() && noexcept { return std::move(text_); }
  /// The text without line breaks, for SSE events and lines of a file. (`text` keeps the line breaks between
  /// members.)
  std::string one_line() const;

  bool is_null() const noexcept;
  bool is_bool() const noexcept;
  bool is_number() const noexcept;
  bool is_string() const noexcept;
  bool is_array() const noexcept;
  bool is_object() const noexcept;

  /// The value at an RFC 6901 pointer ("/choices/0/message"; "" is the whole document), or that of the member
  /// whose name it is if it does not begin with "/" ("message", not escaped); absent if there is none.
  /// Elements of lists have their numbers as names.
  Optional<Json> find(std::string_view pointer) const;

  /// The value as a C++ value; absent if it is of another type or out of range. An integer may be written in
  /// any form: `12`, `1.2e1`.
  Optional<bool> as_bool() const;
  Optional<std::int64_t> as_int() const;
  Optional<double> as_double() const;
  Optional<std::string> as_string() const;

  /// The elements of an array in order; empty for any other type.
  std::vector<Json> items() const;
  /// The members of an object in order, with names unescaped and duplicates included; empty for any other
  /// type.
  std::vector<Member> members() const;

  /// Equal text; `1.0` and `1.00` differ.
  friend bool operator==(const Json& a, const Json& b) noexcept { return a.text_ == b.text_; }
  /// Writes the text.
  template <class Traits>
  friend std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                                      const Json& json) {
    return out << json.text_;
  }

 private:
  friend struct detail::JsonAccess;
  struct Trusted {};  // keeps this constructor out of conversions: nlohmann::json converts to std::string too
  Json(Trusted, std::string text) : text_(std::move(text)) {}

  std::string text_{"null"};
};

/// A named JSON value.
struct Member {
  std::string name{};
  Json value{};

  INFERWIRE_API friend bool operator==(const Member&, const Member&);
};

/// The members of an object that its struct does not name, in the order in which they arrived. They are sent
/// again unchanged, so this is also the place for parameters that this library does not know yet, and for a
/// null that has to be sent: `request.extra.set("store", Json{})`. The library marks tool calls that are
/// incomplete or have a generated id by the members "inferwire:incomplete" and "inferwire:id_generated" of
/// chat::ToolCall::extra; these are never sent.
class INFERWIRE_API Extra {
 public:
  Extra() = default;
  // Every struct of the API has one, mostly empty: members are copied and destroyed in the library.
  Extra(const Extra& other) {
    if (!other.empty()) *this = other;
  }
  Extra(Extra&& other) = default;
  Extra& operator=(const Extra& other);
  Extra& operator=(Extra&& other) = default;
  ~Extra();
  /// `{{"server_label", Json::string("docs")}, {"require_approval", Json::string("never")}}`.
  Extra(std::initializer_list<Member> members);

  bool empty() const noexcept { return members_.empty(); }
  std::size_t size() const noexcept { return members_.size(); }
  auto begin() const noexcept { return members_.begin(); }
  auto end() const noexcept { return members_.end(); }

  /// The value of `name`, the last one if there are several; nullptr if there is none.
  const Json* find(std::string_view name) const noexcept INFERWIRE_LIFETIMEBOUND;
  /// Sets `name`; if it is there already, it keeps its place.
  void set(std::string name, Json value);
  /// Removes every member called `name`.
  void erase(std::string_view name);
  /// Appends without checking whether `name` is there already, as a decoder does.
  void append(std::string name, Json value);
  /// Removes all members.
  void clear() noexcept { members_.clear(); }

  friend bool operator==(const Extra& a, const Extra& b) { return same(a, b); }

 private:
  friend struct detail::JsonAccess;
  static bool same(const Extra& a, const Extra& b);

  std::vector<Member> members_;
};

extern template struct INFERWIRE_API detail::Lifetime<Json>;

/// An alternative of a union that this library does not know: its JSON, kept and sent again unchanged.
struct Unknown {
  Json json{};

  /// Its `type` member; empty if it has none.
  INFERWIRE_API std::string type() const;

  INFERWIRE_API friend bool operator==(const Unknown&, const Unknown&);
};

}  // namespace inferwire::inline v0_1
