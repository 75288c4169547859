#include "server/thread_pool.hpp"

#include <system_error>
#include <utility>

namespace inferwire::inline v0_1::server {
namespace {

constinit thread_local const ThreadPool* pool_of_this_thread = nullptr;

}  // namespace

ThreadPool::ThreadPool(std::size_t limit) : limit_(limit) {}

ThreadPool::~ThreadPool() { join(); }

void ThreadPool::run(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    if (jobs_.size() > idle_ && threads_.size() < limit_) {
      try {
        threads_.emplace_back([this] { work(); });
      } catch (const std::system_error&) {
        // No further thread can be started at the moment: an existing thread takes the job when it is free,
        // or one that a later job starts.
      }
    }
  }
  changed_.notify_one();
}

bool ThreadPool::is_crowded() {
  const std::lock_guard lock(mutex_);
  return threads_.size() == limit_ && jobs_.size() > idle_;
}

bool ThreadPool::is_here() const noexcept { return pool_of_this_thread == this; }

void ThreadPool::join() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    threads.swap(threads_);
  }
  changed_.notify_all();
  for (auto& thread : threads) thread.join();
}

void ThreadPool::work() {
  pool_of_this_thread = this;
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [this] { return closing_ || !jobs_.empty(); });
    --idle_;
    if (jobs_.empty()) return;
    const auto job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    lock.lock();
  }
}

}  // namespace inferwire::inline v0_1::server
