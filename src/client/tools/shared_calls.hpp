/// \file
/// Calls of tools that several threads take from.
#pragma once

#include "inferwire/cancel.hpp"
#include "inferwire/executor.hpp"
#include "inferwire/tools.hpp"

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <span>

namespace inferwire::inline v0_1::client {

/// Runs calls on the thread that waits for them, and on those which come to help. Nobody has to come; who
/// comes when no call is left touches nothing of the caller's.
class SharedCalls : public std::enable_shared_from_this<SharedCalls> {
 public:
  SharedCalls(const Toolbox& tools, std::span<CalledTool> calls, const CancelToken& cancel)
      : tools_(tools), calls_(calls), cancel_(cancel) {}

  /// Asks an executor's threads to help.
  void share(Executor& executor);
  /// Runs calls until all have ended, also those that others run.
  void finish();

 private:
  void help();
  void run(CalledTool& call) const;

  const Toolbox& tools_;
  const std::span<CalledTool> calls_;
  const CancelToken& cancel_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t next_{};          ///< the first call that nobody has taken
  std::size_t running_{};       ///< how many are being run
  std::exception_ptr failure_;  ///< what running a call threw: a lack of memory
};

}  // namespace inferwire::inline v0_1::client
