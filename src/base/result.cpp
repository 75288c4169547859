#include "inferwire/result.hpp"

#include "base/immortal.hpp"

#include <cstdio>
#include <cstdlib>

namespace inferwire::inline v0_1 {

namespace detail {

BoxedError::BoxedError(Error&& error) : error_(new Error(std::move(error))) {}
BoxedError::BoxedError(const BoxedError& other) : error_(new Error(*other)) {}

void BoxedError::destroy() noexcept { delete error_; }

Error& BoxedError::renew() { return *(error_ = new Error); }

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
