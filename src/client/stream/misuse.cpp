#include "client/stream/misuse.hpp"

namespace inferwire::inline v0_1::client {

Error listened_to_already() {
  return {.kind = ErrorKind::config, .detail = "somebody listens to the stream already"};
}

Error read_already() { return {.kind = ErrorKind::config, .detail = "somebody reads the stream already"}; }

Error partly_read() {
  return {.kind = ErrorKind::config,
          .detail =
              "elements were read before the answer was collected, and are not in it: give collect() a "
              "function that is called with each, or feed all of them to an Accumulator"};
}

}  // namespace inferwire::inline v0_1::client
