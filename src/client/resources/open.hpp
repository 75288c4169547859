/// \file
/// A stream on the client's event loop.
#pragma once

#include "client/stream/failed_stream.hpp"
#include "client/stream/live_stream.hpp"
#include "client/unsent.hpp"

#include <memory>
#include <type_traits>
#include <utility>

namespace inferwire::inline v0_1::client {

/// The stream of a plan, read by the client's event loop.
template <class T>
AsyncStream<T> open_of(const std::shared_ptr<detail::Core>& client, Result<StreamPlan> plan,
                       const CallOptions& options) {
  const auto failed = [&](Error error) {
    return detail::HandleAccess::make<AsyncStream<T>>(std::make_shared<FailedStream>(
        std::type_identity<T>(), client.get(), options, unsent(client, std::move(error))));
  };
  if (!plan) return failed(std::move(plan).error());
  auto loop = client->loop();
  if (!loop) return failed(std::move(loop).error());
  auto live =
      std::make_shared<LiveStream>(std::type_identity<T>(), *client, *std::move(loop), *std::move(plan));
  return detail::HandleAccess::make<AsyncStream<T>>(std::move(live), client);
}

}  // namespace inferwire::inline v0_1::client
