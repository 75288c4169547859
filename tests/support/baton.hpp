/// \file
/// Passes a value from one thread to another that waits for it.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace inferwire_test {

template <class T>
class Baton {
 public:
  void pass(T value) {
    const std::lock_guard lock(mutex_);
    value_ = std::move(value);
    passed_.notify_all();
  }
  /// Waits for a value, without limit, and takes it.
  T take() {
    std::unique_lock lock(mutex_);
    passed_.wait(lock, [this] { return value_.has_value(); });
    return *std::exchange(value_, std::nullopt);
  }
  bool passed() {
    const std::lock_guard lock(mutex_);
    return value_.has_value();
  }

 private:
  std::mutex mutex_;
  std::condition_variable passed_;
  std::optional<T> value_;
};

}  // namespace inferwire_test
