#include "inferwire/result.hpp"

#include "base/immortal.hpp"

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

}  // namespace detail

Exception::Exception(Error error) : error_(std::move(error)), message_(error_.message()) {}
Exception::Exception(const Exception&) = default;
Exception& Exception::operator=(const Exception&) = default;
Exception::~Exception() = default;

const char* Exception::what() const noexcept { return message_.c_str(); }

}  // namespace inferwire::inline v0_1
