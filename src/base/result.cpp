#include "inferwire/result.hpp"

namespace inferwire::inline v0_1 {

Exception::Exception(Error error) : error_(std::move(error)), message_(error_.message()) {}
Exception::Exception(const Exception&) = default;
Exception& Exception::operator=(const Exception&) = default;
Exception::~Exception() = default;

const char* Exception::what() const noexcept { return message_.c_str(); }

}  // namespace inferwire::inline v0_1
