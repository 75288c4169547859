/// \file
/// Errors of requests that could not be sent.
#pragma once

#include <memory>

#include "client/core.hpp"

namespace inferwire::inline v0_1::client {

/// Names the provider in the error of a request that could not be sent; `core` is nullptr if the client was
/// moved from.
inline Error unsent(const std::shared_ptr<detail::Core>& core, Error error) {
  if (core && error.provider.empty()) error.provider = core->provider().name;
  return error;
}

inline Error moved_from() { return Error{.kind = ErrorKind::config, .detail = "this client was moved from"}; }

}  // namespace inferwire::inline v0_1::client
