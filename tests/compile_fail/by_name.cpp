// Compiles as it is. Must not compile with -DINFERWIRE_TIMEOUTS, where a call is given one duration for its
// timers, nor with -DINFERWIRE_PROVIDER, where a client is given a name for its provider's row: both would
// set the first member of what they are given for.
#include "inferwire/client.hpp"

namespace inferwire::inline v0_1 {

const CallOptions by_call{
#if defined(INFERWIRE_TIMEOUTS)
    .timeouts = std::chrono::seconds(20),
#else
    .timeouts = {.overall = std::chrono::seconds(20)},
#endif
    .label = "a call"};
const ClientOptions by_client{
#if defined(INFERWIRE_PROVIDER)
    .provider = "databricks",
#else
    .provider = Provider::databricks(),
#endif
    .timeouts = {.idle = std::chrono::seconds(20)}};

}  // namespace inferwire::inline v0_1
