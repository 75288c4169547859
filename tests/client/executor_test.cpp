/// \file
/// Where callbacks and coroutines resume: on the loop, or where an executor runs them.

#include "client/held_tasks.hpp"
#include "inferwire/batch.hpp"
#include "inferwire/inferwire.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/answering_server.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/coroutine.hpp"
#include "support/mock_calls.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

static_assert(std::is_convertible_v<void (*)(), inferwire::Executor::Task>);
static_assert(!std::is_convertible_v<int, inferwire::Executor::Task>);

}  // namespace

TEST_CASE("a callback without an executor runs on the loop's thread, where get() is an error", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto loop = std::make_shared<EventLoop>();
  const auto client = client_of(server, {.loop = loop});
  Baton<std::vector<std::string>> baton;
  client.chat.start(hello).then([&](Result<chat::Response> reply) {
    std::vector<std::string> seen{reply ? reply->text() : reply.error().message()};
    seen.push_back(loop->is_here() ? "here" : "elsewhere");
    const auto inner = client.chat.start(hello).get();
    seen.push_back(std::string(name(inner.error().kind)));
    baton.pass(std::move(seen));
  });
  CHECK(baton.take() == std::vector<std::string>{"Hi.", "here", "config"});
  CHECK_FALSE(loop->is_here());
}

TEST_CASE("CallOptions::executor runs callbacks and coroutines", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto client = client_of(server);
  const auto worker = std::make_shared<HeldTasks>();
  const inferwire::CallOptions there{.executor = worker};
  std::vector<std::thread::id> ran;
  client.chat.start(hello, there).then([&](Result<chat::Response>) {
    ran.push_back(std::this_thread::get_id());
  });
  [](const Client& asked, const inferwire::CallOptions& options,
     std::vector<std::thread::id>& where) -> Detached {
    if (co_await asked.chat.start(hello, options)) where.push_back(std::this_thread::get_id());
  }(client, there, ran);
  while (ran.size() < 2) {
    if (!worker->run()) std::this_thread::yield();
  }
  CHECK(ran == std::vector{std::this_thread::get_id(), std::this_thread::get_id()});
}

TEST_CASE("ClientOptions::executor holds for all calls that name no other", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    if (request.body.text().find("stream") != std::string::npos)
      return Reply::stream({R"(data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})"
                            "\n\n"});
    return Reply::json(answer_of("Hi."));
  });
  const auto worker = std::make_shared<HeldTasks>();
  const auto other = std::make_shared<HeldTasks>();
  const auto client = client_of(server, {.executor = worker});
  std::vector<std::string> ran;
  const auto note = [&ran](const char* name) { return [&ran, name](auto&&...) { ran.emplace_back(name); }; };

  client.chat.start(hello).then(note("call"));
  auto stream = client.chat.open(hello);
  stream.listen(note("element"), note("end"));
  auto refused = client.start("no method", "/");
  refused.then(note("refused"));
  CHECK(ran.empty());
  while (ran.size() < 4) {
    if (!worker->run()) std::this_thread::yield();
  }
  std::ranges::sort(ran);
  CHECK(ran == std::vector<std::string>{"call", "element", "end", "refused"});

  Baton<bool> called;
  client.chat.start(hello, {.executor = other}).then([&](Result<chat::Response>) { called.pass(true); });
  while (!called.passed()) {
    if (!other->run()) std::this_thread::yield();
  }
  Baton<std::thread::id> on_loop;
  client.chat.start(hello, {.executor = inferwire::Executor::on_loop()}).then([&](Result<chat::Response>) {
    on_loop.pass(std::this_thread::get_id());
  });
  CHECK(on_loop.take() != std::this_thread::get_id());
  CHECK(worker->run() == 0);
}

TEST_CASE("Executor::of runs callbacks through a function", "[async]") {
  MockServer server;
  server.push(Reply::json(answer_of("Hi.")));
  const auto worker = std::make_shared<HeldTasks>();
  const auto client =
      client_of(server, {.executor = inferwire::Executor::of(
                             [worker](inferwire::Executor::Task task) { worker->post(std::move(task)); })});
  Baton<std::thread::id> where;
  client.chat.start(hello).then([&](Result<chat::Response>) { where.pass(std::this_thread::get_id()); });
  while (!where.passed()) {
    if (!worker->run()) std::this_thread::yield();
  }
  CHECK(where.take() == std::this_thread::get_id());
}

TEST_CASE("create_all does not use the client's executor", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto client = client_of(server, {.executor = std::make_shared<HeldTasks>()});
  const auto replies = chat::create_all(client, std::vector<chat::Request>(3, hello));
  REQUIRE(replies.size() == 3);
  for (const auto& reply : replies) CHECK(reply);
}

TEST_CASE("the callback of a call that cannot be sent runs on the executor", "[async]") {
  const auto worker = std::make_shared<HeldTasks>();
  const inferwire::CallOptions there{.executor = worker};
  const Client no_scheme({.base_url = "api.openai.com", .api_key = "k"});
  Client moved({.api_key = "k"});
  const Client taken = std::move(moved);
  const Client no_loop({.base_url = "http://127.0.0.1:1",
                        .api_key = "k",
                        .loop = std::make_shared<EventLoop>(inferwire::EventLoopOptions{.max_calls = 0})});
  for (const Client* client : {&no_scheme, static_cast<const Client*>(&moved), &no_loop}) {
    int called = 0;
    client->chat.start(hello, there).then([&](Result<chat::Response> reply) {
      CHECK_FALSE(reply);
      ++called;
      throw std::runtime_error("for nobody");
    });
    client->start("GET", "/", std::nullopt, there).then([&](Result<inferwire::RawResponse>) { ++called; });
    client->models.start_list(there).then([&](Result<inferwire::models::List>) { ++called; });
    client->chat.open(hello, there).collect().then([&](const auto&) { ++called; });
    CHECK(called == 0);
    while (called < 4) {
      if (!worker->run()) std::this_thread::yield();
    }
    client->chat.start(hello).then([&](Result<chat::Response>) { ++called; });
    CHECK(called == 5);  // without an executor: at once
  }
}

TEST_CASE("a coroutine destroyed while its task waits in the executor is not resumed", "[async]") {
  Gate answers;  // closed until the coroutines wait: available results would not need the executor
  Gate streams;
  MockServer server;
  server.set_handler([&](const HttpRequest& request) {
    if (request.body.text().find(R"("stream":true)") == std::string::npos) return held_back(answers);
    auto reply = Reply::stream({"data: {\"choices\":[]}\n\n", "data: [DONE]\n\n"});
    reply.head_gate = streams;
    return reply;
  });
  const auto client = client_of(server);
  const auto worker = std::make_shared<HeldTasks>();
  const inferwire::CallOptions there{.executor = worker};
  bool went_on = false;
  {
    const auto waiting = [](const Client& asked, const inferwire::CallOptions& options, bool& on) -> Owned {
      on = (co_await asked.chat.start(hello, options)).has_value();
    }(client, there, went_on);
    answers.open();
    worker->wait_for();
  }
  worker->run();
  {
    const auto reading = [](const Client& asked, const inferwire::CallOptions& options, bool& on) -> Owned {
      auto stream = asked.chat.open(hello, options);
      co_await stream.next();
      on = true;
    }(client, there, went_on);
    streams.open();
    worker->wait_for();
  }
  worker->run();
  CHECK_FALSE(went_on);
}

TEST_CASE("an executor whose tasks are not run is destroyed with its client, and so are they", "[async]") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    if (request.body.text().find(R"("stream":true)") == std::string::npos)
      return Reply::json(answer_of("Hi."));
    return Reply::stream({"data: {\"choices\":[]}\n\n", "data: [DONE]\n\n"});
  });
  const auto use = GENERATE(0, 1, 2, 3, 4, 5);
  CAPTURE(use);
  auto worker = std::make_shared<HeldTasks>();
  auto held = std::make_shared<int>();
  const std::weak_ptr<int> seen = held;
  const std::weak_ptr<HeldTasks> alive = worker;
  {
    const auto client = use == 0 ? client_of(server) : client_of(server, {.executor = worker});
    const inferwire::CallOptions there{.executor = use == 0 ? worker : nullptr};
    const inferwire::CallOptions refused{.headers = {{"a b", "c"}}};
    const auto callback = [held](Result<chat::Response>) {};
    auto stream = client.chat.open(hello, use == 5 ? refused : there);
    const auto read = [](inferwire::AsyncStream<chat::Chunk>& from) -> Owned { co_await from.next(); };
    std::unique_ptr<Owned> coroutine;
    switch (use) {
      case 2: client.chat.start(hello, refused).then(callback); break;
      case 3:
      case 5: stream.listen([held](const chat::Chunk&) {}, [](Result<void>) {}); break;
      case 4: coroutine.reset(new Owned(read(stream))); break;
      default: client.chat.start(hello, there).then(callback); break;
    }
    worker->wait_for();
  }
  held.reset();
  worker.reset();
  CHECK(alive.expired());
  CHECK(seen.expired());
}
