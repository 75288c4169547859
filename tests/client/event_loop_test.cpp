/// \file
/// A loop, its clock, and the clients that join and leave it.

#include "inferwire/inferwire.hpp"
#include "inferwire/testing/manual_clock.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/answering_server.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/mock_calls.hpp"
#include "support/signal_mask.hpp"
#include "support/thread_stacks.hpp"
#include "support/token_source.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
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

#if defined(__unix__) || defined(__APPLE__)
TEST_CASE("the loop's thread blocks signals, but not SIGSEGV", "[async]") {
  const auto script = std::make_shared<inferwire::testing::ScriptTransport>();
  script->push(Reply::json(answer_of("Hi.")));
  const Client client({.base_url = "http://script.test/v1", .transport = script});
  Baton<std::pair<bool, bool>> blocked;
  client.chat.start(hello).then([&](Result<chat::Response>) {
    blocked.pass({blocks({SIGTERM, SIGINT, SIGALRM, SIGCHLD, SIGUSR1}), blocks({SIGSEGV})});
  });
  CHECK(blocked.take() == std::pair(true, false));
  CHECK_FALSE(blocks({SIGTERM}));
}
#endif

#ifdef __linux__
TEST_CASE("a call without a thread for its loop may be retried", "[async]") {
  const auto script = std::make_shared<inferwire::testing::ScriptTransport>();
  script->push(Reply::json(answer_of("Hi.")));
  const Client client({.base_url = "http://script.test/v1", .transport = script});
  {
    const ThreadStacks none(stack_of_none);
    const auto reply = client.chat.start(hello).get();
    REQUIRE_FALSE(reply);
    CHECK(reply.error().retryable);
    CHECK_THAT(reply.error().detail, contains("the event loop has no thread: "));
  }
  CHECK(client.chat.start(hello).get());
}
#endif

TEST_CASE("a ManualClock serves calls with and without sockets", "[async]") {
  const auto clock = std::make_shared<inferwire::testing::ManualClock>();
  SECTION("the wait before a retry over a socket") {
    MockServer server;
    server.push(Reply::error(503));
    server.push(Reply::json(answer_of("Hi.")));
    const auto reply = client_of(server, {.clock = clock}).chat.start(hello).get();
    REQUIRE(reply);
    CHECK(reply->text() == "Hi.");
    CHECK(server.requests().size() == 2);
  }
  SECTION("the timeouts of two silent calls without sockets") {
    const auto script = std::make_shared<inferwire::testing::ScriptTransport>(clock);
    const auto reply = GENERATE(
        Reply::json(answer_of("Never.")).cut_after(0, inferwire::testing::Ending::silence), Reply::silence());
    for (int i = 0; i < 2; ++i) script->push(reply);
    const Client client({.base_url = "http://script.test/v1",
                         .timeouts = {.total = 60s},
                         .retry = inferwire::RetryPolicy::none(),
                         .transport = script,
                         .clock = clock});
    std::vector<Pending<chat::Response>> calls;
    for (int i = 0; i < 2; ++i) calls.push_back(client.chat.start(hello));
    for (auto& call : calls) CHECK(call.get().error().timer == "total");
  }
}

TEST_CASE("a loop does not wait for the timers of calls that are over", "[async]") {
  const auto clock = std::make_shared<inferwire::testing::ManualClock>();  // jumps to where the loop waits
  const auto script = std::make_shared<inferwire::testing::ScriptTransport>(clock);
  script->set_handler([](const HttpRequest&) { return Reply::json(answer_of("Hi.")); });
  const Client client({.base_url = "http://script.test/v1", .transport = script, .clock = clock});
  const auto before = clock->now();
  for (int i = 0; i < 20; ++i) CHECK(client.chat.start(hello).get());
  CHECK(clock->now() - before < 1s);
}

TEST_CASE("a call without a socket times out on a loop that has used sockets", "[async]") {
  const auto clock = std::make_shared<inferwire::testing::ManualClock>();
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto loop = std::make_shared<inferwire::EventLoop>(inferwire::EventLoopOptions{.clock = clock});
  const auto over_sockets = client_of(server, {.loop = loop});
  REQUIRE(over_sockets.chat.start(hello).get());
  const auto script = std::make_shared<inferwire::testing::ScriptTransport>(clock);
  script->push(Reply::json(answer_of("Never.")).cut_after(0, inferwire::testing::Ending::silence));
  const Client silent({.base_url = "http://script.test/v1",
                       .timeouts = {.total = 60s},
                       .retry = inferwire::RetryPolicy::none(),
                       .transport = script,
                       .loop = loop});
  CHECK(silent.chat.start(hello).get().error().timer == "total");
}

TEST_CASE("ManualClock::advance fires the timeout of a call over a socket", "[async]") {
  const auto clock =
      std::make_shared<inferwire::testing::ManualClock>(inferwire::testing::ManualClock::Mode::by_hand);
  const Gate gate;
  MockServer server;
  for (int i = 0; i < 2; ++i) server.push(held_back(gate));
  const auto client = client_of(
      server, {.timeouts = {.total = 60s}, .retry = inferwire::RetryPolicy::none(), .clock = clock});
  const auto time_passes = [&](std::size_t requests) {
    CHECK(server.wait_for_requests(requests));
    clock->advance(61s);
  };
  auto pending = client.chat.start(hello);
  time_passes(1);
  CHECK(pending.get().error().timer == "total");
  std::thread test(time_passes, 2);
  CHECK(client.chat.create(hello).error().timer == "total");
  test.join();
}

TEST_CASE("a blocking call on the loop's thread that needs a token from the loop is an error", "[async]") {
  Gate tokens;
  MockServer server;
  server.set_handler([&](const HttpRequest& request) {
    return request.url.ends_with("/token") ? held_back(tokens) : Reply::json(answer_of("Hi."));
  });
  const auto loop = std::make_shared<EventLoop>();
  const auto other = client_of(server, {.loop = loop});
  const auto client = client_of(
      server, {.credential = Credential::refreshing(std::make_unique<TokenSource>(server.url() + "/token")),
               .timeouts = {.overall = 10s},
               .loop = loop});
  auto first = client.chat.start(hello);
  REQUIRE(server.wait_for_requests(1));
  Baton<std::vector<std::string>> baton;
  other.chat.start(hello).then([&](Result<chat::Response>) {
    std::vector<std::string> seen;
    if (const auto reply = client.chat.create(hello); !reply) seen.emplace_back(name(reply.error().kind));
    for (const auto& chunk : client.chat.stream(hello)) {
      if (!chunk) seen.emplace_back(name(chunk.error().kind));
    }
    if (other.chat.create(hello)) seen.emplace_back("needs no token");
    baton.pass(std::move(seen));
  });
  CHECK(baton.take() == std::vector<std::string>{"config", "config", "needs no token"});
  auto elsewhere = std::thread([&] { CHECK(client.chat.create(hello)); });
  tokens.open();
  CHECK(first.get());
  elsewhere.join();
}

TEST_CASE("a blocking call on the loop's thread waits for a token that another thread fetches", "[async]") {
  Gate of_loop;
  Gate tokens;
  MockServer server;
  server.set_handler([&](const HttpRequest& request) {
    if (request.url.ends_with("/of-loop")) return held_back(of_loop);
    return request.url.ends_with("/token") ? held_back(tokens) : Reply::json(answer_of("Hi."));
  });
  const auto loop = std::make_shared<EventLoop>();
  const auto client_with_token_of = [&](const std::string& path) {
    return client_of(
        server, {.credential = Credential::refreshing(std::make_unique<TokenSource>(server.url() + path)),
                 .timeouts = {.overall = 10s},
                 .loop = loop});
  };
  const auto on_loop = client_with_token_of("/of-loop");
  const auto client = client_with_token_of("/token");
  auto first = on_loop.chat.start(hello);
  auto elsewhere = std::thread([&] { CHECK(client.chat.create(hello)); });
  REQUIRE(server.wait_for_requests(2));
  const auto other = client_of(server, {.loop = loop});
  Baton<Result<chat::Response>> baton;
  other.chat.start(hello).then([&](Result<chat::Response>) {
    baton.pass(client.chat.create(hello, {.timeouts = {.overall = 50ms}}));
  });
  const auto late = baton.take();
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == ErrorKind::timeout);
  tokens.open();
  of_loop.open();
  elsewhere.join();
  CHECK(first.get());
}

TEST_CASE("a request that is larger than the buffers of a socket is sent by the loop", "[async]") {
  MockServer server;
  server.push(Reply::json(answer_of("Hi.")));
  const auto client = client_of(server);
  const std::string text(20'000'000, 'x');
  const chat::Request request{.model = "m", .messages = {chat::user(text)}};
  REQUIRE(client.chat.start(request, {.timeouts = {.total = 10s}}).get());
  CHECK(server.requests().at(0).body.size() > text.size());
}

TEST_CASE("destroying the last handle of a client cancels its calls", "[async]") {
  const Gate never;
  AnsweringServer server(held_back(never));
  std::atomic<int> cancelled{0};
  {
    const auto client = client_of(server);
    const auto copy = client;
    for (int i = 0; i < 4; ++i) {
      copy.chat.start(hello).then([&](Result<chat::Response> reply) {
        if (!reply && reply.error().kind == ErrorKind::cancelled) ++cancelled;
      });
    }
    REQUIRE(server.wait_for_requests(4));
    CHECK(cancelled == 0);
  }
  CHECK(cancelled == 4);
  CHECK(server.wait_for_close(4));
}

TEST_CASE("a Pending keeps its client alive", "[async]") {
  const Gate gate;
  MockServer server;
  server.push(held_back(gate));
  auto pending = client_of(server).chat.start(hello);
  REQUIRE(server.wait_for_requests(1));
  Gate(gate).open();
  CHECK(pending.get()->text() == "Late.");
}

TEST_CASE("the last handle of a client may be destroyed on the loop's thread", "[async]") {
  MockServer server;
  server.push(Reply::json(answer_of("Hi.")));
  auto baton = std::make_shared<Baton<int>>();
  {
    auto client = std::make_shared<Client>(client_of(server));
    auto& chat = client->chat;
    chat.start(hello).then([client = std::move(client), baton](Result<chat::Response>) mutable {
      client.reset();
      baton->pass(1);
    });
  }
  CHECK(baton->take() == 1);
}

TEST_CASE("a client that leaves a shared loop cancels its own calls only", "[async]") {
  MockServer one;
  MockServer two;
  const Gate never;
  one.set_handler([&](const HttpRequest&) { return held_back(never); });
  two.set_handler([](const HttpRequest&) { return Reply::json(answer_of("Two.")); });
  const auto loop = std::make_shared<EventLoop>();
  const auto second = client_of(two, {.loop = loop});
  std::atomic<int> cancelled{0};
  {
    const auto first = client_of(one, {.loop = loop});
    first.chat.start(hello).then([&](Result<chat::Response> reply) { cancelled += reply ? 0 : 1; });
    REQUIRE(one.wait_for_requests(1));
    CHECK(second.chat.start(hello).get()->text() == "Two.");
  }
  CHECK(cancelled == 1);
  CHECK(second.chat.start(hello).get()->text() == "Two.");
}

TEST_CASE("a client destroyed on the loop's thread leaves the next client's calls alone", "[async]") {
  AnsweringServer server(Reply::json(answer_of("Hi.")));
  const auto loop = std::make_shared<EventLoop>();
  const auto stays = client_of(server, {.loop = loop});
  std::optional<Client> leaves;
  Baton<int> made;
  stays.chat.start(hello).then([&](Result<chat::Response>) {
    leaves.emplace(client_of(server, {.loop = loop}));  // on this thread, so that its memory is reused
    made.pass(1);
  });
  made.take();
  REQUIRE(leaves->chat.start(hello).get());
  Baton<Pending<chat::Response>> baton;
  stays.chat.start(hello).then([&](Result<chat::Response>) {
    leaves.reset();
    baton.pass(client_of(server, {.loop = loop}).chat.start(hello));  // most likely at the same address
  });
  const auto reply = baton.take().get();
  CHECK((reply ? reply->text() : reply.error().message()) == "Hi.");
}
