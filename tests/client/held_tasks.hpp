/// \file
/// An executor that a test runs by hand.
#pragma once

#include "inferwire/executor.hpp"

#include <cstddef>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace inferwire_test {

/// Keeps the posted tasks until `run`.
class HeldTasks final : public inferwire::Executor {
 public:
  void post(inferwire::Executor::Task task) override {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  std::size_t waiting() {
    const std::lock_guard lock(mutex_);
    return tasks_.size();
  }
  void wait_for(std::size_t count = 1) {
    while (waiting() < count) std::this_thread::yield();
  }
  /// Runs the posted tasks on the calling thread; returns their number.
  std::size_t run() {
    std::vector<inferwire::Executor::Task> now;
    {
      const std::lock_guard lock(mutex_);
      now.swap(tasks_);
    }
    for (auto& task : now) task();
    return now.size();
  }

 private:
  std::mutex mutex_;
  std::vector<inferwire::Executor::Task> tasks_;
};

}  // namespace inferwire_test
