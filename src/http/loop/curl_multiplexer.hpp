/// \file
/// Thousands of exchanges on one thread.
#pragma once

#include "inferwire/transport.hpp"

#include <memory>

namespace inferwire::inline v0_1::http {

class CurlPool;
class Poller;

/// A multiplexer for the transport with this pool. nullptr: no descriptors left.
std::unique_ptr<Multiplexer> make_multiplexer(std::shared_ptr<CurlPool> pool);
/// One that waits for sockets by `poller`.
std::unique_ptr<Multiplexer> make_multiplexer(std::shared_ptr<CurlPool> pool, std::unique_ptr<Poller> poller);

}  // namespace inferwire::inline v0_1::http
