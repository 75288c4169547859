#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1 {

Sink::~Sink() = default;
Exchange::~Exchange() = default;
Transport::~Transport() = default;

std::unique_ptr<Multiplexer> Transport::multiplexer() { return nullptr; }

}  // namespace inferwire::inline v0_1
