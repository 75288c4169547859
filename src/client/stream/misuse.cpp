#include "client/stream/misuse.hpp"

#include "base/thrown.hpp"

#include <string_view>

namespace inferwire::inline v0_1::client {

namespace {

Error misuse(std::string_view what) noexcept {
  Error error{.kind = ErrorKind::config, .detail = std::string(no_memory)};
  try {
    error.detail = what;
  } catch (...) {}
  return error;
}

}  // namespace

Error listened_to_already() noexcept { return misuse("somebody listens to the stream already"); }

Error read_already() noexcept { return misuse("somebody reads the stream already"); }

Error partly_read() noexcept {
  return misuse(
      "elements were read before the answer was collected, and are not in it: give collect() a "
      "function that is called with each, or feed all of them to an Accumulator");
}

}  // namespace inferwire::inline v0_1::client
