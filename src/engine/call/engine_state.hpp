/// \file
/// What all requests to one engine share.
#pragma once

#include "engine/answer/call_frame.hpp"
#include "engine/dialects.hpp"
#include "engine/endpoints.hpp"
#include "engine/plan/responses_request.hpp"
#include "engine/script/director.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/journal.hpp"

#include <atomic>
#include <cstdint>

namespace inferwire::inline v0_1::engine {

/// Safe from any thread. The endpoints, the kept responses, the journal and the counts of requests change,
/// and nothing else.
struct EngineState {
  explicit EngineState(EngineOptions the_options);

  const EngineOptions options;
  const Dialects dialects;
  Director director;
  const Journal journal;
  const Memory memory;
  Endpoints endpoints;
  std::atomic<std::uint64_t> requests{0};

  /// The frame of the next request, which arrives at `now`.
  CallFrame next_frame(Mount mount, TimePoint now);
};

}  // namespace inferwire::inline v0_1::engine
