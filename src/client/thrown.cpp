#include "client/thrown.hpp"

namespace inferwire::inline v0_1::client {

Error thrown_by_transport() noexcept {
  return {.kind = ErrorKind::connection, .detail = thrown_by("the transport")};
}

Error thrown_by_reading() noexcept {
  return {.kind = ErrorKind::too_large, .detail = thrown_by("reading the answer")};
}

}  // namespace inferwire::inline v0_1::client
