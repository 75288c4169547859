/// \file
/// The implementation of `open` for every resource that has it.
#pragma once

#include <memory>
#include <utility>

#include "client/resources/resource.hpp"
#include "client/stream/failed_stream.hpp"
#include "client/stream/live_stream.hpp"

namespace inferwire::inline v0_1::client {

template <class T>
AsyncStream<T> open_of(const std::shared_ptr<detail::Core>& core, Result<detail::StreamPlan> plan,
                       const CallOptions& options) {
  const auto failed = [&](Error error) {
    auto told = core ? core->shared_from_this() : nullptr;  // does not keep the client alive
    return AsyncStream<T>(
        std::make_shared<detail::FailedStream<T>>(std::move(told), options, unsent(core, std::move(error))));
  };
  if (!plan) return failed(std::move(plan).error());
  auto loop = core->loop();
  if (!loop) return failed(std::move(loop).error());
  auto live =
      std::make_shared<detail::LiveStreamOf<T>>(core->shared_from_this(), *std::move(loop), *std::move(plan));
  return AsyncStream<T>(std::move(live), core);
}

/// `resource.open`: `stream` without blocking the caller.
template <class Request>
auto open(const std::shared_ptr<detail::Core>& core, const Request& request, const CallOptions& options) {
  using Element = typename RequestTraits<Request>::Element;
  if (!core) return open_of<Element>(core, moved_from(), options);
  return open_of<Element>(core, stream_plan(*core, request, options), options);
}

}  // namespace inferwire::inline v0_1::client
