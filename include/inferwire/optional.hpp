/// \file
/// A value that may be absent.
#pragma once

#include "inferwire/exceptions.hpp"
#include "inferwire/export.hpp"

#include <compare>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace inferwire::inline v0_1 {

template <class T>
class Optional;

namespace detail {

/// Implicit conversions that are almost always mistakes: from a floating-point number to an integer, from
/// anything but `bool` to `bool`, and from `bool` to a number.
template <class From, class To>
concept loses_most = (std::is_floating_point_v<From> && std::is_integral_v<To>) ||
                     (std::is_same_v<std::remove_cv_t<To>, bool> && std::is_scalar_v<std::decay_t<From>> &&
                      !std::is_same_v<std::remove_cv_t<From>, bool>) ||
                     (std::is_same_v<std::remove_cv_t<From>, bool> && std::is_arithmetic_v<To> &&
                      !std::is_same_v<std::remove_cv_t<To>, bool>);

/// A C string that may be null, such as the result of std::getenv.
template <class From, class To>
concept c_string_of = std::is_class_v<To> && (std::is_pointer_v<From> || std::is_null_pointer_v<From>) &&
                      std::is_convertible_v<From, const char*> && std::is_convertible_v<const char*, To>;

/// A view, which std::string copies only explicitly.
template <class From, class To>
concept view_of = std::is_same_v<To, std::string> && std::is_same_v<From, std::string_view>;

/// Optionals that convert to each other: of a number to one of a number, and of a view to one of a string.
template <class From, class To>
concept optional_of =
    (std::is_arithmetic_v<From> && std::is_arithmetic_v<To> && !loses_most<From, To>) || view_of<From, To>;

template <class T, class U>
concept equated = requires(const T& one, const U& other) { one == other; };

template <class T, class U>
concept ordered = requires(const T& one, const U& other) { one <=> other; };

template <class T>
inline constexpr bool may_be_absent = false;
template <class T>
inline constexpr bool may_be_absent<Optional<T>> = true;
template <class T>
inline constexpr bool may_be_absent<std::optional<T>> = true;
template <>
inline constexpr bool may_be_absent<std::nullopt_t> = true;

/// Copies and destroys values. Headers declare this `extern` for structs of the API: files would otherwise
/// instantiate the copying and destruction of whatever a request may contain.
template <class T>
struct Lifetime {
  static void copy(T* place, const T& value);
  static void destroy(T& value) noexcept;
};

template <class T>
void Lifetime<T>::copy(T* place, const T& value) {
  std::construct_at(place, value);
}
template <class T>
void Lifetime<T>::destroy(T& value) noexcept {
  std::destroy_at(std::addressof(value));
}

extern template struct INFERWIRE_API Lifetime<std::string>;

}  // namespace detail

/// A `T` or nothing, with most of the interface of std::optional, and convertible from and to it.
///
/// Everything in the public headers that may be absent has this type. There are so many instances that
/// std::optional, which inspects the properties of every `T`, would take a fifth of the time that compiling
/// the headers of this library takes. Reading an absent value by `*` or `->` is undefined, as with
/// std::optional. To get a std::optional<bool> from an Optional<bool>, assign with `=`; direct initialisation
/// would convert through `operator bool`.
template <class T>
class Optional {
 public:
  using value_type = T;

  Optional() noexcept : nothing_() {}
  Optional(std::nullopt_t) noexcept : nothing_() {}
  Optional(const Optional& other) : nothing_() {
    if (!other) return;
    detail::Lifetime<T>::copy(std::addressof(value_), other.value_);
    has_value_ = true;
  }
  Optional(Optional&& other) noexcept(std::is_nothrow_move_constructible_v<T>) : nothing_() {
    if (other) emplace(std::move(*other));
  }
  /// The value that `value` converts to. Conversions that would lose most of it are rejected: 0.5 to an
  /// integer, or a pointer to bool.
  template <class U = T>
    requires(!std::is_same_v<std::remove_cvref_t<U>, Optional> &&
             (std::is_convertible_v<U, T> || detail::view_of<std::remove_cvref_t<U>, T>) &&
             !detail::loses_most<std::remove_cvref_t<U>, T> && !detail::c_string_of<std::decay_t<U>, T>)
  Optional(U&& value) : value_(static_cast<T>(std::forward<U>(value))), has_value_(true) {}
  /// The value that a C string converts to; absent for nullptr, as std::getenv may return.
  template <class U>
    requires detail::c_string_of<U, T>
  Optional(U text) : nothing_() {
    if (const char* const value = text) emplace(static_cast<T>(value));
  }
  /// A TextOrList holding the list in the braces.
  template <class U = T>
  Optional(std::initializer_list<typename U::list_element> list) : value_(list), has_value_(true) {}
  /// Braces in braces, which TextOrList rejects, unless they hold a std::string.
  template <class Inner, class U = T>
    requires(std::is_same_v<typename U::list_element, std::string> && !std::is_same_v<Inner, std::string>)
  Optional(std::initializer_list<std::initializer_list<Inner>>) = delete;
  /// The value of `other`, if there is one.
  template <class U>
    requires(std::is_same_v<U, T> || detail::optional_of<U, T>)
  Optional(std::optional<U> other) : nothing_() {
    if (other) emplace(static_cast<T>(*std::move(other)));
  }
  template <class U>
    requires(!std::is_same_v<U, T> && detail::optional_of<U, T>)
  Optional(const Optional<U>& other) : nothing_() {
    if (other) emplace(static_cast<T>(*other));
  }
  ~Optional() { reset(); }

  Optional& operator=(const Optional& other) {
    if (has_value() && other) {
      value_ = *other;
    } else if (other) {
      emplace(*other);
    } else {
      reset();
    }
    return *this;
  }
  Optional& operator=(Optional&& other) noexcept(std::is_nothrow_move_constructible_v<T> &&
                                                 std::is_nothrow_move_assignable_v<T>) {
    if (has_value() && other) {
      value_ = std::move(*other);
    } else if (other) {
      emplace(std::move(*other));
    } else {
      reset();
    }
    return *this;
  }

  /// Assigns a value given in braces, `reply.usage = {.prompt_tokens = 3}`; empty braces make it absent.
  template <class U = T>
    requires(std::is_same_v<U, T> && !std::is_scalar_v<T>)
  Optional& operator=(U&& value) {
    return *this = Optional(std::move(value));
  }

  operator std::optional<T>() const& { return has_value_ ? std::optional<T>(value_) : std::nullopt; }
  operator std::optional<T>() && { return has_value_ ? std::optional<T>(std::move(value_)) : std::nullopt; }

  bool has_value() const noexcept { return has_value_; }
  explicit operator bool() const noexcept { return has_value_; }

  // A temporary returns its value by value, as Result does.
  T& operator*() & noexcept INFERWIRE_LIFETIMEBOUND { return value_; }
  const T& operator*() const& noexcept INFERWIRE_LIFETIMEBOUND { return value_; }
  T operator*() && noexcept(std::is_nothrow_move_constructible_v<T>) { return std::move(value_); }
  T* operator->() noexcept INFERWIRE_LIFETIMEBOUND { return std::addressof(value_); }
  const T* operator->() const noexcept INFERWIRE_LIFETIMEBOUND { return std::addressof(value_); }

#if INFERWIRE_EXCEPTIONS
  /// The value; throws std::bad_optional_access if there is none.
  T& value() & INFERWIRE_LIFETIMEBOUND { return ensure_value(), **this; }
  const T& value() const& INFERWIRE_LIFETIMEBOUND { return ensure_value(), **this; }
  T value() && { return ensure_value(), std::move(**this); }
#endif

  /// The value, or `fallback` if there is none.
  template <class U>
  T value_or(U&& fallback) const& {
    return has_value_ ? value_ : static_cast<T>(std::forward<U>(fallback));
  }
  template <class U>
  T value_or(U&& fallback) && {
    return has_value_ ? std::move(value_) : static_cast<T>(std::forward<U>(fallback));
  }

  /// Constructs a value from `arguments`, in place of the current one, and returns it.
  template <class... A>
  T& emplace(A&&... arguments) {
    reset();
    std::construct_at(std::addressof(value_), std::forward<A>(arguments)...);
    has_value_ = true;
    return value_;
  }
  /// Removes the value.
  void reset() noexcept {
    if (!has_value_) return;
    has_value_ = false;
    detail::Lifetime<T>::destroy(value_);
  }

 private:
#if INFERWIRE_EXCEPTIONS
  void ensure_value() const {
    if (!has_value_) throw std::bad_optional_access();
  }
#endif

  union {
    char nothing_;
    T value_;
  };
  bool has_value_{false};
};

/// Equal values, or both absent.
template <class T>
  requires detail::equated<T, T>
bool operator==(const Optional<T>& a, const Optional<T>& b) {
  return a.has_value() == b.has_value() && (!a.has_value() || *a == *b);
}
template <class T>
bool operator==(const Optional<T>& a, std::nullopt_t) noexcept {
  return !a.has_value();
}
template <class T, class U>
  requires(!std::is_same_v<T, U> && detail::equated<T, U>)
bool operator==(const Optional<T>& a, const Optional<U>& b) {
  return a.has_value() == b.has_value() && (!a.has_value() || *a == *b);
}
template <class T, class U>
  requires detail::equated<T, U>
bool operator==(const Optional<T>& a, const std::optional<U>& b) {
  return a.has_value() == b.has_value() && (!a.has_value() || *a == *b);
}
// Reversed by hand, here and below: GCC 12 would choose the standard library's operators instead.
template <class T, class U>
  requires detail::equated<U, T>
bool operator==(const std::optional<U>& a, const Optional<T>& b) {
  return b == a;
}
/// Whether there is a value, and it equals `b`.
template <class T, class U>
  requires detail::equated<T, U>
bool operator==(const Optional<T>& a, const U& b) {
  return a.has_value() && *a == b;
}
/// An absent value is less than any value.
template <class T, class U>
  requires detail::ordered<T, U>
auto operator<=>(const Optional<T>& a, const Optional<U>& b) -> decltype(*a <=> *b) {
  if (a && b) return *a <=> *b;
  return a.has_value() <=> b.has_value();
}
template <class T, class U>
  requires detail::ordered<T, U>
auto operator<=>(const Optional<T>& a, const std::optional<U>& b) -> decltype(*a <=> *b) {
  if (a && b) return *a <=> *b;
  return a.has_value() <=> b.has_value();
}
template <class T, class U>
  requires detail::ordered<U, T>
auto operator<=>(const std::optional<U>& a, const Optional<T>& b) -> decltype(*a <=> *b) {
  if (a && b) return *a <=> *b;
  return a.has_value() <=> b.has_value();
}
template <class T>
std::strong_ordering operator<=>(const Optional<T>& a, std::nullopt_t) noexcept {
  return a.has_value() <=> false;
}
template <class T, class U>
  requires(!detail::may_be_absent<U> && detail::ordered<T, U>)
auto operator<=>(const Optional<T>& a, const U& b) -> decltype(*a <=> b) {
  if (a) return *a <=> b;
  return std::strong_ordering::less;
}

}  // namespace inferwire::inline v0_1
