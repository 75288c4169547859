/// \file
/// Progress of a long job, on one line of standard error that is overwritten; only if that is a terminal.
#pragma once

#include "inferwire/batch.hpp"

#include <cstddef>

namespace inferwire::inline v0_1::cli {

class ProgressBar final : public BatchObserver {
 public:
  explicit ProgressBar(std::size_t all);
  ~ProgressBar() override { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Clears the line.
  void clear();
  /// Shows how many inputs have ended, including those that failed.
  void show(std::size_t ended, std::size_t failed);
  void on_progress(const BatchProgress& progress) override {
    show(progress.done + progress.failed, progress.failed);
  }

 private:
  std::size_t all_;
  bool seen_;     ///< standard error is a terminal
  bool shown_{};  ///< there is a line to be cleared
};

}  // namespace inferwire::inline v0_1::cli
