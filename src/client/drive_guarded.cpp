#include "client/drive_guarded.hpp"

#include "client/thrown.hpp"

namespace inferwire::inline v0_1::client {

Progress drive_guarded(Exchange& exchange, Sink& sink, TimePoint deadline) {
  try {
    return exchange.drive(deadline);
  } catch (...) {
    const auto error = thrown_by_transport();
    sink.on_end(&error);
    return Progress::ended;
  }
}

}  // namespace inferwire::inline v0_1::client
