/// \file
/// Errors of requests that could not be sent.
#pragma once

#include "client/core.hpp"

#include <memory>

namespace inferwire::inline v0_1::client {

/// Names the provider in the error of a request that could not be sent; `client` is nullptr if it was moved
/// from.
inline Error unsent(const std::shared_ptr<detail::Core>& client, Error error) {
  if (client && error.provider.empty()) error.provider = client->provider().name;
  return error;
}

inline Error moved_from() { return Error{.kind = ErrorKind::config, .detail = "this client was moved from"}; }

}  // namespace inferwire::inline v0_1::client
