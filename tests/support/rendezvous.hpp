/// \file
/// Where threads wait for each other.
#pragma once

#include <condition_variable>
#include <mutex>

namespace inferwire_test {

/// `count` threads wait until all of them have arrived; later ones do not wait. It waits by a condition
/// variable, since std::latch and std::barrier of libstdc++ 12 lose notifications on systems without futexes.
class Rendezvous {
 public:
  explicit Rendezvous(int count) : missing_(count) {}

  void arrive_and_wait() {
    std::unique_lock lock(mutex_);
    if (--missing_ == 0) complete_.notify_all();
    complete_.wait(lock, [this] { return missing_ <= 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable complete_;
  int missing_;
};

}  // namespace inferwire_test
