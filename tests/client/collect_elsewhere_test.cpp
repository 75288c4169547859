/// \file
/// Streams that are folded into one answer while a function sees each element on the thread of an executor,
/// which may be busy, or go about ending the client.

#include "client/collected_text.hpp"
#include "client/held_tasks.hpp"
#include "inferwire/inferwire.hpp"
#include "inferwire/testing/manual_clock.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/listeners.hpp"
#include "support/mock_calls.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

using Folded = Collected<chat::Response>;

/// Says "one ", and nothing more before `gate` opens.
void say_one(MockServer& server, const Gate& gate) {
  server.set_handler([gate](const HttpRequest&) {
    auto reply = whole_stream({"one ", "two"});
    reply.body.at(1).gate = gate;
    return reply;
  });
}

/// A thread that runs the tasks of an executor.
class RunningTasks {
 public:
  ~RunningTasks() {
    over_ = true;
    thread_.join();
  }
  const std::shared_ptr<HeldTasks>& executor() const noexcept { return tasks_; }

 private:
  std::shared_ptr<HeldTasks> tasks_{std::make_shared<HeldTasks>()};
  std::atomic<bool> over_{false};
  std::thread thread_{[this] {
    while (!over_) {
      if (tasks_->run() == 0) std::this_thread::yield();
    }
  }};
};

}  // namespace

TEST_CASE("collect calls on_element on an executor with each element, in order, before the answer is ready",
          "[async]") {
  constexpr int count = 1000;
  MockServer server;
  std::vector<std::string> numbers;
  std::string at_once;
  for (int i = 0; i < count; ++i) at_once += chunk(numbers.emplace_back(std::to_string(i) + " "));
  server.push(GENERATE(false, true) ? whole_stream(numbers) : Reply::stream({at_once + stop + done}));
  const auto client = client_of(server);
  const RunningTasks there;
  std::string seen;
  int calls = 0;
  std::atomic<bool> inside{false};
  bool alone = true;
  auto pending =
      client.chat.open(hello, {.executor = there.executor()}).collect([&](const chat::Chunk& part) {
        alone = alone && !inside.exchange(true);
        seen += part.text();
        ++calls;
        inside = false;
      });
  const auto answer = pending.get();
  CHECK(seen == text_and_error(answer));  // nothing is written to it any more
  CHECK(seen.ends_with(" 998 999 "));
  CHECK(calls == count + 1);
  CHECK(alone);
}

TEST_CASE("a client destroyed before its executor runs on_element ends what it collects", "[async]") {
  const Gate never;
  MockServer server;
  say_one(server, never);
  const auto together = GENERATE(false, true);
  const auto loop = GENERATE(false, true) ? std::make_shared<EventLoop>() : nullptr;
  CAPTURE(together, loop != nullptr);
  const auto tasks = std::make_shared<HeldTasks>();  // this thread is the only one that could run them
  int seen = 0;
  std::string heard;
  {
    const auto client = client_of(server, {.loop = loop, .executor = tasks});
    auto pending = client.chat.open(hello).collect([&](const chat::Chunk&) { ++seen; });
    if (together) {
      std::vector<Pending<Folded>> all;
      all.push_back(std::move(pending));
      when_all(std::move(all)).then([&](const auto& answers) { heard = text_and_error(answers->front()); });
    } else {
      pending.then([&](const Folded& answer) { heard = text_and_error(answer); });
    }
    tasks->wait_for();
  }
  CHECK(heard.empty());
  while (tasks->run() > 0) {}
  CHECK(heard == "one /cancelled");
  CHECK(seen == 0);
  CHECK(server.wait_for_close(1));
}

TEST_CASE("on_element may destroy the last handle of its client on an executor", "[async]") {
  const Gate never;
  MockServer server;
  say_one(server, never);
  const auto loop = GENERATE(false, true) ? std::make_shared<EventLoop>() : nullptr;
  const auto tasks = std::make_shared<HeldTasks>();
  auto client = std::make_shared<std::optional<Client>>(client_of(server, {.loop = loop, .executor = tasks}));
  std::string heard;
  bool returned = false;
  bool told_before = false;
  (*client)
      ->chat.open(hello)
      .collect([&, client](const chat::Chunk&) {
        client->reset();
        returned = true;
      })
      .then([&](const Folded& answer) {
        told_before = !returned;
        heard = text_and_error(answer);
      });
  const std::weak_ptr<void> kept = std::exchange(client, nullptr);
  while (heard.empty()) {
    tasks->wait_for();
    tasks->run();
  }
  CHECK(heard == "one /cancelled");
  CHECK_FALSE(told_before);
  CHECK(kept.expired());
}

TEST_CASE("a client is destroyed although post() of its executor throws while it collects", "[async]") {
  const Gate never;
  MockServer server;
  say_one(server, never);
  Baton<int> refused;
  bool told = false;
  {
    const auto client = client_of(server, {.executor = Executor::of([&](Executor::Task) {
                                             refused.pass(1);
                                             throw std::runtime_error("closed");
                                           })});
    client.chat.open(hello).collect([&](const chat::Chunk&) { told = true; }).then([&](const auto&) {
      told = true;
    });
    refused.take();
  }
  CHECK_FALSE(told);
  CHECK(server.wait_for_close(1));
}

TEST_CASE("cancel and overall end what is collected although the executor is busy", "[async]") {
  MockServer server;
  const bool whole = GENERATE(false, true);
  CAPTURE(whole);
  Gate gate;
  if (whole) gate.open();
  say_one(server, gate);
  const auto tasks = std::make_shared<HeldTasks>();
  const auto clock = std::make_shared<ManualClock>(ManualClock::Mode::by_hand);
  const auto client =
      client_of(server, {.timeouts = {.idle = 5s, .overall = 10s}, .executor = tasks, .clock = clock});
  CancelSource source;
  int seen = 0;
  const auto collect = [&] {
    auto pending =
        client.chat.open(hello, {.cancel = source.token()}).collect([&](const chat::Chunk&) { ++seen; });
    tasks->wait_for();
    return pending;
  };
  const auto ended = [](Pending<Folded> pending) {
    const auto answer = pending.get();
    REQUIRE(answer.error);
    return std::string(name(answer.error->kind)) + " " + std::string(answer.error->timer);
  };
  SECTION("by the time that the call may take") {
    auto pending = collect();
    clock->advance(9s);
    CHECK_FALSE(pending.wait_for(5ms));
    clock->advance(1s);
    CHECK(ended(std::move(pending)) == "timeout overall");
  }
  SECTION("by a token") {
    auto pending = collect();
    CHECK_FALSE(pending.wait_for(1ms));
    source.cancel();
    CHECK(ended(std::move(pending)) == "cancelled ");
  }
  SECTION("by who waits for it") {
    auto pending = collect();
    pending.cancel();
    CHECK(ended(std::move(pending)) == "cancelled ");
  }
  SECTION("by who drops it") { const auto dropped = collect(); }
  tasks->run();
  CHECK(seen == 0);
}

TEST_CASE("an answer that ends while on_element runs is ready when that has returned", "[async]") {
  MockServer server;
  server.push(unfinished_stream({chunk("one ") + chunk("two ")}));
  const RunningTasks there;
  const auto clock = std::make_shared<ManualClock>(ManualClock::Mode::by_hand);
  const auto client =
      client_of(server, {.timeouts = {.overall = 10s}, .executor = there.executor(), .clock = clock});
  CancelSource source;
  Baton<int> inside;
  Baton<int> go_on;
  std::atomic<int> calls{0};
  std::atomic<bool> returned{false};
  const bool late = GENERATE(false, true);
  CAPTURE(late);
  auto pending = client.chat.open(hello, {.cancel = source.token()}).collect([&](const chat::Chunk&) {
    ++calls;
    inside.pass(1);
    go_on.take();
    returned = true;
  });
  inside.take();
  late ? clock->advance(10s) : source.cancel();
  REQUIRE(server.wait_for_close(1));  // the loop is done with it
  CHECK_FALSE(pending.wait_for(1ms));
  SECTION("to who waits") {
    go_on.pass(1);
    CHECK(text_and_error(pending.get()) == (late ? "one two /timeout" : "one two /cancelled"));
    CHECK(returned);
  }
  SECTION("to nobody, if it is dropped: that waits, too") {
    std::thread releases([&] {
      std::this_thread::sleep_for(10ms);
      go_on.pass(1);
    });
    pending = {};
    CHECK(returned);
    releases.join();
  }
  CHECK(calls == 1);
}

TEST_CASE("an exception from on_element on an executor ends the stream", "[async]") {
  const Gate never;
  MockServer server;
  say_one(server, never);
  const RunningTasks there;
  const auto log = std::make_shared<Lines>(LogLevel::error);
  const auto client = client_of(server, {.log = log, .executor = there.executor()});
  int calls = 0;
  const auto answer = client.chat.open(hello)
                          .collect([&](const chat::Chunk&) {
                            ++calls;
                            throw std::runtime_error("enough");
                          })
                          .get();
  CHECK(text_and_error(answer) == "one /cancelled");
  CHECK(answer.error->detail == "the listener threw: enough");
  CHECK(calls == 1);
  CHECK(std::ranges::count_if(
            log->lines(), [](const auto& line) { return line.ends_with("a callback threw: enough"); }) == 1);
}

TEST_CASE("an executor that only the call names is kept for what collect returns, not after on_element",
          "[async]") {
  const bool listens = GENERATE(false, true);
  CAPTURE(listens);
  MockServer server;
  server.push(whole_stream({"one"}));
  server.push(Reply::json(answer_of("Hi.")));
  const auto client = client_of(server);
  int posted = 0;
  auto executor = Executor::of([&posted](Executor::Task task) {
    ++posted;
    task();
  });
  const std::weak_ptr<Executor> alive = executor;
  auto stream = client.chat.open(hello, {.executor = std::move(executor)});
  auto pending = listens ? stream.collect([](const chat::Chunk&) {}) : stream.collect();
  REQUIRE(pending.wait_for(10s));
  CHECK(client.chat.start(hello).get());  // the loop has left the stream by then
  CHECK(alive.expired() == listens);
  posted = 0;
  std::string heard;
  pending.then([&heard](const Folded& answer) { heard = text_and_error(answer); });
  CHECK(heard == "one");
  CHECK(posted == (listens ? 0 : 1));
}

TEST_CASE("a slow on_element pauses its own transfer and no other", "[async]") {
  MockServer server;
  constexpr std::size_t pieces = 20'000;
  server.set_handler([](const HttpRequest&) {
    auto reply = Reply::stream({chunk(std::string(1000, 'x'))});
    reply.body[0].times = pieces;
    reply.body.push_back({.bytes = stop + done});
    return reply;
  });
  const auto tasks = std::make_shared<HeldTasks>();
  const auto client = client_of(server);
  std::size_t seen = 0;
  auto slow = client.chat.open(hello, {.executor = tasks}).collect([&](const chat::Chunk&) { ++seen; });
  tasks->wait_for();
  CHECK(client.chat.open(hello).collect().get().response.text().size() == 1000 * pieces);
  CHECK(answered(server) == 1);
  CHECK(tasks->waiting() == 1);
  while (!slow.ready()) {
    if (tasks->run() == 0) std::this_thread::yield();
  }
  CHECK(slow.get().response.text().size() == 1000 * pieces);
  CHECK(seen == pieces + 1);
}

TEST_CASE("info and end_reason may be called while collect(on_element) runs", "[async]") {
  const RunningTasks there;
  const bool elsewhere = GENERATE(false, true);
  CAPTURE(elsewhere);
  MockServer server;
  const auto client = client_of(server, {.executor = elsewhere ? there.executor() : nullptr});
  for (int round = 0; round < 20; ++round) {
    std::vector<std::string> words(100, "w ");
    server.push(whole_stream(words).with("x-request-id", "req_1"));
    auto stream = client.chat.open(hello);
    std::atomic<int> unknown{0};
    auto pending = stream.collect([&](const chat::Chunk&) { unknown += stream.info().head.status != 200; });
    int wrong = 0;
    while (!pending.ready()) {
      const auto& id = stream.info().request_id;
      wrong += !id.empty() && id != "req_1";
      wrong += stream.end_reason() != EndReason::none && stream.end_reason() != EndReason::done;
    }
    CHECK(wrong == 0);
    CHECK_FALSE(pending.get().error);
    CHECK(stream.end_reason() == EndReason::done);
    CHECK(stream.info().events == 101);
    CHECK(unknown == 0);
  }
}
