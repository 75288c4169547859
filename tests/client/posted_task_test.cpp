#include "client/stream/posted_task.hpp"

#include "support/catch.hpp"

#include <atomic>
#include <thread>

using inferwire::client::PostedTask;

TEST_CASE("PostedTask::is_out holds from post until end, and the next task may follow", "[telling]") {
  PostedTask task;
  CHECK_FALSE(task.is_out());
  CHECK_FALSE(task.begin());
  for (int i = 0; i < 2; ++i) {
    task.post();
    CHECK(task.is_out());
    CHECK(task.begin());
    CHECK_FALSE(task.begin());
    CHECK(task.is_out());
    CHECK(task.end());
    CHECK_FALSE(task.is_out());
  }
}

TEST_CASE("PostedTask::withdraw fails while the task runs, which then has to go on itself", "[telling]") {
  PostedTask ended;
  ended.post();
  CHECK(ended.begin());
  CHECK(ended.end());
  CHECK(ended.withdraw());

  PostedTask waiting;
  waiting.post();
  CHECK(waiting.withdraw());
  CHECK_FALSE(waiting.is_out());
  CHECK_FALSE(waiting.begin());

  PostedTask running;
  running.post();
  CHECK(running.begin());
  CHECK_FALSE(running.withdraw());
  CHECK_FALSE(running.is_out());
  CHECK_FALSE(running.end());
}

TEST_CASE("exactly one of PostedTask::withdraw and end goes on, on any schedule of two threads",
          "[telling]") {
  for (int round = 0; round < 500; ++round) {
    PostedTask task;
    task.post();
    int followed = 0;  // whoever writes it has it to itself
    std::atomic<bool> begins{false};
    std::thread executor([&] {
      begins = true;
      if (task.begin() && !task.end()) ++followed;
    });
    while (!begins) std::this_thread::yield();
    const bool mine = task.withdraw();
    if (mine) ++followed;
    executor.join();
    REQUIRE(followed == 1);
  }
}
