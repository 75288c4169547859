/// \file
/// Progress of a long job on standard error. On a terminal it is one line that is overwritten; elsewhere, and
/// if the number of inputs is unknown, only waits for the service are reported, once they have begun.
#pragma once

#include "cli/terminal/progress_line.hpp"
#include "inferwire/batch.hpp"

#include <chrono>
#include <cstddef>

namespace inferwire::inline v0_1::cli {

class ProgressBar final : public BatchObserver {
 public:
  /// `all`: how many inputs there are; 0: that is unknown.
  explicit ProgressBar(std::size_t all);
  ~ProgressBar() override { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Clears the line.
  void clear();
  /// Shows how many inputs have ended, including those that failed.
  void show(std::size_t ended, std::size_t failed);
  /// Shows how long the batch waits, and how many inputs have ended unless the batch does not know how many
  /// there are: then its caller calls `show`.
  void on_progress(const BatchProgress& progress) override;
  /// Updates the line, or reports the wait.
  void on_wait() override;

 private:
  void draw();
  std::chrono::seconds wait_left() const;

  JobState job_;
  bool has_line_;
  bool shown_{};  ///< there is a line to be cleared
  TimePoint waits_until_{};
  bool is_new_{};  ///< the wait was not reported
  WaitReports reports_;
};

}  // namespace inferwire::inline v0_1::cli
