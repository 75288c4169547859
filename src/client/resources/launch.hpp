/// \file
/// A verb on the client's event loop.
#pragma once

#include "client/loop/failed_pending.hpp"
#include "client/loop/loop.hpp"
#include "client/loop/pending_job.hpp"
#include "client/resources/verb.hpp"
#include "client/unsent.hpp"
#include "inferwire/pending.hpp"

#include <memory>
#include <utility>

namespace inferwire::inline v0_1::client {

template <class T>
Pending<T> failed(const std::shared_ptr<detail::Core>& client, const CallOptions& options, Error error) {
  return detail::HandleAccess::make<Pending<T>>(
      std::make_shared<FailedPending<T>>(client.get(), options, unsent(client, std::move(error))));
}

/// The result of a request on the client's event loop.
template <class Make>
Pending<typename ReplyOf<Make>::value_type> launch(const std::shared_ptr<detail::Core>& client,
                                                   const CallOptions& options, Make make) {
  using T = typename ReplyOf<Make>::value_type;
  if (options.info) *options.info.get() = {};
  if (!client) return failed<T>(client, options, moved_from());
  auto verb = make(*client, options);
  if (!verb.http) return failed<T>(client, options, std::move(verb.http).error());
  auto loop = client->loop();
  if (!loop) return failed<T>(client, options, std::move(loop).error());
  auto job = std::make_shared<PendingJob<decltype(verb.read)>>(
      *client, *loop, verb.subject, *std::move(verb.http), options, std::move(verb.read));
  (*loop)->post(*job);
  return detail::HandleAccess::make<Pending<T>>(std::move(job), client);
}

}  // namespace inferwire::inline v0_1::client
