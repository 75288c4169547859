/// \file
/// The core of a client, which batches need besides its members.
#pragma once

#include "inferwire/client.hpp"

#include <memory>

namespace inferwire::inline v0_1::detail {

struct ClientAccess {
  static const std::shared_ptr<Core>& core(const Client& client) noexcept { return client.core(); }
};

}  // namespace inferwire::inline v0_1::detail
