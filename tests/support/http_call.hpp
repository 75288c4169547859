/// \file
/// One call over a transport, from start to end.
#pragma once

#include "inferwire/transport.hpp"
#include "support/catch.hpp"
#include "support/recording_sink.hpp"

#include <memory>
#include <string>
#include <utility>

namespace inferwire_test {

/// Drives the request to its end, for at most ten seconds.
inline RecordingSink call(inferwire::Transport& transport, inferwire::HttpRequest request,
                          const inferwire::ExchangeOptions& options = {}) {
  RecordingSink sink;
  auto started = transport.start(std::move(request), sink, options);
  REQUIRE(started);
  REQUIRE(drive_until(**started, [&] { return sink.ended(); }));
  return sink;
}

}  // namespace inferwire_test
