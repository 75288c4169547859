/// \file
/// An observer that keeps the progress of a batch.
#pragma once

#include "inferwire/batch.hpp"

#include <thread>
#include <vector>

namespace inferwire_test {

class Watch final : public inferwire::BatchObserver {
 public:
  void on_progress(const inferwire::BatchProgress& progress) override {
    threads_right = threads_right && std::this_thread::get_id() == home;
    seen.push_back(progress);
  }
  std::thread::id home = std::this_thread::get_id();
  bool threads_right = true;
  std::vector<inferwire::BatchProgress> seen;
};

}  // namespace inferwire_test
