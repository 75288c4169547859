#include "client/batch/inputs.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::client {

Result<void> BatchInputs::open(const std::string& path, const JobHash& job, const WhyStopped& why_stopped,
                               const std::function<bool(const Slice&, const Json&)>& take) {
  checkpoint_.emplace();
  if (auto opened = checkpoint_->open(path, job, why_stopped); !opened) return opened;
  for (;;) {
    const auto entry = checkpoint_->next();
    if (!entry) return entry.error();
    if (!*entry) return {};
    if (auto stopped = why_stopped()) return *std::move(stopped);
    const auto& [slice, answer] = **entry;
    if (is_open(slice) && take(slice, answer)) mark(slice);
  }
}

std::optional<Slice> BatchInputs::first_done() const {
  const auto found = std::find(done_.begin(), done_.end(), true);
  if (found == done_.end()) return std::nullopt;
  return Slice{static_cast<std::size_t>(found - done_.begin())};
}

std::optional<Error> BatchInputs::record(const Slice& slice,
                                         const std::function<Result<std::string>()>& text_of) {
  if (!checkpoint_ || unrecorded_) return std::nullopt;
  const auto text = text_of();
  if (!text) return text.error();
  if (auto written = checkpoint_->add(slice, *text); !written) unrecorded_ = std::move(written).error();
  return std::nullopt;
}

/// Whether the slice consists of inputs that have no answer yet.
bool BatchInputs::is_open(const Slice& slice) const {
  if (slice.count > size() || slice.first > size() - slice.count) return false;
  const auto begin = done_.begin() + static_cast<std::ptrdiff_t>(slice.first);
  const auto end = begin + static_cast<std::ptrdiff_t>(slice.count);
  return std::find(begin, end, true) == end;
}

void BatchInputs::mark(const Slice& slice) {
  std::fill_n(done_.begin() + static_cast<std::ptrdiff_t>(slice.first), slice.count, true);
  done_count_ += slice.count;
}

}  // namespace inferwire::inline v0_1::client
