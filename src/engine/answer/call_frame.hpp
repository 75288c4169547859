/// \file
/// The context of one request that its answers carry.
#pragma once

#include "engine/dialect.hpp"
#include "inferwire/engine/engine.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace inferwire::inline v0_1::engine {

struct Direction;

struct CallFrame {
  std::string request_id{};  ///< the id of the exchange, for the x-request-id header
  /// The end of the answer's ids: 16 hexadecimal digits. Unique in its engine, and determined by its seed and
  /// request_number.
  std::string id_suffix{};
  std::uint64_t request_number{};  ///< number of earlier requests to its engine
  std::int64_t created{};          ///< Unix time in seconds
  TimePoint start{};
  Pacing pacing{};
  std::uint64_t jitter_seed{};
  TimePoint cut_at{TimePoint::max()};            ///< the text of a completion ends at this time
  std::shared_ptr<const Direction> direction{};  ///< the script's reply; absent: none
  bool numbers_events{};                         ///< events have numbers, as in the Responses API
  Dialect dialect{};                             ///< a copy, since answers may outlive their engine
};

}  // namespace inferwire::inline v0_1::engine
