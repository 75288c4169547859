/// \file
/// Threads for connections: started when they are needed, up to a limit, and joined at the end.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace inferwire::inline v0_1::server {

/// Runs jobs on at most `limit` threads, in the order of submission, or where they are submitted while no
/// thread at all can be started. What a job throws, for lack of memory, is lost. Safe from any thread.
class ThreadPool {
 public:
  explicit ThreadPool(std::size_t limit);
  /// Does what join() does.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void run(std::function<void()> job);
  /// Whether a job is waiting for a running one to finish, or has to because there is no thread.
  bool is_crowded();
  /// Whether a job of the pool calls it.
  bool is_here() const noexcept;
  /// Runs the jobs submitted so far and returns when no thread of the pool is left. No job may be submitted
  /// afterwards.
  void join();

 private:
  void work();
  void run_next(std::unique_lock<std::mutex>& lock);
  void call(const std::function<void()>& job) noexcept;

  const std::size_t limit_;

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::thread> threads_;
  std::size_t idle_{};
  bool closing_{};
};

}  // namespace inferwire::inline v0_1::server
