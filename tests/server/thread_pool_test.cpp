#include "server/thread_pool.hpp"

#include "support/catch.hpp"
#include "support/rendezvous.hpp"
#include "support/thread_stacks.hpp"

#include <atomic>
#include <future>
#include <mutex>
#include <new>
#include <set>
#include <thread>

using namespace inferwire::server;

TEST_CASE("ThreadPool::join returns after all jobs have run") {
  std::atomic<int> done{0};
  {
    ThreadPool pool(3);
    for (int i = 0; i < 100; ++i) pool.run([&] { ++done; });
    pool.join();
    CHECK(done == 100);
  }
}

TEST_CASE("a ThreadPool that is destroyed runs all its jobs before") {
  std::atomic<int> done{0};
  {
    ThreadPool pool(1);
    for (int i = 0; i < 100; ++i) pool.run([&] { ++done; });
  }
  CHECK(done == 100);
}

TEST_CASE("a thread of a ThreadPool that had no job runs the next one") {
  std::promise<void> first, second;
  ThreadPool pool(1);
  pool.run([&] { first.set_value(); });
  first.get_future().wait();
  pool.run([&] { second.set_value(); });
  second.get_future().wait();
  pool.join();
}

TEST_CASE("a ThreadPool outlives a job that throws for lack of memory") {
  std::atomic<bool> done{false};
  ThreadPool pool(1);
  pool.run([] { throw std::bad_alloc(); });
  pool.run([&] { done = true; });
  pool.join();
  CHECK(done);
}

TEST_CASE("ThreadPool grows to its limit while jobs wait") {
  constexpr int limit = 4;
  inferwire_test::Rendezvous all_running(limit);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  ThreadPool pool(limit);
  for (int i = 0; i < limit; ++i) {
    pool.run([&] {
      {
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      }
      all_running.arrive_and_wait();
    });
  }
  for (int i = 0; i < 50; ++i) {
    pool.run([&] {
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
  }
  pool.join();
  CHECK(threads.size() == limit);
}

TEST_CASE("ThreadPool::is_here knows the threads of this pool") {
  ThreadPool pool(1), other(1);
  std::atomic<int> here{0};
  pool.run([&] { here += pool.is_here() && !other.is_here() ? 1 : 0; });
  other.run([&] { here += other.is_here() && !pool.is_here() ? 1 : 0; });
  pool.join();
  other.join();
  CHECK(here == 2);
  CHECK_FALSE(pool.is_here());
}

#ifdef __linux__
TEST_CASE("a ThreadPool that can start no thread runs a job where it is submitted") {
  ThreadPool pool(2);
  bool ran = false;
  {
    const inferwire_test::ThreadStacks none(inferwire_test::stack_of_none);
    pool.run([&] { ran = pool.is_here() && pool.is_crowded(); });
  }
  CHECK(ran);
  CHECK_FALSE(pool.is_here());
  std::thread::id elsewhere;
  pool.run([&] { elsewhere = std::this_thread::get_id(); });
  pool.join();
  CHECK(elsewhere != std::this_thread::get_id());
}
#endif
