/// \file
/// Runs a call on the thread that waits for its answer.
#pragma once

#include "client/call/need.hpp"
#include "client/call/runner.hpp"

#include <mutex>

namespace inferwire::inline v0_1::client {

/// The thread that makes a call and waits for its answer.
class BlockingRunner final : public Runner {
 public:
  explicit BlockingRunner(const detail::Core& core);

  /// Waits until `need` may be satisfied, or `cancel` fires.
  void wait(const Need& need, const CancelToken& cancel);

  Result<Transport*> transport() override { return &transport_; }
  bool blocks() const noexcept override { return true; }
  void wake() noexcept override;

 private:
  void set_driven(Exchange* exchange) noexcept;

  Transport& transport_;
  Clock& clock_;
  bool transport_knows_clock_;  ///< false: exchanges over sockets wait by the system's

  std::mutex mutex_;    // guards what follows
  Exchange* driven_{};  ///< by `wait`
};

}  // namespace inferwire::inline v0_1::client
