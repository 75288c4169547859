/// \file
/// Streams on the event loop that are folded into one answer.

#include "client/collected_text.hpp"
#include "client/held_tasks.hpp"
#include "inferwire/inferwire.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/answering_server.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/coroutine.hpp"
#include "support/mock_calls.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

using Answer = Collected<chat::Response>;

Reply three_words() {
  return Reply::stream({chunk("one "), chunk("two "), chunk("three", R"("stop")"), done});
}

/// A stream that stops after its first word until `gate` opens.
Reply held_after_one(const Gate& gate) {
  auto reply = three_words();
  reply.body.at(1).gate = gate;
  return reply;
}

}  // namespace

TEST_CASE("AsyncStream::collect gives the whole answer", "[async]") {
  MockServer server;
  server.push(three_words());
  const auto client = client_of(server);
  auto stream = client.chat.open(hello);
  auto pending = stream.collect();
  CHECK(text_and_error(pending.get()) == "one two three");
  CHECK(stream.end_reason() == EndReason::done);
  CHECK(stream.info().head.status == 200);
  CHECK(stream.get() == nullptr);
}

TEST_CASE("collect() of a temporary stream may be awaited", "[async]") {
  MockServer server;
  server.push(three_words());
  const auto client = client_of(server);
  Baton<std::string> baton;
  [](const Client& asked, Baton<std::string>& out) -> Detached {
    const auto answer = co_await asked.chat.open(hello).collect();
    out.pass(text_and_error(answer));
  }(client, baton);
  CHECK(baton.take() == "one two three");
}

TEST_CASE("collect() of a stream that breaks gives what came, with the error", "[async]") {
  MockServer server;
  server.push(three_words().cut_after(chunk("one ").size(), inferwire::testing::Ending::reset));
  server.push(Reply::error(400, "no such thing"));
  const auto client = client_of(server);
  CHECK(text_and_error(client.chat.open(hello).collect().get()) == "one /connection");
  CHECK(text_and_error(client.chat.open(hello).collect().get()) == "/invalid_request");
  CHECK(text_and_error(client.chat.open(hello, {.headers = {{"a b", "c"}}}).collect().get()) == "/config");
}

TEST_CASE("collect() of a stream that was read in part gives the rest, with Error{config}", "[async]") {
  AnsweringServer server(three_words());
  const auto client = client_of(server);
  const auto worker = std::make_shared<HeldTasks>();
  const bool elsewhere = GENERATE(false, true);
  CAPTURE(elsewhere);
  auto stream = client.chat.open(hello, {.executor = elsewhere ? worker : nullptr});
  REQUIRE(stream.get()->value().text() == "one ");
  SECTION("after an element was taken") {
    CHECK(text_and_error(stream.collect().get()) == "two three/config");
  }
  SECTION("with an element that was waited for") {
    REQUIRE(stream.wait_for(10s));
    CHECK(text_and_error(stream.collect().get()) == "two three/config");
  }
  SECTION("at the end") {
    while (stream.get() != nullptr) {}
    CHECK(text_and_error(stream.collect().get()) == "/config");
  }
  SECTION("with an end that was waited for") {
    for (int i = 0; i < 2; ++i) REQUIRE(stream.get() != nullptr);
    REQUIRE(stream.wait_for(10s));
    CHECK(text_and_error(stream.collect().get()) == "/config");
  }
}

TEST_CASE("collect() may follow a wait_for() that ran out", "[async]") {
  Gate gate;
  AnsweringServer server(held_after_one(gate));
  const auto client = client_of(server);
  auto stream = client.chat.open(hello);
  REQUIRE(stream.get());
  CHECK_FALSE(stream.wait_for(1ms));
  auto answer = stream.collect();
  CHECK_FALSE(answer.wait_for(1ms));
  gate.open();
  CHECK(text_and_error(answer.get()) == "two three/config");
}

TEST_CASE("collect(on_element) shows each element", "[async]") {
  MockServer server;
  server.push(three_words());
  const auto client = client_of(server);
  std::string seen;
  const auto see = [&](const chat::Chunk& part) { seen += part.text(); };
  SECTION("on the loop's thread") {
    CHECK(text_and_error(client.chat.open(hello).collect(see).get()) == "one two three");
  }
  SECTION("on the thread of an executor") {
    const auto worker = std::make_shared<HeldTasks>();
    std::string heard;
    client.chat.open(hello, {.executor = worker}).collect(see).then([&](const Answer& answer) {
      heard = text_and_error(answer);
    });
    while (heard.empty()) {
      worker->wait_for();
      worker->run();
    }
    CHECK(heard == "one two three");
  }
  SECTION("after wait_for() has found one") {
    auto stream = client.chat.open(hello);
    REQUIRE(stream.wait_for(10s));
    CHECK(text_and_error(stream.collect(see).get()) == "one two three");
  }
  CHECK(seen == "one two three");
}

TEST_CASE("collect(on_element) calls nothing once its Pending is destroyed", "[async]") {
  MockServer server;
  server.push(held_after_one(Gate()));
  const auto client = client_of(server);
  Baton<int> seen;
  {
    const auto pending = client.chat.open(hello).collect([&](const chat::Chunk&) { seen.pass(1); });
    seen.take();
  }
  CHECK(server.wait_for_close(1));
}

TEST_CASE("an exception in collect(on_element) cancels the stream and keeps what had arrived", "[async]") {
  AnsweringServer server(three_words());
  const auto client = client_of(server);
  const auto answer =
      client.chat.open(hello).collect([](const chat::Chunk&) { throw std::runtime_error("enough"); }).get();
  CHECK(text_and_error(answer) == "one /cancelled");
  CHECK_THAT(answer.error->detail, inferwire_test::contains("enough"));
  auto nothing = client.chat.open(hello, {.headers = {{"a b", "c"}}}).collect([](const chat::Chunk&) {});
  CHECK(text_and_error(nothing.get()) == "/config");
}

TEST_CASE("collect() of a stream that is being read is Error{config}", "[async]") {
  const Gate never;
  AnsweringServer server(held_after_one(never));
  const auto client = client_of(server);
  auto stream = client.chat.open(hello);
  SECTION("after listen()") {
    stream.listen([](const chat::Chunk&) {}, [](Result<void>) {});
  }
  Pending<Answer> first = stream.collect();
  SECTION("after collect(), and neither is listen() possible") {
    CHECK_FALSE(first.wait_for(1ms));
    Baton<Result<void>> end;
    stream.listen([](const chat::Chunk&) {}, [&](Result<void> outcome) { end.pass(std::move(outcome)); });
    CHECK(end.take().error().kind == ErrorKind::config);
    first = stream.collect();
  }
  CHECK(text_and_error(first.get()) == "/config");
}

TEST_CASE("collect() is Error{config} until the executor has resumed the coroutine that reads", "[async]") {
  MockServer server;
  server.push(three_words());
  const auto worker = std::make_shared<HeldTasks>();
  const auto client = client_of(server, {.executor = worker});
  auto stream = client.chat.open(hello);
  std::string first;
  [](AsyncStream<chat::Chunk>& from, std::string& text) -> Detached {
    const auto* const element = co_await from.next();
    text = (*element)->text();
  }(stream, first);
  worker->wait_for();
  CHECK(text_and_error(stream.collect().get()) == "/config");
  worker->run();
  CHECK(first == "one ");
}

TEST_CASE("collect() of a stream that was moved from is Error{config}", "[async]") {
  const MockServer server;
  const auto client = client_of(server);
  auto stream = client.chat.open(hello);
  const auto taken = std::move(stream);
  CHECK(text_and_error(stream.collect().get()) == "/config");  // NOLINT: deliberately moved from
}

TEST_CASE("the executor's own thread may wait for collect()", "[async]") {
  AnsweringServer server(three_words());
  const auto worker = std::make_shared<HeldTasks>();  // this thread is the only one that could run its tasks
  const auto client = client_of(server, {.executor = worker});
  CHECK(text_and_error(client.chat.open(hello).collect().get()) == "one two three");
  CHECK(worker->waiting() == 0);
  std::string heard;
  client.chat.open(hello).collect().then([&](const Answer& answer) { heard = text_and_error(answer); });
  worker->wait_for();
  CHECK(heard.empty());
  worker->run();
  CHECK(heard == "one two three");
}

TEST_CASE("the Pending of collect() owns the call", "[async]") {
  const Gate never;
  AnsweringServer server(held_after_one(never));
  const auto client = client_of(server);
  SECTION("and cancels it") {
    auto pending = client.chat.open(hello).collect();
    REQUIRE(server.wait_for_requests(1));
    CHECK_FALSE(pending.wait_for(20ms));
    pending.cancel();
    const auto answer = pending.get();
    REQUIRE(answer.error);
    CHECK(answer.error->kind == ErrorKind::cancelled);
    CHECK(server.wait_for_close(1));
  }
  SECTION("and its destructor cancels it") {
    auto stream = client.chat.open(hello);
    {
      const auto pending = stream.collect();
      REQUIRE(server.wait_for_requests(1));
    }
    CHECK(server.wait_for_close(1));
  }
  SECTION("and it runs out of time") {
    const auto answer = client.chat.open(hello, {.timeouts = {.overall = 1s}}).collect().get();
    CHECK(text_and_error(answer) == "one /timeout");
  }
}

TEST_CASE("destroying the client cancels its collect() calls", "[async]") {
  const Gate never;
  AnsweringServer server(held_after_one(never));
  std::atomic<int> cancelled{0};
  {
    const auto client = client_of(server);
    for (int i = 0; i < 3; ++i) {
      client.chat.open(hello).collect().then([&](const Answer& answer) {
        cancelled += answer.error && answer.error->kind == ErrorKind::cancelled ? 1 : 0;
      });
    }
    REQUIRE(server.wait_for_requests(3));
    CHECK(cancelled == 0);
  }
  CHECK(cancelled == 3);
  CHECK(server.wait_for_close(3));
}

TEST_CASE("an executor that runs no tasks keeps no callback of collect() alive", "[async]") {
  MockServer server;
  server.push(three_words());
  auto worker = std::make_shared<HeldTasks>();
  auto held = std::make_shared<int>();
  const std::weak_ptr<int> seen = held;
  {
    const auto client = client_of(server, {.executor = worker});
    client.chat.open(hello).collect().then([held](const Answer&) {});
    worker->wait_for();
  }
  held.reset();
  worker.reset();
  CHECK(seen.expired());
}

TEST_CASE("when_any and when_all take the Pendings of collect()", "[async]") {
  AnsweringServer server(three_words());
  const auto client = client_of(server);
  std::vector<Pending<Answer>> answers;
  for (int i = 0; i < 20; ++i) answers.push_back(client.chat.open(hello).collect());
  CHECK(inferwire::when_any(answers).get().value() < answers.size());
  const auto all = inferwire::when_all(std::move(answers)).get();
  REQUIRE(all);
  for (const auto& answer : *all) CHECK(text_and_error(answer) == "one two three");
}

TEST_CASE("an answer of collect() that was cut fails the check for a whole one", "[async]") {
  AnsweringServer server(Reply::stream({chunk("one ")}));
  const auto client = client_of(server);
  CHECK_FALSE(client.chat.stream(hello).collect());
  CHECK_FALSE(client.chat.open(hello).collect().get());
  Baton<bool> whole;
  client.chat.open(hello).collect().then([&](const auto& answer) { whole.pass(answer ? true : false); });
  CHECK_FALSE(whole.take());
  [](const Client& asked, Baton<bool>& out) -> Detached {
    const auto answer = co_await asked.chat.open(hello).collect();
    out.pass(answer ? true : false);
  }(client, whole);
  CHECK_FALSE(whole.take());
  auto all = inferwire::when_all(client.chat.open(hello).collect(), client.chat.open(hello).collect()).get();
  REQUIRE(all);
  for (const auto& answer : *all) CHECK_FALSE(answer);
}

TEST_CASE("a collect() that has nothing to wait for, or cannot wait, says so in the answer's error",
          "[async]") {
  AnsweringServer server(three_words());
  const auto client = client_of(server);
  SECTION("empty") {
    Pending<Answer> empty;
    CHECK(text_and_error(empty.get()) == "/config");
    std::string heard;
    empty.then([&](const Answer& answer) { heard = text_and_error(answer); });
    CHECK(heard == "/config");
    const auto all = inferwire::when_all(std::move(empty), client.chat.open(hello).collect()).get();
    REQUIRE(all);
    CHECK(text_and_error(all->at(0)) == "/config");
    CHECK(text_and_error(all->at(1)) == "one two three");
  }
  SECTION("taken") {
    auto pending = client.chat.open(hello).collect();
    CHECK(text_and_error(pending.get()) == "one two three");
    CHECK(text_and_error(pending.get()) == "/config");
  }
  SECTION("on the loop's own thread") {
    Baton<std::string> heard;
    client.chat.start(hello).then(
        [&](const auto&) { heard.pass(text_and_error(client.chat.open(hello).collect().get())); });
    CHECK(heard.take() == "/config");
  }
}

TEST_CASE("collect() works for streams of every resource", "[async]") {
  MockServer server;
  const auto client = client_of(server);
  server.push(Reply::stream({R"(data: {"choices":[{"index":0,"text":"Hi.","finish_reason":"stop"}]})"
                             "\n\n",
                             done}));
  const auto completion = client.completions.open({.model = "m", .prompt = "Hello"}).collect().get();
  CHECK(completion.response.text() == "Hi.");
  server.push(Reply::stream(
      {R"(data: {"type":"response.completed","response":{"id":"r","status":"completed","output":[]}})"
       "\n\n"}));
  const auto response = client.responses.open({.model = "m", .input = "Hello"}).collect().get();
  CHECK_FALSE(response.error);
  CHECK(response.response.id == "r");
  server.push(three_words());
  const auto raw =
      client.open("/chat/completions", inferwire::Json::raw(R"({"stream":true})")).collect().get();
  CHECK(raw.response.size() == 3);
}
