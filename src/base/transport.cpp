#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1 {

Sink::~Sink() = default;
Exchange::~Exchange() = default;
Transport::~Transport() = default;

}  // namespace inferwire::inline v0_1
