#include "inferwire/log.hpp"

namespace inferwire::inline v0_1 {

Log::~Log() = default;

}  // namespace inferwire::inline v0_1
