/// \file
/// A value or an Error, with the names of std::expected.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/exceptions.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#if INFERWIRE_EXCEPTIONS
#include <exception>
#endif

namespace inferwire::inline v0_1 {

#if INFERWIRE_EXCEPTIONS
/// Thrown by `Result::value()`. Apart from the std::bad_optional_access of `Optional::value()`, it is the
/// only exception that this library throws. Defined in the library, so that all parts of a program share one
/// type.
class INFERWIRE_API Exception : public std::exception {
 public:
  explicit Exception(Error error);
  Exception(const Exception&);
  Exception& operator=(const Exception&);
  ~Exception() override;

  const Error& error() const noexcept { return error_; }
  /// `error().message()`
  const char* what() const noexcept override;

 private:
  Error error_;
  std::string message_;
};
#endif

template <class T>
class Result;

namespace detail {
template <class T>
inline constexpr bool is_result = false;
template <class T>
inline constexpr bool is_result<Result<T>> = true;
struct Nothing {
  friend bool operator==(const Nothing&, const Nothing&) = default;
};

/// An Error on the heap: a successful result needs no space for one, and passing on a failed result moves
/// only a pointer. If there is no memory for it, its kind is kept, and its detail is "no memory".
class INFERWIRE_API BoxedError {
 public:
  INFERWIRE_COLD BoxedError(Error&& error) noexcept;
  INFERWIRE_COLD BoxedError(const BoxedError& other);
  BoxedError(BoxedError&& other) noexcept : error_(std::exchange(other.error_, nullptr)) {}
  BoxedError& operator=(BoxedError other) noexcept {
    std::swap(error_, other.error_);
    return *this;
  }
  ~BoxedError() {
    if (error_ != nullptr) destroy();
  }

  /// After a move the Error is empty.
  INFERWIRE_COLD Error& operator*();
  const Error& operator*() const noexcept { return error_ != nullptr ? *error_ : nothing(); }

  /// Moves the Error out.
  INFERWIRE_COLD Error take() noexcept;

  friend bool operator==(const BoxedError& a, const BoxedError& b) { return *a == *b; }

 private:
  INFERWIRE_COLD void destroy() noexcept;
  static const Error& nothing() noexcept;

  Error* error_;
};

/// Ends the program because it reads the value of a failed Result, with this error, or the error of a
/// successful one (nullptr). Says so on stderr.
[[noreturn]] INFERWIRE_API void misread(const BoxedError* error) noexcept;
}  // namespace detail

/// A `T`, or the Error that says why there is none.
///
/// Use it as `if (!result) return result.error();` or, where exceptions are wanted, as `result.value()`.
/// `T` may be void. Reading the value of a failed result by `*` or `->` is a mistake that ends the program:
/// it aborts, with the error's message on stderr.
template <class T>
class [[nodiscard]] Result {
  using Stored = std::conditional_t<std::is_void_v<T>, detail::Nothing, T>;
  using State = std::variant<Stored, detail::BoxedError>;
  /// Whether a `U` is accepted as a value. Excluded are another Result (which would convert through bool) and
  /// conversions that Optional rejects, such as a string to bool or 0.5 to an integer.
  template <class U>
  static constexpr bool is_value =
      !std::is_void_v<T> && std::is_constructible_v<Stored, U> &&
      !detail::loses_most<std::remove_cvref_t<U>, Stored> &&
      (std::is_same_v<std::remove_cvref_t<U>, Stored> ||
       !(std::is_same_v<std::remove_cvref_t<U>, Error> || detail::is_result<std::remove_cvref_t<U>>));

 public:
  using value_type = T;
  using error_type = Error;

  Result()
    requires std::is_default_constructible_v<Stored>
  = default;
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}
  /// A value constructed from `value`.
  template <class U = Stored>
    requires is_value<U>
  explicit(!std::is_convertible_v<U, Stored>) Result(U&& value)
      : state_(std::in_place_index<0>, std::forward<U>(value)) {}
  /// The converted value of `other`, or its error.
  template <class U>
    requires(!std::is_same_v<U, T> && !detail::is_result<T> && is_value<U> &&
             std::is_convertible_v<U, Stored>)
  Result(Result<U> other)
      : state_(other ? State(std::in_place_index<0>, std::move(*other))
                     : State(std::in_place_index<1>, std::move(other).error())) {}

  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  // A temporary returns its value by value, so that a loop over `list().value().data` does not outlive it.
  // One over `list()->data` does: name the result first.
  Stored& operator*() & noexcept INFERWIRE_LIFETIMEBOUND { return held<0>(state_); }
  const Stored& operator*() const& noexcept INFERWIRE_LIFETIMEBOUND { return held<0>(state_); }
  Stored operator*() && noexcept(std::is_nothrow_move_constructible_v<Stored>) { return std::move(**this); }
  Stored* operator->() noexcept INFERWIRE_LIFETIMEBOUND { return &held<0>(state_); }
  const Stored* operator->() const noexcept INFERWIRE_LIFETIMEBOUND { return &held<0>(state_); }

  /// The error of a failed result; aborts if there is a value.
  Error& error() & INFERWIRE_LIFETIMEBOUND { return *held<1>(state_); }
  const Error& error() const& noexcept INFERWIRE_LIFETIMEBOUND { return *held<1>(state_); }
  Error error() && { return held<1>(state_).take(); }

#if INFERWIRE_EXCEPTIONS
  /// The value; throws Exception if there is none.
  Stored& value() & INFERWIRE_LIFETIMEBOUND { return ensure_value(), **this; }
  const Stored& value() const& INFERWIRE_LIFETIMEBOUND { return ensure_value(), **this; }
  Stored value() && { return ensure_value(), std::move(**this); }
#endif

  /// The value, or `fallback` if there is none.
  template <class U>
  Stored value_or(U&& fallback) const& {
    return has_value() ? **this : static_cast<Stored>(std::forward<U>(fallback));
  }
  template <class U>
  Stored value_or(U&& fallback) && {
    return has_value() ? std::move(**this) : static_cast<Stored>(std::forward<U>(fallback));
  }

  // These pass the value, or the error, of an lvalue by reference, and move that of a temporary, as those of
  // std::expected do.

  /// Returns `next(value)`, which is another Result; an error is passed through.
  template <class F>
  auto and_then(F&& next) & {
    return chain(*this, std::forward<F>(next));
  }
  template <class F>
  auto and_then(F&& next) const& {
    return chain(*this, std::forward<F>(next));
  }
  template <class F>
  auto and_then(F&& next) && {
    return chain(std::move(*this), std::forward<F>(next));
  }

  /// Returns a Result with `change(value)`, or with the member that `change` points to; an error is passed
  /// through.
  template <class F>
  auto transform(F&& change) & {
    return map(*this, std::forward<F>(change));
  }
  template <class F>
  auto transform(F&& change) const& {
    return map(*this, std::forward<F>(change));
  }
  template <class F>
  auto transform(F&& change) && {
    return map(std::move(*this), std::forward<F>(change));
  }

  /// Returns the value unchanged, or `recover(error)`.
  template <class F>
  Result or_else(F&& recover) & {
    return has_value() ? *this : Result(std::forward<F>(recover)(error()));
  }
  template <class F>
  Result or_else(F&& recover) const& {
    return has_value() ? *this : Result(std::forward<F>(recover)(error()));
  }
  template <class F>
  Result or_else(F&& recover) && {
    return has_value() ? std::move(*this) : Result(std::forward<F>(recover)(std::move(error())));
  }

  /// Returns the value unchanged, or the error `change(error)`.
  template <class F>
  Result transform_error(F&& change) & {
    return or_else(std::forward<F>(change));
  }
  template <class F>
  Result transform_error(F&& change) const& {
    return or_else(std::forward<F>(change));
  }
  template <class F>
  Result transform_error(F&& change) && {
    return std::move(*this).or_else(std::forward<F>(change));
  }

  friend bool operator==(const Result&, const Result&) = default;

 private:
  /// The value, or the boxed error, whichever is asked for.
  template <std::size_t Index, class S>
  static auto& held(S& state) noexcept {
    auto* const found = std::get_if<Index>(&state);
    if (found == nullptr) detail::misread(std::get_if<1>(&state));
    return *found;
  }
  template <class Self, class F>
  static auto chain(Self&& self, F&& next) {
    using Next = std::remove_cvref_t<decltype(call(std::forward<F>(next), std::forward<Self>(self)))>;
    static_assert(detail::is_result<Next>, "and_then needs a function that returns a Result");
    return self.has_value() ? call(std::forward<F>(next), std::forward<Self>(self))
                            : Next(std::forward<Self>(self).error());
  }
  template <class Self, class F>
  static auto map(Self&& self, F&& change) {
    using U = std::remove_cvref_t<decltype(call(std::forward<F>(change), std::forward<Self>(self)))>;
    if (!self.has_value()) return Result<U>(std::forward<Self>(self).error());
    if constexpr (std::is_void_v<U>) {
      call(std::forward<F>(change), std::forward<Self>(self));
      return Result<U>();
    } else {
      return Result<U>(call(std::forward<F>(change), std::forward<Self>(self)));
    }
  }
  /// Calls `function` with the value of `self`, or with nothing if that is void.
  template <class F, class Self>
  static decltype(auto) call(F&& function, Self&& self) {
    if constexpr (std::is_void_v<T>) {
      return std::forward<F>(function)();
    } else if constexpr (std::is_lvalue_reference_v<Self>) {
      return apply(std::forward<F>(function), *self);
    } else {
      return apply(std::forward<F>(function), std::move(*self));
    }
  }
  template <class F, class V>
  static decltype(auto) apply(F&& function, V&& value) {
    if constexpr (std::is_member_function_pointer_v<std::remove_cvref_t<F>>) {
      return (std::forward<V>(value).*function)();
    } else if constexpr (std::is_member_object_pointer_v<std::remove_cvref_t<F>>) {
      return (std::forward<V>(value).*function);
    } else {
      return std::forward<F>(function)(std::forward<V>(value));
    }
  }
#if INFERWIRE_EXCEPTIONS
  void ensure_value() const {
    if (!has_value()) throw Exception(error());
  }
#endif

  State state_;
};

}  // namespace inferwire::inline v0_1
