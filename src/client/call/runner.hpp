/// \file
/// Who sees to it that a call can go on: the thread that waits for its answer, or an event loop.
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

/// A program that a credential wants run. Shared with the thread that runs it.
struct Program {
  std::vector<std::string> command{};
  TimePoint until{};
  CancelSource stop{};
  std::optional<Result<auth::ProgramResult>> result{};
  std::atomic<bool> over{false};  ///< the result is there
};

/// What a call waits for; when it has come, or may have, the call takes its next step.
struct Need {
  Exchange* exchange{};                ///< has to be driven
  Sink* sink{};                        ///< hears the exchange
  std::shared_ptr<Program> program{};  ///< has to be run, if it is not running yet
  CancelToken event{};                 ///< fires
  TimePoint until{TimePoint::max()};   ///< the latest time for the next step
};

/// Outlives the calls that it runs.
class Runner {
 public:
  virtual ~Runner() = default;
  /// The transport on which the exchanges of its calls are started. May throw what a transport of the user's
  /// throws.
  virtual Transport& transport() = 0;
  /// The call is to take a step although what it waits for has not come. From any thread.
  virtual void wake() noexcept = 0;
  /// An exchange of the call has told it something. On the thread that drives.
  virtual void heard() noexcept {}
  /// Up to when everything that had arrived has been heard: what is silent is judged by that. `now` is the
  /// present.
  virtual TimePoint heard_until(TimePoint now) const noexcept { return now; }
  /// What a stream does next may call code of the user's, or take its time.
  virtual void before_user_code() noexcept {}
  /// Whether the thread that runs its calls waits for each of them.
  virtual bool blocks() const noexcept { return false; }
  /// Whether one more exchange may begin, of so many at a time; if not, the call is to take a step when one
  /// may.
  virtual bool enter() { return true; }
  /// One that asked to enter is over.
  virtual void exit() noexcept {}
};

/// What all parts of a call share: who calls, with which options, and who runs it. Options and runner are
/// borrowed for the call's life.
struct CallScope {
  std::shared_ptr<detail::Core> core;
  const CallOptions& options;
  Runner& runner;
};

/// The thread that makes a call and waits for its answer.
class BlockingRunner final : public Runner {
 public:
  explicit BlockingRunner(const detail::Core& core);

  /// Waits until `need` may have come; no longer when `cancel` fires.
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
