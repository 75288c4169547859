#include "cli/terminal/progress.hpp"

#include "cli/terminal/output.hpp"
#include "cli/terminal/terminal.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

using Steady = std::chrono::steady_clock;

}  // namespace

ProgressBar::ProgressBar(std::size_t all) : job_{.all = all}, has_line_(all != 0 && errors_are_seen()) {}

void ProgressBar::clear() {
  if (std::exchange(shown_, false)) std::cerr << "\r\x1b[K" << std::flush;
}

void ProgressBar::show(std::size_t ended, std::size_t failed) {
  if (!has_line_) return;
  shown_ = true;
  job_.ended = std::min(ended, job_.all);
  job_.failed = failed;
  job_.wait =
      std::chrono::ceil<std::chrono::seconds>(std::max(waits_until_ - Steady::now(), Steady::duration()));
  std::cerr << "\r" << progress_line(job_, errors_width()) << "\x1b[K" << std::flush;
}

void ProgressBar::on_progress(const BatchProgress& progress) {
  const auto now = Steady::now();
  waits_until_ = progress.waits_until.value_or(now);
  job_.refused = progress.refused;
  if (has_line_) {
    const bool counted = progress.inputs != 0;
    show(counted ? progress.done + progress.failed : job_.ended, counted ? progress.failed : job_.failed);
  } else if (waits_until_ > now && reports_.is_due(now)) {
    complain(wait_text(std::chrono::ceil<std::chrono::seconds>(waits_until_ - now), progress.refused));
  }
}

}  // namespace inferwire::inline v0_1::cli
