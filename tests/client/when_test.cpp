/// \file
/// Waiting for all of several calls, or for the first of them.

#include "client/held_tasks.hpp"
#include "inferwire/inferwire.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/answering_server.hpp"
#include "support/catch.hpp"
#include "support/coroutine.hpp"
#include "support/mock_calls.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

/// Answers requests with "slow" once the gate opens, others at once.
void hold_back_slow_ones(MockServer& server, const Gate& gate) {
  server.set_handler([gate](const HttpRequest& request) {
    return request.body.text().find("slow") != std::string::npos ? held_back(gate)
                                                                 : Reply::json(answer_of("Quick."));
  });
}

}  // namespace

TEST_CASE("when_any gives the index of the first answer", "[async]") {
  const Gate slow;
  MockServer server;
  hold_back_slow_ones(server, slow);
  const auto client = client_of(server);
  std::vector<Pending<chat::Response>> calls;
  calls.push_back(client.chat.start({.model = "m", .messages = {chat::user("slow")}}));
  calls.push_back(client.chat.start({.model = "m", .messages = {chat::user("quick")}}));
  CHECK(inferwire::when_any(calls).get().value() == 1);
  CHECK(calls[1].get()->text() == "Quick.");
  Gate(slow).open();
  CHECK(inferwire::when_any(calls).get().value() == 0);
  CHECK(calls[0].get()->text() == "Late.");
}

TEST_CASE("when_all takes calls as arguments", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) { return Reply::json(answer_of(request.url)); });
  const auto client = client_of(server);
  auto replies =
      inferwire::when_all(client.chat.start(hello), client.chat.start(hello), client.chat.start(hello)).get();
  REQUIRE(replies);
  REQUIRE(replies->size() == 3);
  for (const auto& reply : *replies) CHECK(reply);
}

TEST_CASE("the executor's own thread may wait for when_any and when_all", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto client = client_of(server);
  const auto worker = std::make_shared<HeldTasks>();  // this thread is the only one that could run its tasks
  const inferwire::CallOptions there{.executor = worker};
  std::vector<Pending<chat::Response>> calls;
  for (int i = 0; i < 2; ++i) calls.push_back(client.chat.start(hello, there));
  auto first = inferwire::when_any(calls);
  REQUIRE(first.wait_for(10s));
  CHECK(calls[first.get().value()].ready());
  auto all = inferwire::when_all(std::move(calls));
  REQUIRE(all.wait_for(10s));
  CHECK(all.get()->size() == 2);
  CHECK(worker->waiting() == 0);
}

TEST_CASE("callbacks of when_any and when_all run on the calls' executor", "[async]") {
  Gate gate;  // closed until they are awaited: available results would not need the executor
  AnsweringServer server(held_back(gate));
  const auto client = client_of(server);
  const auto worker = std::make_shared<HeldTasks>();
  const auto start = [&] { return client.chat.start(hello, {.executor = worker}); };
  std::vector<Pending<std::vector<Result<chat::Response>>>> groups;
  for (int i = 0; i < 2; ++i) {
    std::vector<Pending<chat::Response>> calls;
    calls.push_back(start());
    groups.push_back(inferwire::when_all(std::move(calls)));
  }
  std::vector<Pending<chat::Response>> calls;
  calls.push_back(start());
  std::vector<std::thread::id> ran;
  inferwire::when_all(std::move(groups)).then([&](auto) { ran.push_back(std::this_thread::get_id()); });
  inferwire::when_any(calls).then([&](auto) { ran.push_back(std::this_thread::get_id()); });
  bool went_on = false;
  {
    std::vector<Pending<chat::Response>> unwanted;
    unwanted.push_back(start());
    const auto waiting = [](std::vector<Pending<chat::Response>> awaited, bool& on) -> Owned {
      static_cast<void>(co_await inferwire::when_all(std::move(awaited)));
      on = true;
    }(std::move(unwanted), went_on);
    gate.open();
    worker->wait_for(3);
  }
  CHECK(ran.empty());
  worker->run();
  CHECK(ran == std::vector{std::this_thread::get_id(), std::this_thread::get_id()});
  CHECK_FALSE(went_on);
}

TEST_CASE("callbacks of when_any and when_all run on the executor when all answers are there already",
          "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto worker = std::make_shared<HeldTasks>();
  const auto client = client_of(server, {.executor = worker});
  std::vector<Pending<chat::Response>> calls;
  calls.push_back(client.chat.start(hello));
  REQUIRE(calls[0].wait_for(10s));
  int called = 0;
  inferwire::when_any(calls).then([&](auto) { ++called; });
  CHECK(called == 0);
  CHECK(worker->run() == 1);
  CHECK(called == 1);
  inferwire::when_all(std::move(calls)).then([&](auto) { ++called; });
  CHECK(called == 1);
  CHECK(worker->run() == 1);
  CHECK(called == 2);
}

TEST_CASE("callbacks of when_all run on the executor of the last call to finish", "[async]") {
  const Gate slow;
  MockServer server;
  hold_back_slow_ones(server, slow);
  const auto client = client_of(server);
  const auto quick_ones = std::make_shared<HeldTasks>();
  const auto slow_ones = std::make_shared<HeldTasks>();
  std::vector<Pending<chat::Response>> calls;
  calls.push_back(client.chat.start(hello, {.executor = quick_ones}));
  REQUIRE(calls[0].wait_for(10s));
  calls.push_back(
      client.chat.start({.model = "m", .messages = {chat::user("slow")}}, {.executor = slow_ones}));
  auto all = inferwire::when_all(std::move(calls));
  Gate(slow).open();
  REQUIRE(all.wait_for(10s));
  bool called = false;
  all.then([&](auto) { called = true; });
  CHECK(quick_ones->run() == 0);
  CHECK(slow_ones->run() == 1);
  CHECK(called);
}

TEST_CASE("when_any hands over its answer after its executor's last owner has gone", "[async]") {
  Gate gate;
  AnsweringServer server(held_back(gate));
  const auto client = client_of(server);
  HeldTasks queue;
  std::vector<Pending<chat::Response>> calls;
  calls.push_back(
      client.chat.start(hello, {.executor = inferwire::Executor::of(
                                    [&](inferwire::Executor::Task task) { queue.post(std::move(task)); })}));
  std::string text;
  inferwire::when_any(calls).then([&](Result<std::size_t> first) {
    calls[*first].then([&](const Result<chat::Response>& reply) { text = reply->text(); });
  });
  gate.open();
  while (text.empty()) {
    if (!queue.run()) std::this_thread::yield();
  }
  CHECK(text == "Late.");
}

TEST_CASE("destroying the Pending of when_all cancels its calls", "[async]") {
  const Gate never;
  AnsweringServer server(held_back(never));
  const auto client = client_of(server);
  {
    std::vector<Pending<chat::Response>> calls;
    for (int i = 0; i < 3; ++i) calls.push_back(client.chat.start(hello));
    const auto all = inferwire::when_all(std::move(calls));
    REQUIRE(server.wait_for_requests(3));
  }
  CHECK(server.wait_for_close(3));
}

TEST_CASE("destroying the client cancels the calls of when_all", "[async]") {
  const Gate never;
  AnsweringServer server(held_back(never));
  std::atomic<int> cancelled{0};
  {
    const auto client = client_of(server);
    std::vector<Pending<std::vector<Result<chat::Response>>>> groups;
    for (int group = 0; group < 2; ++group) {
      std::vector<Pending<chat::Response>> calls;
      for (int i = 0; i < 2; ++i) calls.push_back(client.chat.start(hello));
      groups.push_back(inferwire::when_all(std::move(calls)));
    }
    inferwire::when_all(std::move(groups)).then([&](auto all) {
      for (const auto& group : *all) {
        for (const auto& reply : *group) cancelled += reply.error().kind == ErrorKind::cancelled ? 1 : 0;
      }
    });
    REQUIRE(server.wait_for_requests(4));
    CHECK(cancelled == 0);
  }
  CHECK(cancelled == 4);
  CHECK(server.wait_for_close(4));
}

TEST_CASE("destroying several calls at once writes no ResponseInfo afterwards", "[async]") {
  const Gate never;
  AnsweringServer server(held_back(never));
  std::vector<inferwire::ResponseInfo> infos(8);
  {
    const auto client = client_of(server);
    std::vector<Pending<chat::Response>> calls;
    for (auto& info : infos) calls.push_back(client.chat.start(hello, {.info = &info}));
    REQUIRE(server.wait_for_requests(8));
    auto all = inferwire::when_all(std::move(calls));
    CHECK_FALSE(all.wait_for(1ms));
  }
  for (const auto& info : infos) CHECK(info.attempts == 0);
}

TEST_CASE("when_any can be cancelled without its calls", "[async]") {
  const Gate gate;
  AnsweringServer server(held_back(gate));
  const auto client = client_of(server);
  std::vector<Pending<chat::Response>> calls;
  calls.push_back(client.chat.start(hello));
  auto any = inferwire::when_any(calls);
  any.cancel();
  const auto none = any.get();
  REQUIRE_FALSE(none);
  CHECK(none.error().kind == ErrorKind::cancelled);
  auto open = gate;
  open.open();
  CHECK(calls[0].get());
}

namespace {

/// A client whose calls are answered when the gate opens.
Client held_client(MockServer& server, const Gate& gate) {
  server.set_handler([gate](const HttpRequest&) { return held_back(gate); });
  return client_of(server);
}

std::vector<Pending<chat::Response>> two_calls(const Client& client) {
  std::vector<Pending<chat::Response>> calls;
  for (int i = 0; i < 2; ++i) calls.push_back(client.chat.start(hello));
  return calls;
}

}  // namespace

TEST_CASE("when_any whose calls other waiters have taken gives Error{config}", "[async]") {
  const Gate never;
  MockServer server;
  const auto client = held_client(server, never);
  auto calls = two_calls(client);
  std::optional<ErrorKind> told;
  inferwire::when_any(calls).then([&](const Result<std::size_t>& first) { told = first.error().kind; });
  auto again = inferwire::when_any(calls);
  CHECK(told == ErrorKind::config);
  calls[0].then([](const Result<chat::Response>&) {});
  CHECK_FALSE(again.ready());
  [](Pending<chat::Response> awaited) -> Detached {
    static_cast<void>(co_await awaited);
  }(std::move(calls[1]));
  REQUIRE(again.ready());
  CHECK(again.get().error().kind == ErrorKind::config);
}

TEST_CASE("when_any whose calls are destroyed gives Error{config}", "[async]") {
  const Gate never;
  MockServer server;
  const auto client = held_client(server, never);
  auto calls = two_calls(client);
  std::optional<ErrorKind> told;
  inferwire::when_any(calls).then([&](const Result<std::size_t>& first) { told = first.error().kind; });
  calls[0] = {};
  CHECK_FALSE(told);
  calls[1] = {};
  CHECK(told == ErrorKind::config);
  calls = two_calls(client);
  auto any = inferwire::when_any(calls);
  calls.clear();
  REQUIRE(any.ready());
  CHECK(any.get().error().kind == ErrorKind::config);
}
