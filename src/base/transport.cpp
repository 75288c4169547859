#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1 {

Sink::~Sink() = default;
Exchange::~Exchange() = default;
Transport::~Transport() = default;

std::unique_ptr<Multiplexer> Transport::multiplexer() { return nullptr; }
std::unique_ptr<Transport> Multiplexer::adopt(Transport&) { return nullptr; }

}  // namespace inferwire::inline v0_1
