#include "inferwire/testing/handler.hpp"

namespace inferwire::inline v0_1::testing {

Handler::~Handler() = default;

}  // namespace inferwire::inline v0_1::testing
