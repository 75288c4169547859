// Compiles as it is. Must not compile with -DINFERWIRE_NULLOPT, where a call sets a timer to std::nullopt,
// nor with -DINFERWIRE_ABSENT, where it sets it to an Optional: both could mean no limit, or the client's
// own.
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
