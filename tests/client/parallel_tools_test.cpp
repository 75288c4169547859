// Tools: several calls of one answer at the same time.
#include "client/held_tasks.hpp"
#include "inferwire/tools.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace inferwire;

/// Runs each task on a thread of its own; waits for them at the end.
class ThreadEach final : public Executor {
 public:
  ~ThreadEach() override {
    for (auto& thread : threads_) thread.join();
  }
  void post(Task task) override { threads_.emplace_back(std::move(task)); }

 private:
  std::vector<std::thread> threads_;
};

/// Loses what it is to run.
class Forgetful final : public Executor {
  void post(Task) override {}
};

/// A meeting point of several threads.
class Meeting {
 public:
  /// Returns whether `count` threads are there within ten seconds.
  bool of(int count) {
    std::unique_lock lock(mutex_);
    ++present_;
    changed_.notify_all();
    return changed_.wait_for(lock, std::chrono::seconds(10), [&] { return present_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int present_{};
};

struct Letter {
  std::string text{};
};
INFERWIRE_DESCRIBE(Letter, text)

std::vector<CalledTool> calls_of_echo(int count) {
  std::vector<CalledTool> calls;
  for (int i = 0; i < count; ++i) {
    const auto number = std::to_string(i);
    calls.push_back({.id = "c" + number, .name = "echo", .arguments = R"({"text":")" + number + "\"}"});
  }
  return calls;
}
void check_echoes(const std::vector<CalledTool>& calls) {
  for (std::size_t i = 0; i < calls.size(); ++i) {
    CHECK(calls[i].id == "c" + std::to_string(i));
    CHECK(calls[i].result == std::to_string(i));
    CHECK_FALSE(calls[i].error);
  }
}

}  // namespace

TEST_CASE("Toolbox::run_all runs calls one after the other without an executor") {
  Toolbox tools;
  std::vector<std::thread::id> threads;
  tools.add("echo", "", [&](const Letter& letter) {
    threads.push_back(std::this_thread::get_id());
    return letter.text;
  });
  auto calls = calls_of_echo(3);
  calls.push_back({.id = "c3", .name = "walk", .arguments = "{}"});
  tools.run_all(calls);
  CHECK(threads == std::vector(3, std::this_thread::get_id()));
  CHECK(calls.back().error.value().kind == ErrorKind::tool);
  calls.pop_back();
  check_echoes(calls);
  tools.run_all({});
}

TEST_CASE("Toolbox::run_all runs calls at the same time with an executor") {
  constexpr int count = 4;
  Meeting meeting;
  std::atomic<int> met{};
  Toolbox tools;
  tools.add("echo", "", [&](const Letter& letter) {
    if (meeting.of(count)) ++met;
    return letter.text;
  });
  tools.set_executor(std::make_shared<ThreadEach>());
  auto calls = calls_of_echo(count);
  tools.run_all(calls);
  CHECK(met == count);
  check_echoes(calls);
}

TEST_CASE("Toolbox::run_all does not wait for an executor that is busy") {
  const auto busy = std::make_shared<inferwire_test::HeldTasks>();
  int ran = 0;
  {
    Toolbox tools;
    tools.add("echo", "", [&](const Letter& letter) {
      ++ran;
      return letter.text;
    });
    tools.set_executor(busy);
    auto calls = calls_of_echo(3);
    tools.run_all(calls);
    check_echoes(calls);
  }
  CHECK(busy->run() == 2);  // the toolbox is gone, and there is nothing left to do
  CHECK(ran == 3);
}

TEST_CASE("Toolbox::run_all asks for 63 helpers at most") {
  const auto busy = std::make_shared<inferwire_test::HeldTasks>();
  Toolbox tools;
  tools.add("echo", "", [](const Letter& letter) { return letter.text; });
  tools.set_executor(busy);
  auto calls = calls_of_echo(100);
  tools.run_all(calls);
  check_echoes(calls);
  CHECK(busy->run() == 63);
}

TEST_CASE("Toolbox::run_all needs no help of an executor that loses its tasks") {
  Toolbox tools;
  tools.add("echo", "", [](const Letter& letter) { return letter.text; });
  tools.set_executor(std::make_shared<Forgetful>());
  auto calls = calls_of_echo(3);
  tools.run_all(calls);
  check_echoes(calls);
}

TEST_CASE("Toolbox::run_all makes no call after a cancellation, and waits for those that have begun") {
  constexpr int threads = 2;
  CancelSource stop;
  Meeting meeting;
  std::atomic<int> ran{};
  Toolbox tools;
  tools.add("echo", "", [&](const Letter& letter) {
    meeting.of(threads);
    stop.cancel();
    ++ran;
    return letter.text;
  });
  // One helper: of the first two calls each thread has one, and nobody begins the others.
  const auto helper = std::make_shared<ThreadEach>();
  tools.set_executor(Executor::of([helper, posted = 0](Executor::Task task) mutable {
    if (++posted < threads) helper->post(std::move(task));
  }));
  auto calls = calls_of_echo(4);
  tools.run_all(calls, stop.token());
  CHECK(ran == threads);
  for (const std::size_t begun : {0u, 1u}) CHECK_FALSE(calls.at(begun).error);
  for (const std::size_t left : {2u, 3u}) {
    CHECK(calls.at(left).result == "The call was not made: the program cancelled it.");
    CHECK(calls.at(left).error.value().kind == ErrorKind::cancelled);
  }
}

TEST_CASE("ToolLoop sends the results of calls made at the same time in the order of the calls") {
  Meeting meeting;
  Toolbox tools;
  tools.add("echo", "", [&](const Letter& letter) { return meeting.of(2) ? letter.text : "alone"; });
  tools.set_executor(std::make_shared<ThreadEach>());
  const auto calls = calls_of_echo(2);

  chat::ToolLoop loop({.model = "m", .messages = {chat::user("Write.")}}, tools);
  chat::Message message = chat::assistant("");
  for (const auto& [id, name, arguments, result, error] : calls) {
    message.tool_calls.push_back(
        {.id = id, .function = chat::FunctionCall{.name = name, .arguments = arguments}});
  }
  loop.take(chat::Response{.choices = {{.message = message}}});
  check_echoes(loop.calls());
  REQUIRE(loop.request().messages.size() == 4);
  CHECK(loop.request().messages[2] == chat::tool("c0", "0"));
  CHECK(loop.request().messages[3] == chat::tool("c1", "1"));

  responses::ToolLoop other({.model = "m", .input = "Write."}, tools);
  responses::Response response;
  for (const auto& [id, name, arguments, result, error] : calls) {
    response.output.emplace_back(
        responses::FunctionCall{.call_id = id, .name = name, .arguments = arguments});
  }
  other.take(response);
  check_echoes(other.calls());
  const auto& items = std::get<std::vector<responses::Item>>(*other.request().input);
  REQUIRE(items.size() == 5);
  CHECK(std::get<responses::FunctionCallOutput>(items[3]).call_id == "c0");
  CHECK(std::get<responses::FunctionCallOutput>(items[4]).call_id == "c1");
}
