// Compiles as it is, and must not with -DINFERWIRE_NULLOPT, where a call gives std::nullopt for a timer, nor
// with -DINFERWIRE_ABSENT, where it gives what may be absent: is that no limit, or the client's own?
#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1 {

const Timeouts by_client{.total = std::nullopt, .overall = no_limit};
const Optional<Duration> configured{};
const TimeoutChanges by_call{
#if defined(INFERWIRE_NULLOPT)
    .total = std::nullopt,
#elif defined(INFERWIRE_ABSENT)
    .total = configured,
#else
    .total = no_limit,
#endif
    .overall = std::chrono::minutes(1)};

}  // namespace inferwire::inline v0_1
