/// \file
/// The client over real sockets under faults: silence, cuts, wrong lengths, cancellation.

#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/answering_server.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/mock_calls.hpp"
#include "support/shortest.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

using SteadyClock = std::chrono::steady_clock;

const std::string answer = answer_of("Hi.");

}  // namespace

TEST_CASE("a stream over a socket arrives whole") {
  MockServer server;
  server.push(inferwire_test::whole_stream({"one ", "two"}));
  auto stream = Client(options_for(server)).chat.stream(hello);
  const auto collected = stream.collect();
  CHECK(collected);
  CHECK(collected.response.text() == "one two");
  CHECK(stream.end_reason() == EndReason::done);
  CHECK(stream.info().events == 3);
  CHECK(stream.info().head.status == 200);
}

TEST_CASE(
    "a server that falls silent ends in a timeout that names the idle timer, with the partial answer kept") {
  MockServer server;
  server.push(unfinished_stream({chunk("one")}));
  auto options = options_for(server);
  options.timeouts.idle = 500ms;
  const auto collected = Client(options).chat.stream(hello).collect();
  REQUIRE_FALSE(collected);
  CHECK(collected.error->kind == ErrorKind::timeout);
  CHECK(collected.error->timer == "idle");
  CHECK(collected.error->status == 200);
  CHECK_THAT(collected.error->detail, contains("1 event"));
  CHECK(collected.response.text() == "one");
  CHECK(server.wait_for_close(1));
}

TEST_CASE("a server that never answers ends in a timeout that names the first byte's timer") {
  AnsweringServer server(Reply::silence());
  auto options = options_for(server);
  options.timeouts.first_byte = 60ms;
  const Client client(options);
  const auto reply = client.chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().timer == "first_byte");
  options.timeouts = {.total = 60ms};
  const auto bounded = Client(options).chat.create(hello);
  REQUIRE_FALSE(bounded);
  CHECK(bounded.error().timer == "total");
}

TEST_CASE("total ends an answer that trickles in") {
  MockServer server;
  Reply reply = Reply::json("");
  for (int i = 0; i < 10'000; ++i) reply.body.push_back({.bytes = " ", .delay = 2ms});
  server.push(reply);
  auto options = options_for(server);
  options.timeouts.total = 80ms;
  const auto got = Client(options).chat.create(hello);
  REQUIRE_FALSE(got);
  CHECK(got.error().timer == "total");
}

TEST_CASE("destroying a stream while the server is silent returns at once and closes the socket") {
  MockServer server;
  const Client client(options_for(server));
  std::size_t closed = 0;
  const auto took = shortest(50ms, [&] {
    server.push(unfinished_stream({chunk("one")}));
    auto stream = client.chat.stream(hello);
    auto* first = stream.next();
    REQUIRE(first != nullptr);
    CHECK((*first)->text() == "one");
    const auto time = time_of([&] { const auto doomed = std::move(stream); });
    CHECK(server.wait_for_close(++closed));
    return time;
  });
  CHECK(took < 50ms);
}

TEST_CASE("cancelling from another thread ends a call that waits, and keeps what had arrived") {
  MockServer server;
  std::size_t closed = 0;
  const auto took = shortest(50ms, [&] {
    server.push(unfinished_stream({chunk("one")}));
    inferwire::CancelSource source;
    auto stream = Client(options_for(server)).chat.stream(hello, {.cancel = source.token()});
    REQUIRE(stream.next() != nullptr);
    SteadyClock::time_point cancelled;
    std::thread other([&] {
      cancelled = SteadyClock::now();
      source.cancel();
    });
    const auto collected = stream.collect();
    const auto time = SteadyClock::now() - cancelled;
    other.join();
    REQUIRE_FALSE(collected);
    CHECK(collected.error->kind == ErrorKind::cancelled);
    CHECK(server.wait_for_close(++closed));
    return time;
  });
  CHECK(took < 50ms);
}

TEST_CASE("a reset on a reused connection is retried without a policy, on a new one it is an error") {
  for (const bool kept : {true, false}) {
    CAPTURE(kept);
    MockServer server;
    server.push(kept ? Reply::json(answer) : Reply::json(answer).with("Connection", "close"));
    server.push(Reply::reset());
    server.push(Reply::json(answer));
    const Client client(options_for(server));
    REQUIRE(client.chat.create(hello));
    CHECK(client.chat.create(hello).has_value() == kept);
    CHECK(server.remaining() == (kept ? 0 : 1));
  }
}

TEST_CASE("a body that is cut in the middle is a broken connection, not an answer") {
  MockServer server;
  server.push(Reply::json(answer).cut_after(40));
  const auto reply = Client(options_for(server)).chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::connection);
  CHECK(reply.error().status == 200);
}

TEST_CASE("a stream whose connection breaks gives what had arrived and the reason") {
  for (const auto ending : {Ending::cut, Ending::reset}) {
    MockServer server;
    server.push(unfinished_stream({chunk("one")}, ending));
    auto stream = Client(options_for(server)).chat.stream(hello);
    const auto collected = stream.collect();
    REQUIRE_FALSE(collected);
    CHECK(collected.error->kind == ErrorKind::connection);
    CHECK(stream.end_reason() == EndReason::failed);
    // A reset may discard the bytes before it.
    if (ending == Ending::cut) CHECK(collected.response.text() == "one");
    CHECK(server.requests().size() == 1);
  }
}

TEST_CASE("a Content-Length of 5 GiB is refused before it is read") {
  MockServer server;
  auto reply = Reply::json("{");
  reply.claimed_length = 5ull << 30;
  reply.ending = Ending::silence;
  server.push(reply);
  const auto got = Client(options_for(server)).chat.create(hello);
  REQUIRE_FALSE(got);
  CHECK(got.error().kind == ErrorKind::too_large);
}

TEST_CASE("an event larger than max_event_bytes is Error{too_large} after the elements before it") {
  MockServer server;
  server.push(Reply::stream({chunk("one"), chunk(std::string(5000, 'x')), done}));
  auto options = options_for(server);
  options.max_event_bytes = 4096;
  const auto collected = Client(options).chat.stream(hello).collect();
  REQUIRE_FALSE(collected);
  CHECK(collected.error->kind == ErrorKind::too_large);
  CHECK(collected.response.text() == "one");
}

TEST_CASE("a port nobody listens on is named in the error") {
  std::string url;
  {
    const MockServer gone;
    url = gone.url();
  }
  const auto reply =
      Client({.base_url = url, .api_key = "sk-secret", .retry = inferwire::RetryPolicy::none()})
          .chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::connection);
  CHECK_THAT(reply.error().message(), contains("127.0.0.1"));
  CHECK(reply.error().message().find("secret") == std::string::npos);
}

TEST_CASE("calls one after the other share a connection, streams read to their end included") {
  MockServer server;
  server.set_handler([](const inferwire::HttpRequest& request) {
    const bool stream = request.body.text().find("\"stream\":true") != std::string::npos;
    if (!stream) return Reply::json(answer);
    auto reply = Reply::stream({chunk("one", "\"stop\""), done});
    // A last HTTP chunk could arrive after the next call has begun, which would then open another connection.
    reply.framing = inferwire::testing::BodyFraming::content_length;
    return reply;
  });
  const Client client(options_for(server));
  for (int i = 0; i < 100; ++i) {
    CHECK(client.chat.create(hello));
    CHECK(client.chat.stream(hello).collect());
  }
  CHECK(server.requests().size() == 200);
  CHECK(server.connections() == 1);
}

TEST_CASE("two streams may be read in turns on one thread") {
  MockServer server;
  for (int i = 0; i < 2; ++i) {
    server.push(Reply::stream({chunk("a"), chunk("b"), chunk("c", "\"stop\""), done}));
  }
  const Client client(options_for(server));
  auto left = client.chat.stream(hello);
  auto right = client.chat.stream(hello);
  std::string text;
  for (;;) {
    auto* l = left.next();
    auto* r = right.next();
    if (l == nullptr || r == nullptr) break;
    REQUIRE(*l);
    REQUIRE(*r);
    text += (*l)->text() + (*r)->text();
  }
  CHECK(text == "aabbcc");
}

TEST_CASE("one client serves several threads") {
  AnsweringServer server(Reply::json(answer));
  const Client client(options_for(server));
  std::vector<std::thread> threads;
  std::vector<int> answers(4);
  for (std::size_t t = 0; t < answers.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) answers[t] += client.chat.create(hello) ? 1 : 0;
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(answers == std::vector<int>(4, 25));
  CHECK(server.connections() <= 4);
}

TEST_CASE("the User-Agent names the library, libcurl and the caller's user_agent") {
  AnsweringServer server(Reply::json(answer));
  auto options = options_for(server);
  options.user_agent = "my-app/1.2";
  REQUIRE(Client(options).chat.create(hello));
  const auto requests = server.requests();
  const auto agent = std::string(find_header(requests.at(0).headers, "user-agent").value_or(""));
  CHECK(agent.starts_with("inferwire/"));
  CHECK_THAT(agent, contains("; ") && contains(") libcurl/"));
  CHECK(agent.ends_with(" my-app/1.2"));
}
