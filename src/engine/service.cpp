#include "inferwire/engine/service.hpp"

namespace inferwire::inline v0_1::engine {

Generation::~Generation() = default;
Service::~Service() = default;

std::uint64_t Service::max_request_bytes() const { return 64u << 20; }

}  // namespace inferwire::inline v0_1::engine
