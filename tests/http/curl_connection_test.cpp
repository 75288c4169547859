// Tests which connections are reused, and which are not.
#include "http/curl_calls.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/answering_server.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/http_call.hpp"
#include "support/quiet_listener.hpp"
#include "support/raw_socket.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;
using inferwire::http::make_curl_transport;

namespace {

HttpRequest post_to(const MockServer& server) { return {.url = server.url() + "/v1/chat", .body = "{}"}; }

/// Reads a stream until its [DONE], then releases it.
void stream_until_done(inferwire::Transport& transport, const MockServer& server) {
  RecordingSink sink;
  auto exchange = transport.start(post_to(server), sink, {});
  REQUIRE(exchange);
  REQUIRE(drive_until(**exchange, [&] { return sink.body.find("[DONE]") != sink.body.npos; }));
  (*exchange)->release();
}

/// Makes the transport keep `count` connections to the server.
void keep_connections(inferwire::Transport& transport, MockServer& server, std::size_t count) {
  Gate all_are_there;
  server.set_handler([all_are_there](const HttpRequest&) {
    return Reply{.body = {{.bytes = "{}", .gate = all_are_there}}};
  });
  std::vector<RecordingSink> sinks(count);
  std::vector<std::unique_ptr<inferwire::Exchange>> burst;
  for (auto& sink : sinks) burst.push_back(*transport.start(post_to(server), sink, {}));
  while (server.requests().size() < count) {
    for (auto& exchange : burst) exchange->drive(std::chrono::steady_clock::now() + 1ms);
  }
  all_are_there.open();
  for (auto& exchange : burst) {
    while (exchange->drive(inferwire::TimePoint::max()) != inferwire::Progress::ended) continue;
  }
  REQUIRE(server.connections() == count);
}

}  // namespace

TEST_CASE("calls one after the other use one connection") {
  AnsweringServer server;
  const auto transport = make_curl_transport();
  for (int i = 0; i < 100; ++i) REQUIRE(call(*transport, post_to(server)).body == "{}");
  REQUIRE(server.connections() == 1);
}

TEST_CASE("an answer with an error status keeps its connection") {
  AnsweringServer server(Reply::json("{}", 429));
  const auto transport = make_curl_transport();
  for (int i = 0; i < 10; ++i) REQUIRE(call(*transport, post_to(server)).head->status == 429);
  REQUIRE(server.connections() == 1);
}

TEST_CASE("a stream that was left at its end marker keeps its connection") {
  const bool many = GENERATE(false, true);
  CAPTURE(many);
  AnsweringServer server(Reply::stream({"data: 1\n\n", "data: [DONE]\n\n"}));
  const auto door = curl_door(many);
  for (int i = 0; i < 20; ++i) stream_until_done(*door, server);
  REQUIRE(call(*door, post_to(server)).body.ends_with("[DONE]\n\n"));
  REQUIRE(server.connections() <= 2);  // occasionally the last chunk arrives too late
}

TEST_CASE("the late end of a stream is read before its connection is used again") {
  Gate last;
  MockServer server;
  auto reply = Reply::stream({"data: [DONE]\n\n"});
  reply.body.push_back({.bytes = ": bye\n\n", .gate = last});
  server.push(reply);
  server.push(Reply::json("{}"));
  server.push(Reply::json("{}"));
  const auto transport = make_curl_transport();
  stream_until_done(*transport, server);
  REQUIRE(call(*transport, post_to(server)).body == "{}");  // over another connection
  REQUIRE(server.connections() == 2);
  last.open();
  REQUIRE(call(*transport, post_to(server)).body == "{}");
  REQUIRE(server.connections() == 2);
  REQUIRE(server.closed_by_client() == 0);
}

TEST_CASE("a stream that goes on after its end marker has its connection closed") {
  const bool flood = GENERATE(true, false);  // beyond the limit of bytes, or of time
  Gate rest;
  MockServer server;
  auto reply = Reply::stream({"data: [DONE]\n\n"});
  if (flood) reply.body.push_back({.bytes = std::string(1u << 20, 'x'), .gate = rest});
  reply.ending = Ending::silence;
  server.push(reply);
  server.set_handler([](const HttpRequest&) { return Reply::json("{}"); });
  const auto transport = make_curl_transport();
  stream_until_done(*transport, server);
  rest.open();
  const auto limit = std::chrono::steady_clock::now() + 10s;
  while (server.closed_by_client() == 0 && std::chrono::steady_clock::now() < limit) {
    call(*transport, post_to(server));
  }
  REQUIRE(server.closed_by_client() == 1);
  REQUIRE(server.connections() == 2);
}

TEST_CASE("destroying an exchange before its end closes the connection") {
  MockServer server;
  auto reply = Reply::stream({"data: 1\n\n"});
  reply.ending = Ending::silence;
  server.push(reply);
  server.push(Reply::json("{}"));
  const auto transport = make_curl_transport();
  {
    RecordingSink sink;
    auto exchange = transport->start(post_to(server), sink, {});
    REQUIRE(exchange);
    REQUIRE(drive_until(**exchange, [&] { return !sink.body.empty(); }));
  }
  REQUIRE(server.wait_for_close(1));
  REQUIRE(call(*transport, post_to(server)).body == "{}");
  REQUIRE(server.connections() == 2);
}

TEST_CASE("a connection that the server closed while it was idle is replaced without an error") {
  MockServer server;
  const auto transport = make_curl_transport();
  for (int i = 0; i < 5; ++i) {
    // The answer is complete, then the connection ends, as at a server's idle timeout.
    server.push(Reply::bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"));
    const auto sink = call(*transport, post_to(server));
    REQUIRE_FALSE(sink.error);
    REQUIRE(sink.calls == "cshbe");
  }
}

TEST_CASE("a request is not resent when a reused connection breaks a second after it was sent") {
  const bool many = GENERATE(false, true);
  const auto ending = GENERATE(Ending::reset, Ending::cut);
  CAPTURE(many, ending == Ending::cut);
  MockServer server;
  server.push(Reply::json("{}"));
  server.push({.ending = ending, .head_delay = 1100ms});
  server.push(Reply::json("again"));
  const auto door = curl_door(many);
  REQUIRE(call(*door, post_to(server)).body == "{}");
  const auto sink = call(*door, post_to(server));
  CHECK(sink.calls == "cse");
  REQUIRE(sink.error);
  CHECK(sink.error->kind == inferwire::ErrorKind::connection);
  CHECK(sink.error->retryable);
  CHECK_THAT(sink.error->detail, inferwire_test::contains("broke without an answer after 1"));
  CHECK(server.requests().size() == 2);
  CHECK(call(*door, post_to(server)).body == "again");
}

TEST_CASE("a request whose reused connection breaks is resent once, on a new connection") {
  const auto transport = make_curl_transport();
  const auto multiplexer = transport->multiplexer();
  MockServer server;
  keep_connections(*multiplexer, server, 3);
  server.set_handler([](const HttpRequest&) { return Reply::bytes(""); });
  const auto sink = call(*multiplexer, post_to(server));
  REQUIRE(sink.error);
  CHECK(sink.error->kind == inferwire::ErrorKind::connection);
  CHECK(sink.error->retryable);
  CHECK(server.requests().size() == 3 + 2);
  CHECK(server.connections() == 3 + 1);
}

TEST_CASE("a reused connection that breaks is replaced by a new one, as often as that happens") {
  const bool many = GENERATE(false, true);
  const auto ending = GENERATE(Ending::reset, Ending::cut);
  CAPTURE(many, ending == Ending::cut);
  MockServer server;
  const auto door = curl_door(many);
  keep_connections(*door, server, 8);
  for (int i = 0; i < 15; ++i) {
    server.push({.ending = ending});
    server.push(Reply::json("{}"));
    REQUIRE(call(*door, post_to(server)).calls == "cshbe");
  }
  CHECK(server.connections() == 8 + 15);
}

TEST_CASE("a request is not resent when a reused connection breaks inside its answer") {
  const bool many = GENERATE(false, true);
  const bool in_head = GENERATE(false, true);
  CAPTURE(many, in_head);
  MockServer server;
  server.push(Reply::json("{}"));
  server.push(
      {.ending = Ending::reset,
       .raw = in_head ? "HTTP/1.1 200 OK\r\nContent-" : "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"});
  const auto door = curl_door(many);
  REQUIRE(call(*door, post_to(server)).body == "{}");
  const auto sink = call(*door, post_to(server));
  CHECK(sink.calls == (in_head ? "cse" : "cshbe"));
  REQUIRE(sink.error);
  CHECK(sink.error->cause == inferwire::ErrorCause::broken);
  CHECK(server.requests().size() == 2);
}

TEST_CASE("a long request is resent when its reused connection breaks while it is sent") {
  const bool many = GENERATE(false, true);
  CAPTURE(many);
  const inferwire_test::QuietListener listener;
  std::promise<void> breaks;
  std::thread server([&] {
    const auto answer = [](RawSocket& connection) {
      connection.read_until("}");
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    };
    {
      auto first = RawSocket::owning(listener.accept());
      answer(first);
      breaks.get_future().wait();
      first.reset_at_close();
    }
    auto second = RawSocket::owning(listener.accept());
    answer(second);
    second.read();
  });
  RecordingSink sink;
  {
    const std::string url = "http://" + listener.place() + "/";
    const auto transport = make_curl_transport();
    const auto multiplexer = transport->multiplexer();
    auto& door = many ? static_cast<inferwire::Transport&>(*multiplexer) : *transport;
    CHECK(call(door, {.url = url, .body = "{}"}).body == "{}");
    const auto exchange = *door.start({.url = url, .body = std::string(16u << 20, ' ') + "}"}, sink, {});
    CHECK(drive_until(*exchange, [&] { return sink.steps_of_sending > 0; }));
    exchange->pause();  // libcurl notices by sending that the connection broke, not by reading
    sink.at_sent = [&] { exchange->resume(); };
    breaks.set_value();
    CHECK(drive_until(*exchange, [&] { return sink.ended(); }));
  }
  listener.stop();  // in vain unless the server waits for a second connection that never came
  server.join();
  CHECK_FALSE(sink.error);
  CHECK(sink.calls == "cshbe");
}

TEST_CASE("the connect limit holds for the connection that replaces a dead one") {
  inferwire_test::QuietListener listener(0);
  const auto transport = make_curl_transport();
  const HttpRequest request{.url = "http://" + listener.place() + "/", .body = "{}"};
  std::thread server([&] {
    auto connection = RawSocket::owning(listener.accept());
    CHECK_FALSE(connection.read().empty());
    CHECK(connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"));
    CHECK_FALSE(connection.read().empty());
    listener.fill();
    connection.reset_at_close();
  });
  REQUIRE(call(*transport, request).body == "{}");
  const auto sink = call(*transport, request, {.connect = 200ms});
  server.join();
  REQUIRE(sink.error);
  CHECK(sink.error->kind == inferwire::ErrorKind::timeout);
  CHECK(sink.error->timer == "connect");
}

TEST_CASE("an answer that came before its request is not taken") {
  const bool many = GENERATE(false, true);
  const auto version =
      GENERATE(inferwire::HttpVersion::http1, inferwire::HttpVersion::http2);  // without TLS: HTTP/1.1
  CAPTURE(many, version == inferwire::HttpVersion::http2);
  inferwire_test::QuietListener listener;
  inferwire_test::Baton<bool> first_is_over;
  inferwire_test::Baton<bool> stale_is_sent;
  std::thread server([&] {
    const auto answer = [](std::string_view body) {
      return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
             std::string(body);
    };
    auto first = RawSocket::owning(listener.accept());
    CHECK_FALSE(first.read().empty());
    CHECK(first.write(answer("first")));
    first_is_over.take();
    CHECK(first.write(answer("stale")));
    stale_is_sent.pass(true);
    auto second = RawSocket::owning(listener.accept());
    CHECK_FALSE(second.read().empty());
    CHECK(second.write(answer("second")));
  });
  const auto door = curl_door(many, {.http_version = version});
  const HttpRequest request{.url = "http://" + listener.place() + "/", .body = "{}"};
  CHECK(call(*door, request).body == "first");
  first_is_over.pass(true);
  stale_is_sent.take();
  const auto sink = call(*door, request);
  server.join();
  CHECK(sink.calls == "cshbe");
  CHECK(sink.body == "second");
}

TEST_CASE("a head that begins with a folded line touches nothing of the answer before") {
  const auto folded =
      "HTTP/1.1 200 OK\r\n folded: " + std::string(200, 'y') + "\r\nContent-Length: 2\r\n\r\n{}";
  MockServer server;
  const auto transport = make_curl_transport();
  for (int i = 0; i < 10; ++i) {
    server.push(Reply::json("{}"));
    REQUIRE(call(*transport, post_to(server)).body == "{}");
    server.push(Reply::bytes(folded));
    const auto sink = call(*transport, post_to(server));
    CHECK((sink.error || sink.body == "{}"));  // newer libcurls may refuse it
    if (sink.head) CHECK(sink.head->headers.size() == 1);
  }
}

TEST_CASE("bytes that are no HTTP are retryable on a reused connection only") {
  for (const auto* bytes : {"late bytes of another body", "data: x\n\nHTTP/1.1 200 OK\r\n\r\n"}) {
    MockServer server;
    const auto transport = make_curl_transport();
    for (const bool used_before : {false, true}) {
      if (used_before) {
        server.push(Reply::json("{}"));
        REQUIRE(call(*transport, post_to(server)).body == "{}");
      }
      server.push(Reply::bytes(bytes));
      const auto sink = call(*transport, post_to(server));
      REQUIRE(sink.error);
      CHECK(sink.error->kind == inferwire::ErrorKind::connection);
      CHECK(sink.error->retryable == used_before);
    }
    CHECK(server.connections() == 2);
  }
}

TEST_CASE("20 hosts in turn keep a connection each") {
  std::vector<std::unique_ptr<MockServer>> servers;
  for (int i = 0; i < 20; ++i) {
    servers.push_back(std::make_unique<MockServer>());
    servers.back()->set_handler([](const HttpRequest&) { return Reply::json("{}"); });
  }
  const auto transport = make_curl_transport();
  for (int round = 0; round < 3; ++round) {
    for (const auto& server : servers) REQUIRE(call(*transport, post_to(*server)).body == "{}");
  }
  for (const auto& server : servers) CHECK(server->connections() == 1);
}

TEST_CASE("connections idle for longer than max_idle are closed by the next calls") {
  MockServer server;
  const auto transport = make_curl_transport({.max_idle = 1s});
  keep_connections(*transport, server, 10);
  server.set_handler([](const HttpRequest&) { return Reply::json("{}"); });
  const auto limit = std::chrono::steady_clock::now() + 10s;
  while (server.open_connections() > 1 && std::chrono::steady_clock::now() < limit) {
    REQUIRE(call(*transport, post_to(server)).body == "{}");
    std::this_thread::sleep_for(1ms);
  }
  CHECK(server.open_connections() == 1);
}

TEST_CASE("a multiplexer closes its connections once it has been idle for max_idle") {
  Gate answered;
  MockServer server;
  server.push({.body = {{"{}"}}, .head_gate = answered});
  server.push(Reply::json("{}"));
  const auto transport = make_curl_transport({.max_idle = 1s});
  const auto multiplexer = transport->multiplexer();
  {
    RecordingSink sink;
    const auto exchange = *multiplexer->start(post_to(server), sink, {});
    const auto later = std::chrono::steady_clock::now() + 1100ms;
    while (std::chrono::steady_clock::now() < later) multiplexer->run(later);
    answered.open();
    REQUIRE(drive_until(*exchange, [&] { return sink.ended(); }));
    CHECK(sink.body == "{}");
  }
  multiplexer->run(inferwire::TimePoint::min());
  CHECK(call(*multiplexer, post_to(server)).body == "{}");
  CHECK(server.connections() == 1);
  const auto limit = std::chrono::steady_clock::now() + 10s;
  while (server.closed_by_client() == 0 && std::chrono::steady_clock::now() < limit) {
    multiplexer->run(std::chrono::steady_clock::now() + 100ms);
  }
  CHECK(server.closed_by_client() == 1);
}

TEST_CASE("destroying the transport closes its idle connections") {
  MockServer server;
  server.push(Reply::json("{}"));
  {
    const auto transport = make_curl_transport();
    call(*transport, post_to(server));
    REQUIRE(server.closed_by_client() == 0);
  }
  REQUIRE(server.wait_for_close(1));
}

TEST_CASE("threads share a transport, with a connection each") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) { return Reply::json(request.body); });
  const auto transport = make_curl_transport();
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        RecordingSink sink;
        const auto body = std::to_string(t * 1000 + i);
        auto exchange = transport->start({.url = server.url() + "/", .body = body}, sink, {});
        if (!exchange) continue;
        drive_until(**exchange, [&] { return sink.ended(); });
        if (sink.body == body) ++right;
        if (i % 10 == 0) transport->wake();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  REQUIRE(right == 200);
  REQUIRE(server.connections() <= 4);
}

TEST_CASE("a large body comes in bounded pieces, and whole") {
  MockServer server;
  const std::string body(4u << 20, 'x');
  server.set_handler([&](const HttpRequest&) { return Reply::stream({body}); });
  const auto transport = make_curl_transport();
  RecordingSink sink;
  auto exchange = transport->start(post_to(server), sink, {});
  REQUIRE(exchange);
  std::size_t largest = 0;
  for (auto progress = inferwire::Progress::delivered; progress != inferwire::Progress::ended;) {
    const auto before = sink.body.size();
    progress = (*exchange)->drive(inferwire::TimePoint::max());
    largest = std::max(largest, sink.body.size() - before);
    // The server gets ahead, as with a busy reader.
    std::this_thread::sleep_for(1ms);
  }
  CHECK(sink.body == body);
  CHECK(largest <= 128u << 10);
}
