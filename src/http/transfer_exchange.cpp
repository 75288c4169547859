#include "http/transfer_exchange.hpp"

#include <utility>

namespace inferwire::inline v0_1::http {

Result<void> TransferExchange::start_moving() {
  auto added = add(*transfer_);
  moving_ = added.has_value();
  return added;
}

void TransferExchange::stop_moving() noexcept {
  if (std::exchange(moving_, false)) remove(*transfer_);
}

bool TransferExchange::conclude() {
  // Return the connection to the reactor first, so that a call made from `on_end` can use it.
  stop_moving();
  if (transfer_->starts_over()) {
    auto begun = transfer_->begin_again();
    if (begun) begun = start_moving();
    if (!begun) tell_end(&begun.error());
    return moving_;
  }
  const auto failure = transfer_->outcome();
  tell_end(failure ? &*failure : nullptr);
  return false;
}

}  // namespace inferwire::inline v0_1::http
