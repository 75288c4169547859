#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1 {

Timeouts TimeoutChanges::over(const Timeouts& client) const noexcept {
  return {.connect = connect.over(client.connect),
          .first_byte = first_byte.over(client.first_byte),
          .idle = idle.over(client.idle),
          .idle_event = idle_event.over(client.idle_event),
          .total = total.over(client.total),
          .overall = overall.over(client.overall)};
}

}  // namespace inferwire::inline v0_1
