/// \file
/// What `open` is in every room that has it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "client/call/call_log.hpp"
#include "client/resources/resource.hpp"
#include "client/stream/live_stream.hpp"
#include "client/stream/stillborn_stream.hpp"

namespace inferwire::inline v0_1::client {

template <class T>
AsyncStream<T> open_of(const std::shared_ptr<detail::Core>& core, Result<detail::StreamPlan> plan,
                       const CallOptions& options) {
  const auto stillborn = [&](Error error) {
    auto told = core ? core->shared_from_this() : nullptr;  // which does not keep the client
    auto executor = core ? core->executor_for(options) : detail::executor_of(options.executor);
    return AsyncStream<T>(std::make_shared<detail::StillbornStream<T>>(
        std::move(told), std::move(executor), mark_of(options.label.value_or("")), std::move(error)));
  };
  if (!plan) plan = unsent(core, std::move(plan).error());
  // The loop lets the executor tell it.
  if (!plan && core && core->executor_for(options)) {
    plan =
        detail::StreamPlan{.options = options, .refusal = std::make_unique<Error>(std::move(plan).error())};
  }
  if (!plan) return stillborn(std::move(plan).error());
  auto loop = core->loop();
  if (!loop) return stillborn(unsent(core, std::move(loop).error()));
  auto live =
      std::make_shared<detail::LiveStreamOf<T>>(core->shared_from_this(), *std::move(loop), *std::move(plan));
  return AsyncStream<T>(std::move(live), core);
}

/// `resource.open`: `stream` beside the caller.
template <class Chunk, class Request>
AsyncStream<Chunk> open(const std::shared_ptr<detail::Core>& core, Route Provider::* route,
                        const Request& request, std::int64_t choices, const CallOptions& options) {
  if (!core) return open_of<Chunk>(core, moved_from(), options);
  return open_of<Chunk>(core, stream_plan(*core, route, request, choices, options), options);
}

}  // namespace inferwire::inline v0_1::client
