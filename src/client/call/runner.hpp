/// \file
/// Moves calls forward: the thread that waits for an answer, or an event loop.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "auth/program/program.hpp"
#include "inferwire/cancel.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1 {
struct CallOptions;
namespace detail {
class Core;
}
}  // namespace inferwire::inline v0_1

namespace inferwire::inline v0_1::client {

/// A program that a credential needs to run. Shared with the thread that runs it.
struct Program {
  std::vector<std::string> command{};
  TimePoint until{};
  CancelSource stop{};
  std::optional<Result<auth::ProgramResult>> result{};
  std::atomic<bool> over{false};  ///< the result is available
};

/// What a call waits for. When it has happened, or may have, the call takes its next step.
struct Need {
  Exchange* exchange{};                ///< to be driven
  Sink* sink{};                        ///< receives the exchange's events
  std::shared_ptr<Program> program{};  ///< to be run, if it is not running yet
  CancelToken event{};                 ///< a token that fires
  TimePoint until{TimePoint::max()};   ///< the latest time for the next step
};

/// Must outlive the calls that it runs.
class Runner {
 public:
  virtual ~Runner() = default;
  /// The transport that starts the exchanges of its calls. Propagates exceptions from a custom transport.
  virtual Transport& transport() = 0;
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

/// The thread that makes a call and waits for its answer.
class BlockingRunner final : public Runner {
 public:
  explicit BlockingRunner(const detail::Core& core);

  /// Waits until `need` may be satisfied, or `cancel` fires.
  void wait(const Need& need, const CancelToken& cancel);

  Transport& transport() override { return transport_; }
  bool blocks() const noexcept override { return true; }
  void wake() noexcept override;

 private:
  void set_driven(Exchange* exchange) noexcept;

  Transport& transport_;
  Clock& clock_;
  bool transport_knows_clock_;

  std::mutex mutex_;    // guards what follows
  Exchange* driven_{};  ///< by `wait`
};

/// Runs `program` on the calling thread, to its end.
void run_to_end(Program& program, Clock& clock, const CancelToken& cancel);

}  // namespace inferwire::inline v0_1::client
