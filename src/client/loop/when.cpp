#include "inferwire/when.hpp"

#include <atomic>

namespace inferwire::inline v0_1::detail {

struct Countdown::Missing {
  explicit Missing(std::size_t count) : parts(count) {}
  std::atomic<std::size_t> parts;
  std::atomic<std::size_t> noted{static_cast<std::size_t>(-1)};
};

Countdown::Countdown(std::size_t parts) : missing_(std::make_unique<Missing>(parts)) {}
Countdown::~Countdown() = default;

bool Countdown::arrived() noexcept { return missing_->parts.fetch_sub(1, std::memory_order_acq_rel) == 1; }
// Visible to the caller of the last `arrived`.
void Countdown::note(std::size_t place) noexcept { missing_->noted.store(place, std::memory_order_relaxed); }
std::size_t Countdown::noted() const noexcept { return missing_->noted.load(std::memory_order_relaxed); }

}  // namespace inferwire::inline v0_1::detail
