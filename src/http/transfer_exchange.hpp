/// \file
/// What exchanges over libcurl have in common, whoever drives them.
#pragma once

#include "http/transfer.hpp"
#include "inferwire/transport.hpp"

#include <memory>
#include <string_view>

namespace inferwire::inline v0_1::http {

/// An exchange that a transfer carries out.
class TransferExchange : public Exchange {
 public:
  void pause() final {
    if (moving_) transfer_->pause();
  }
  void resume() final {
    if (moving_) transfer_->resume();
  }
  void release() final {
    released_ = true;
    if (moving_) transfer_->detach();
  }
  std::string_view obstacle() const noexcept final { return transfer_->obstacle(); }

 protected:
  explicit TransferExchange(Sink& sink) noexcept : sink_(sink) {}

  /// Starts the transfer, which has begun. Errors: connection.
  Result<void> start_moving();
  void stop_moving() noexcept;
  /// Called when the transfer has a result: ends the exchange, or starts it over. Returns whether it goes on.
  /// Rethrows an exception from the sink.
  bool conclude();
  void tell_end(const Error* failure) {
    if (!released_) sink_.on_end(failure);
  }

  Sink& sink_;
  std::unique_ptr<Transfer> transfer_;
  bool moving_{};  ///< a reactor has the transfer
  bool released_{};

 private:
  virtual Result<void> add(Transfer& transfer) = 0;
  virtual void remove(Transfer& transfer) noexcept = 0;
};

}  // namespace inferwire::inline v0_1::http
