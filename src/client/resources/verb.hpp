/// \file
/// A method of a resource, defined once for the caller's thread and for a loop's.
#pragma once

#include "client/call/blocking_runner.hpp"
#include "client/call/typed_call.hpp"
#include "client/core.hpp"
#include "client/unsent.hpp"

#include <memory>
#include <type_traits>
#include <utility>

namespace inferwire::inline v0_1::client {

/// A request, and the reader that makes a Result of its answer. Methods make it from client and options:
/// `make(core, options)`.
template <class Read>
struct Verb {
  using Reply = typename TypedCall<Read>::Reply;

  Subject subject;  ///< its strings are the caller's
  Result<HttpRequest> http;
  Read read;
};
template <class Read>
Verb(Subject, Result<HttpRequest>, Read) -> Verb<Read>;

/// The result type of the verb that `Make` returns.
template <class Make>
using ReplyOf = typename std::invoke_result_t<Make&, detail::Core&, const CallOptions&>::Reply;

/// The result of a request, on the calling thread.
template <class Make>
ReplyOf<Make> ask(const std::shared_ptr<detail::Core>& client, const CallOptions& options, Make make) {
  if (options.info) *options.info.get() = {};
  if (!client) return moved_from();
  auto verb = make(*client, options);
  if (!verb.http) return unsent(client, std::move(verb.http).error());
  BlockingRunner runner(*client);
  TypedCall call({client, options, runner}, std::move(*verb.http), verb.subject, std::move(verb.read));
  for (;;) {
    if (auto reply = call.step(options.info.get())) return *std::move(reply);
    runner.wait(call.need(), options.cancel);
  }
}

}  // namespace inferwire::inline v0_1::client
