/// \file
/// What a client's calls use, without the client itself.
#pragma once

#include "client/core.hpp"

#include <memory>

namespace inferwire::inline v0_1::client {

/// The core of `client`, for what runs on a loop: it does not keep the client alive, so that the loop's calls
/// end when the last handle is destroyed. nullptr if the client was moved from.
inline std::shared_ptr<detail::Core> without_client(const std::shared_ptr<detail::Core>& client) {
  return client ? client->shared_from_this() : nullptr;
}

}  // namespace inferwire::inline v0_1::client
