#include "server/thread_pool.hpp"

#include "base/per_thread.hpp"

#include <exception>
#include <new>
#include <utility>

namespace inferwire::inline v0_1::server {
namespace {

constinit thread_local const ThreadPool* pool_of_this_thread = nullptr;

}  // namespace

ThreadPool::ThreadPool(std::size_t limit) : limit_(limit) {}

ThreadPool::~ThreadPool() { join(); }

void ThreadPool::run(std::function<void()> job) {
  std::unique_lock lock(mutex_);
  try {
    jobs_.push_back(std::move(job));
  } catch (const std::bad_alloc&) {
    lock.unlock();
    return call(job);
  }
  if (jobs_.size() > idle_ && threads_.size() < limit_) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::exception&) {  // no further thread can be started at the moment
      if (threads_.empty()) return run_next(lock);
      // An existing thread takes the job when it is free, or one that a later job starts.
    }
  }
  lock.unlock();
  changed_.notify_one();
}

bool ThreadPool::is_crowded() {
  const std::lock_guard lock(mutex_);
  return threads_.empty() || (threads_.size() == limit_ && jobs_.size() > idle_);
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
  stay_loaded_until_thread_end();  // signals are blocked by the thread that starts this one
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [this] { return closing_ || !jobs_.empty(); });
    --idle_;
    if (jobs_.empty()) return;
    run_next(lock);
    lock.lock();
  }
}

/// Unlocks the mutex.
void ThreadPool::run_next(std::unique_lock<std::mutex>& lock) {
  const auto job = std::move(jobs_.front());
  jobs_.pop_front();
  lock.unlock();
  call(job);
}

/// If a job throws, the connection that it served stays open, without an answer.
void ThreadPool::call(const std::function<void()>& job) noexcept {
  pool_of_this_thread = this;
  try {
    job();
  } catch (...) {}
  pool_of_this_thread = nullptr;
}

}  // namespace inferwire::inline v0_1::server
