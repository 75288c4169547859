#include "inferwire/when.hpp"

#include <atomic>

namespace inferwire::inline v0_1::detail {

struct Countdown::Missing {
  explicit Missing(std::size_t count) : parts(count) {}
  std::atomic<std::size_t> parts;
};

Countdown::Countdown(std::size_t parts) : missing_(std::make_unique<Missing>(parts)) {}
Countdown::~Countdown() = default;

bool Countdown::arrived() noexcept { return missing_->parts.fetch_sub(1, std::memory_order_acq_rel) == 1; }

}  // namespace inferwire::inline v0_1::detail
