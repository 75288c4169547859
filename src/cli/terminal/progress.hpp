/// \file
/// How far a long job is, on a line of standard error that is written over; only where somebody looks.
#pragma once

#include <cstddef>

#include "inferwire/batch.hpp"

namespace inferwire::inline v0_1::cli {

class ProgressBar final : public BatchObserver {
 public:
  explicit ProgressBar(std::size_t all);
  ~ProgressBar() override { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Leaves no trace of itself.
  void clear();
  /// Shows that so many inputs have ended, those that failed included.
  void show(std::size_t ended, std::size_t failed);
  void on_progress(const BatchProgress& progress) override {
    show(progress.done + progress.failed, progress.failed);
  }

 private:
  std::size_t all_;
  bool seen_;     ///< somebody looks
  bool shown_{};  ///< there is a line to be cleared
};

}  // namespace inferwire::inline v0_1::cli
