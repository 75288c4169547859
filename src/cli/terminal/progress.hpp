/// \file
/// How far a long job is, on a line of standard error that is written over; only where somebody looks.
#pragma once

#include <cstddef>

#include "inferwire/batch.hpp"

namespace inferwire::inline v0_1::cli {

class ProgressBar final : public BatchObserver {
 public:
  /// Makes a bar for `all` inputs, `before` of which are done before anything is asked.
  explicit ProgressBar(std::size_t all, std::size_t before = 0);
  ~ProgressBar() override { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Leaves no trace of itself.
  void clear();
  void on_progress(const BatchProgress& progress) override;

 private:
  std::size_t all_;
  std::size_t before_;
  bool seen_;     ///< somebody looks
  bool shown_{};  ///< there is a line to be cleared
};

}  // namespace inferwire::inline v0_1::cli
