#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1 {

Timeouts TimeoutChanges::over(const Timeouts& client) const noexcept {
  return {.connect = connect.value_or(client.connect),
          .first_byte = first_byte.value_or(client.first_byte),
          .idle = idle.value_or(client.idle),
          .idle_event = idle_event.value_or(client.idle_event),
          .total = total.value_or(client.total),
          .overall = overall.value_or(client.overall)};
}

}  // namespace inferwire::inline v0_1
