#include "base/ended_call.hpp"

#include "inferwire/cancel.hpp"

#include <string>

namespace inferwire::inline v0_1 {

Error cancelled() {
  return {.kind = ErrorKind::cancelled, .detail = std::string(detail::cancelled_by_caller)};
}

bool is_cancelled_by_caller(const Error& error) noexcept {
  return error.kind == ErrorKind::cancelled && error.detail == detail::cancelled_by_caller;
}

}  // namespace inferwire::inline v0_1
