/// \file
/// What every answer of one request carries.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/dialect.hpp"
#include "engine/script/director.hpp"
#include "inferwire/engine/engine.hpp"

namespace inferwire::inline v0_1::engine {

struct CallFrame {
  std::string request_id{};  ///< the id of the exchange, for the x-request-id header
  /// Ends the ids of the answer. Unique in its engine, the same for the same seed and request_number: 16
  /// hexadecimal digits.
  std::string id_suffix{};
  std::uint64_t request_number{};  ///< how many requests its engine had before
  std::int64_t created{};          ///< Unix time in seconds
  TimePoint start{};
  Pacing pacing{};
  std::uint64_t jitter_seed{};
  TimePoint cut_at{TimePoint::max()};            ///< what a completion has said by then is its answer
  std::shared_ptr<const Direction> direction{};  ///< what a script says; absent: there is none
  bool faults_inside{};                          ///< its faults are the container's, behind SageMaker
  bool numbers_events{};                         ///< its streams are those of the Responses API
  Dialect dialect{};                             ///< a copy, since answers may outlive their engine
};

}  // namespace inferwire::inline v0_1::engine
