/// \file
/// Moves calls forward: the thread that waits for an answer, or an event loop.
#pragma once

#include "inferwire/clock.hpp"
#include "inferwire/transport.hpp"

#include <memory>

namespace inferwire::inline v0_1 {
struct CallOptions;
namespace detail {
class Core;
}
}  // namespace inferwire::inline v0_1

namespace inferwire::inline v0_1::client {

/// Must outlive the calls that it runs.
class Runner {
 public:
  virtual ~Runner() = default;
  /// The transport that starts the exchanges of its calls. Errors: connection. Propagates exceptions from a
  /// custom transport.
  virtual Result<Transport*> transport() = 0;
  /// Makes the call take a step although what it waits for has not happened. From any thread.
  virtual void wake() noexcept = 0;
  /// An exchange of the call reported an event. Called on the thread that drives it.
  virtual void heard() noexcept {}
  /// The time until which all arrived data was processed, for judging whether a connection is silent. `now`
  /// is the current time.
  virtual TimePoint heard_until(TimePoint now) const noexcept { return now; }
  /// The next step of a stream may call user code, or take long.
  virtual void before_user_code() noexcept {}
  /// Whether the thread that runs the calls blocks for each of them.
  virtual bool blocks() const noexcept { return false; }
  /// Whether one more exchange may begin under the limit of concurrent ones; if not, the call takes a step
  /// when one may.
  virtual bool enter() { return true; }
  /// An exchange that called `enter` is over.
  virtual void exit() noexcept {}
};

/// What all parts of a call share: the client's core, the options and the runner. Options and runner must
/// outlive the call.
struct CallScope {
  std::shared_ptr<detail::Core> core;
  const CallOptions& options;
  Runner& runner;
};

}  // namespace inferwire::inline v0_1::client
