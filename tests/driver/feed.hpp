/// \file
/// Feeds the chunks of a request to a parser.
#pragma once

#include "driver/operations.hpp"

#include <cstddef>

namespace inferwire_driver {

/// Feeds the chunks, then the end. Calls `drain` after each, and stops when it returns true.
template <class Parser, class Drain>
void feed_all(const nlohmann::json& request, Parser& parser, Drain drain) {
  const auto chunks = chunks_of(request);
  for (std::size_t at = 0; at <= chunks.size(); ++at) {
    if (at == chunks.size()) {
      parser.finish();
    } else {
      parser.feed(chunks[at]);
    }
    if (drain(at)) return;
  }
}

}  // namespace inferwire_driver
