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
  job_.ended = std::min(ended, job_.all);
  job_.failed = failed;
  job_.wait = wait_left();
  draw();
}

void ProgressBar::on_progress(const BatchProgress& progress) {
  const auto until = progress.waits_until.value_or(TimePoint());
  is_new_ = is_new_ || until != waits_until_;
  waits_until_ = until;
  job_.repeated = progress.refused;
  const bool counted = progress.inputs != 0;
  show(counted ? progress.done + progress.failed : job_.ended, counted ? progress.failed : job_.failed);
}

void ProgressBar::on_wait() {
  if (const auto left = wait_left(); shown_ && left != job_.wait) {
    job_.wait = left;
    draw();
  }
  if (has_line_ || !std::exchange(is_new_, false)) return;
  const auto now = Steady::now();
  if (waits_until_ > now && reports_.is_due(now)) complain(wait_text(job_.wait, job_.repeated));
}

void ProgressBar::draw() {
  if (!has_line_) return;
  shown_ = true;
  std::cerr << "\r" << progress_line(job_, errors_width()) << "\x1b[K" << std::flush;
}

std::chrono::seconds ProgressBar::wait_left() const {
  return std::chrono::ceil<std::chrono::seconds>(std::max(waits_until_ - Steady::now(), Steady::duration()));
}

}  // namespace inferwire::inline v0_1::cli
