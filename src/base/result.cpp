#include "inferwire/result.hpp"

#include "base/immortal.hpp"
#include "base/thrown.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace inferwire::inline v0_1 {

namespace detail {

namespace {

/// An Error of each kind that says that there was no memory for more. Several boxes may refer to one.
struct BareErrors {
  BareErrors() noexcept {
    for (std::size_t i = 0; i < of_kind.size(); ++i) {
      of_kind[i].kind = static_cast<ErrorKind>(i);
      of_kind[i].detail = no_memory;
    }
  }
  std::array<Error, static_cast<std::size_t>(ErrorKind::unsupported) + 1> of_kind;
};

auto& bare_errors() noexcept {
  static Immortal<BareErrors> errors;
  return errors.value.of_kind;
}
bool is_bare(const Error* error) noexcept {
  const auto& all = bare_errors();
  return std::ranges::any_of(all, [error](const Error& one) { return error == &one; });
}

}  // namespace

BoxedError::BoxedError(Error&& error) noexcept {
  try {
    error_ = new Error(std::move(error));
  } catch (const std::bad_alloc&) {
    error_ = &bare_errors()[static_cast<std::size_t>(std::min(error.kind, ErrorKind::unsupported))];
  }
}
BoxedError::BoxedError(const BoxedError& other)
    : error_(other.error_ != nullptr && is_bare(other.error_) ? other.error_ : new Error(*other)) {}

Error& BoxedError::operator*() {
  if (error_ == nullptr || is_bare(error_)) error_ = new Error(*std::as_const(*this));
  return *error_;
}

Error BoxedError::take() noexcept {
  if (error_ == nullptr || is_bare(error_)) return *std::as_const(*this);  // which needs no memory
  return std::move(*error_);
}

void BoxedError::destroy() noexcept {
  if (!is_bare(error_)) delete error_;
}

const Error& BoxedError::nothing() noexcept {
  static const Immortal<Error> error;
  return error.value;
}

void misread(const BoxedError* error) noexcept {
  if (error != nullptr) {
    std::fprintf(stderr, "inferwire: a failed Result has no value: %s\n", (**error).message().c_str());
  } else {
    std::fputs("inferwire: a successful Result has no error\n", stderr);
  }
  std::abort();
}

}  // namespace detail

Exception::Exception(Error error) : error_(std::move(error)), message_(error_.message()) {}
Exception::Exception(const Exception&) = default;
Exception& Exception::operator=(const Exception&) = default;
Exception::~Exception() = default;

const char* Exception::what() const noexcept { return message_.c_str(); }

}  // namespace inferwire::inline v0_1
