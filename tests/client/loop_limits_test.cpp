/// \file
/// How many calls a loop lets run at a time.

#include "inferwire/inferwire.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/answering_server.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/eventually.hpp"
#include "support/mock_calls.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

bool asks(const HttpRequest& request, std::string_view what) {
  return request.body.text().find(what) != std::string::npos;
}

/// A loop that runs a callback, of a call to another host, until it may go on: so that it sees all at once
/// what happens meanwhile.
class BusyLoop {
 public:
  /// The server has to answer the call, which asks something "quick", at once.
  BusyLoop(const MockServer& server, const std::shared_ptr<EventLoop>& loop)
      : elsewhere_(
            {.base_url = server.url("localhost") + "/v1", .credential = Credential::none(), .loop = loop}) {
    elsewhere_.chat.start({.model = "m", .messages = {chat::user("quick")}})
        .then([this](Result<chat::Response>) {
          busy_.pass(1);
          go_on_.take();
        });
    busy_.take();
  }

  void go_on() { go_on_.pass(1); }

 private:
  Client elsewhere_;
  Baton<int> busy_;
  Baton<int> go_on_;
};

}  // namespace

TEST_CASE("max_calls_per_host limits the calls of a loop", "[async]") {
  MockServer server;
  std::vector<Gate> gates(6);
  std::atomic<std::size_t> asked{0};
  server.set_handler([&](const HttpRequest&) { return held_back(gates[asked++]); });
  const auto loop = std::make_shared<EventLoop>(inferwire::EventLoopOptions{.max_calls_per_host = 2});
  const auto client = client_of(server, {.loop = loop});
  std::vector<Pending<chat::Response>> calls;
  for (std::size_t i = 0; i < gates.size(); ++i) calls.push_back(client.chat.start(hello));
  for (std::size_t i = 0; i < gates.size(); ++i) {
    REQUIRE(server.wait_for_requests(std::min(i + 2, gates.size())));
    CHECK_FALSE(server.wait_for_requests(i + 3, 5ms));
    gates[i].open();
  }
  for (auto& call : calls) CHECK(call.get());
  CHECK(server.connections() == 2);
}

TEST_CASE("a limit of 0 calls is Error{config}, which names it", "[async]") {
  const auto refused = [](const inferwire::EventLoopOptions& options) {
    const Client client({.base_url = "http://localhost",
                         .credential = Credential::none(),
                         .loop = std::make_shared<EventLoop>(options)});
    return client.chat.start(hello).get().error();
  };
  CHECK(refused({.max_calls = 0}).kind == ErrorKind::config);
  CHECK_THAT(refused({.max_calls = 0}).detail, contains("max_calls is 0"));
  CHECK_THAT(refused({.max_calls_per_host = 0}).detail, contains("max_calls_per_host is 0"));
}

TEST_CASE("as many waiting calls begin as running ones end at once", "[async]") {
  MockServer server;
  std::vector<Gate> gates(4);
  std::atomic<std::size_t> asked{0};
  server.set_handler([&](const HttpRequest& request) {
    return asks(request, "quick") ? Reply::json(answer_of("Quick.")) : held_back(gates[asked++]);
  });
  const auto loop = std::make_shared<EventLoop>(inferwire::EventLoopOptions{.max_calls_per_host = 2});
  const auto client = client_of(server, {.loop = loop});
  std::vector<Pending<chat::Response>> calls;
  for (std::size_t i = 0; i < gates.size(); ++i) calls.push_back(client.chat.start(hello));
  REQUIRE(server.wait_for_requests(2));

  // Both answers are ready when the loop looks next.
  BusyLoop busy(server, loop);
  gates[0].open();
  gates[1].open();
  CHECK(eventually([&] { return inferwire_test::answered(server) == 3; }));
  busy.go_on();
  CHECK(server.wait_for_requests(5));  // including the one to the other host
  gates[2].open();
  gates[3].open();
  for (auto& call : calls) CHECK(call.get());
}

TEST_CASE("a new call does not overtake one that waits for its turn", "[async]") {
  Gate gate;
  MockServer server;
  server.set_handler([&](const HttpRequest& request) {
    return asks(request, "first") ? held_back(gate) : Reply::json(answer_of("Quick."));
  });
  const auto loop = std::make_shared<EventLoop>(inferwire::EventLoopOptions{.max_calls_per_host = 1});
  const auto client = client_of(server, {.loop = loop});
  const auto ask = [&client](const char* text) {
    return client.chat.start({.model = "m", .messages = {chat::user(text)}});
  };
  auto first = ask("first");
  REQUIRE(server.wait_for_requests(1));
  auto waiting = ask("waiting");
  CHECK_FALSE(waiting.wait_for(1ms));

  // The answer and the new call are ready when the loop looks next.
  BusyLoop busy(server, loop);
  gate.open();
  CHECK(eventually([&] { return inferwire_test::answered(server) == 2; }));
  auto late = ask("late");
  busy.go_on();
  for (auto* const call : {&first, &waiting, &late}) CHECK(call->get());
  const auto asked = server.requests();
  REQUIRE(asked.size() == 4);
  CHECK(asked[2].body.text().find("waiting") != std::string::npos);
}

TEST_CASE("a call that waits for its turn can be cancelled and can run out of time", "[async]") {
  const Gate never;
  AnsweringServer server(held_back(never));
  const auto loop = std::make_shared<EventLoop>(inferwire::EventLoopOptions{.max_calls = 1});
  const auto client = client_of(server, {.loop = loop});
  auto running = client.chat.start(hello);
  REQUIRE(server.wait_for_requests(1));
  auto late = client.chat.start(hello, {.timeouts = {.overall = 20ms}});
  auto unwanted = client.chat.start(hello);
  const auto missed = late.get();
  CHECK(missed.error().timer == "overall");
  CHECK(missed.error().detail ==
        "the timer overall fired after 20 ms before the first attempt; it waited for its turn among the "
        "calls of "
        "its loop");
  for (const auto& never_waited :
       {client.chat.create(hello, {.deadline = std::chrono::steady_clock::now() - 1s}),
        client.chat.start(hello, {.deadline = std::chrono::steady_clock::now() - 1s}).get()}) {
    CHECK(never_waited.error().timer == "overall");
    CHECK(never_waited.error().detail.ends_with("before the first attempt"));
  }
  unwanted.cancel();
  CHECK(unwanted.get().error().kind == ErrorKind::cancelled);
  CHECK(server.requests().size() == 1);
  auto next = client.chat.start(hello);
  running.cancel();
  CHECK(server.wait_for_requests(2));
}

TEST_CASE("a call that is cancelled before the loop has begun it is not sent", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto loop = std::make_shared<EventLoop>();
  const auto client = client_of(server, {.loop = loop});
  BusyLoop busy(server, loop);
  inferwire::CancelSource source;
  Pending<chat::Response> calls[] = {client.chat.start(hello),
                                     client.chat.start(hello, {.cancel = source.token()})};
  AsyncStream<chat::Chunk> streams[] = {client.chat.open(hello),
                                        client.chat.open(hello, {.cancel = source.token()})};
  Baton<Result<void>> ends[2];
  for (std::size_t i = 0; i < 2; ++i) {
    streams[i].listen([](const chat::Chunk&) { FAIL_CHECK("it is not sent"); },
                      [&end = ends[i]](Result<void> outcome) { end.pass(std::move(outcome)); });
  }
  calls[0].cancel();
  streams[0].cancel();
  source.cancel();
  busy.go_on();
  for (auto& call : calls) CHECK(call.get().error().kind == ErrorKind::cancelled);
  for (auto& end : ends) CHECK(end.take().error().kind == ErrorKind::cancelled);
  CHECK(server.requests().size() == 1);
}

TEST_CASE("max_calls = 0 refuses every call with Error{config}", "[async]") {
  for (const inferwire::EventLoopOptions& none :
       {inferwire::EventLoopOptions{.max_calls = 0}, inferwire::EventLoopOptions{.max_calls_per_host = 0}}) {
    const Client client({.base_url = "http://127.0.0.1:1",
                         .credential = Credential::none(),
                         .loop = std::make_shared<EventLoop>(none)});
    auto call = client.chat.start(hello);
    REQUIRE(call.wait_for(10s));
    const auto refused = call.get();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::config);
    CHECK(refused.error().detail.find("is 0") != std::string::npos);
  }
}

TEST_CASE("the turn of a call that is cancelled goes to the next one", "[async]") {
  const Gate never;
  MockServer server;
  server.set_handler([&](const HttpRequest& request) {
    return asks(request, "quick") ? Reply::json(answer_of("Quick.")) : held_back(never);
  });
  const auto loop = std::make_shared<EventLoop>(inferwire::EventLoopOptions{.max_calls_per_host = 1});
  const auto client = client_of(server, {.loop = loop});
  auto running = client.chat.start(hello);
  REQUIRE(server.wait_for_requests(1));
  auto second = client.chat.start(hello);
  const auto third = client.chat.start(hello);

  // The loop sees both cancellations at once.
  BusyLoop busy(server, loop);
  running.cancel();
  second.cancel();
  busy.go_on();
  CHECK(server.wait_for_requests(3));  // the first, the one to the other host, and the third
}
