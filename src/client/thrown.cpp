#include "client/thrown.hpp"

namespace inferwire::inline v0_1::client {

Error thrown_by_transport() { return {.kind = ErrorKind::connection, .detail = thrown_by("the transport")}; }

Progress drive_guarded(Exchange& exchange, Sink& sink, TimePoint deadline) {
  try {
    return exchange.drive(deadline);
  } catch (...) {
    const auto error = thrown_by_transport();
    sink.on_end(&error);
    return Progress::ended;
  }
}

Error thrown_by_reading() {
  return {.kind = ErrorKind::too_large, .detail = thrown_by("reading the answer")};
}

}  // namespace inferwire::inline v0_1::client
