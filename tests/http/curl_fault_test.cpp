// Failures on real sockets, and the errors that name them.
#include "base/system_words.hpp"
#include "http/curl_calls.hpp"
#include "http/curl_error.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/catch.hpp"
#include "support/http_call.hpp"
#include "support/stalled_resolver.hpp"

#include <chrono>
#include <string>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;
using inferwire::http::connection_refused;
using inferwire::http::make_curl_transport;

namespace {

HttpRequest post_to(const std::string& url) {
  return {.url = url + "/v1/chat?key=hunter2",
          .headers = {{"Authorization", "Bearer hunter2"}, {"Content-Type", "application/json"}},
          .body = R"({"secret":"hunter2"})"};
}

/// The sink of one request that is answered by `reply`. Checks that the error contains no secret.
RecordingSink meet(Reply reply, const inferwire::ExchangeOptions& options = {}) {
  MockServer server;
  server.push(std::move(reply));
  auto sink = call(*make_curl_transport(), post_to(server.url()), options);
  if (sink.error) REQUIRE(sink.error->message().find("hunter2") == std::string::npos);
  return sink;
}

}  // namespace

TEST_CASE("a port nobody listens on is a refused connection") {
  std::string url;
  {
    const MockServer gone;
    url = gone.url();
  }
  const auto sink = call(*make_curl_transport(), post_to(url));
  REQUIRE(sink.calls == "e");
  REQUIRE(sink.error->kind == ErrorKind::connection);
  CHECK(sink.error->cause == ErrorCause::refused);
  REQUIRE_THAT(sink.error->detail, contains("could not connect (127.0.0.1:"));
  REQUIRE_THAT(sink.error->detail, contains(system_words(connection_refused)));
  REQUIRE(sink.error->message().find("hunter2") == std::string::npos);
}

TEST_CASE("an error does not repeat the cause of an earlier one") {
  const auto transport = make_curl_transport();
  std::string gone;
  {
    const MockServer closed;
    gone = closed.url();
  }
  REQUIRE_THAT(call(*transport, post_to(gone)).error->detail, contains(system_words(connection_refused)));
  MockServer server;
  server.push(Reply::bytes(""));
  const auto sink = call(*transport, post_to(server.url()));
  REQUIRE(sink.error);
  CHECK(sink.error->cause == ErrorCause::broken);
  CHECK_THAT(sink.error->detail, contains("without an answer") && !contains("refused"));
}

TEST_CASE("a host that does not exist cannot be resolved") {
  const auto sink = call(*make_curl_transport(), post_to("http://" + std::string(unknown_name)));
  REQUIRE(sink.calls == "e");
  REQUIRE(sink.error->kind == ErrorKind::connection);
  CHECK(sink.error->cause == ErrorCause::unresolved);
  REQUIRE_THAT(sink.error->detail,
               contains("could not resolve the host (" + std::string(unknown_name) + ")"));
}

TEST_CASE("a connection that is reset before the answer is an error") {
  const auto sink = meet(Reply::reset());
  REQUIRE(sink.calls.find('h') == std::string::npos);
  REQUIRE(sink.error->kind == ErrorKind::connection);
  REQUIRE_THAT(sink.error->detail, contains("reset"));
}

TEST_CASE("a connection that is closed without an answer is an error") {
  const auto sink = meet(Reply::bytes(""));
  REQUIRE(sink.calls == "cse");
  REQUIRE(sink.error->kind == ErrorKind::connection);
  REQUIRE_THAT(sink.error->detail, contains("without an answer"));
}

TEST_CASE("a connection that is closed inside the answer's head is an error") {
  const auto sink = meet(Reply::bytes("HTTP/1.1 200 OK\r\nContent-Type: appl"));
  REQUIRE(sink.calls == "cse");
  REQUIRE(sink.error->kind == ErrorKind::connection);
  REQUIRE_THAT(sink.error->detail, contains("closed") && contains("head"));
}

TEST_CASE("a connection that is reset in the middle of the body is an error") {
  for (const auto framing : {BodyFraming::content_length, BodyFraming::chunked, BodyFraming::until_close}) {
    MockServer server;
    inferwire::testing::Gate seen;
    server.push({.body = {{"first"}, {.bytes = "second", .gate = seen}},
                 .ending = Ending::reset,
                 .framing = framing,
                 .claimed_length = framing == BodyFraming::content_length ? std::optional<std::uint64_t>(100)
                                                                          : std::nullopt});
    RecordingSink sink;
    sink.at_body = [&] { seen.open(); };
    auto exchange = make_curl_transport()->start(post_to(server.url()), sink, {});
    REQUIRE(exchange);
    REQUIRE(drive_until(**exchange, [&] { return sink.ended(); }));
    REQUIRE(sink.body.starts_with("first"));
    REQUIRE(sink.error);
    REQUIRE(sink.error->kind == ErrorKind::connection);
    REQUIRE_THAT(sink.error->detail, contains("reset"));
  }
}

TEST_CASE("a body that ends before its length or its last chunk is cut off") {
  for (const bool chunked : {false, true}) {
    auto reply = Reply::json("half of i");
    reply.ending = Ending::cut;
    if (chunked) {
      reply.framing = BodyFraming::chunked;
    } else {
      reply.claimed_length = 100;
    }
    const auto sink = meet(std::move(reply));
    REQUIRE(sink.calls == "cshbe");
    REQUIRE(sink.body == "half of i");
    REQUIRE(sink.error->kind == ErrorKind::connection);
    REQUIRE_THAT(sink.error->detail, contains("cut off"));
  }
}

TEST_CASE("a chunk that is cut in its middle is an error") {
  const auto sink = meet(Reply::bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFF\r\nabc"));
  REQUIRE(sink.body == "abc");
  REQUIRE(sink.error->kind == ErrorKind::connection);
}

TEST_CASE("a body without a length ends with its connection") {
  auto reply = Reply::json("{}");
  reply.framing = BodyFraming::until_close;
  const auto sink = meet(std::move(reply));
  REQUIRE(sink.body == "{}");
  REQUIRE_FALSE(sink.error);
}

TEST_CASE("a length beyond the limit is refused before anything is read") {
  Reply reply{.body = {{"x"}}, .ending = Ending::silence, .claimed_length = 5ull << 30};
  const auto sink = meet(reply, {.max_body_bytes = 256u << 20});
  REQUIRE(sink.calls == "cshe");
  REQUIRE(sink.error->kind == ErrorKind::too_large);
  REQUIRE_THAT(sink.error->detail, contains("5368709120"));
  REQUIRE_THAT(sink.error->detail, contains("268435456"));
}

TEST_CASE("a Content-Length that is no number is an error") {
  for (const auto* length : {"99999999999999999999999", "-1", "abc"}) {
    const auto raw = std::string("HTTP/1.1 200 OK\r\nContent-Length: ") + length + "\r\n\r\nxyz";
    const auto sink = meet(Reply::bytes(raw), {.max_body_bytes = 1000});
    REQUIRE(sink.error);
  }
}

TEST_CASE("what is not HTTP is refused") {
  for (const auto* raw : {"SSH-2.0-OpenSSH_9.2\r\n", "\r\n\r\n\r\n", "{\"ok\":true}", "HTTP/9.9 x y\r\n\r\n",
                          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\na trailer\r\n\r\n"}) {
    CAPTURE(raw);
    const auto sink = meet(Reply::bytes(raw));
    REQUIRE(sink.error);
    REQUIRE(sink.error->kind == ErrorKind::connection);
    REQUIRE(sink.body.empty());
  }
}

TEST_CASE("a flood of headers is bounded") {
  std::string raw = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 300; ++i) raw += "X-Flood: " + std::string(1000, 'x') + "\r\n";
  const auto sink = meet(Reply::bytes(raw + "\r\n"));
  REQUIRE(sink.calls == "cse");
  REQUIRE(sink.error->kind == ErrorKind::too_large);
}

TEST_CASE("100 and 103 are passed over") {
  const auto sink =
      meet(Reply::bytes("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
                        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"));
  REQUIRE(sink.calls == "cshbe");
  REQUIRE(sink.head->status == 200);
  REQUIRE(sink.head->headers.size() == 1);
}

TEST_CASE("status 101 is an error") {
  for (const auto* behind : {"", "xx", "HTTP/1.1 200 OK\r\n\r\nxx"}) {
    CAPTURE(behind);
    const auto sink =
        meet(Reply::bytes(std::string("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n") + behind));
    REQUIRE(sink.calls == "cse");
    REQUIRE(sink.error->kind == ErrorKind::connection);
    REQUIRE_FALSE(sink.error->retryable);
    REQUIRE_THAT(sink.error->detail, contains("another protocol (status 101)"));
  }
}

TEST_CASE("a redirect is an answer, and is not followed by default") {
  MockServer elsewhere;
  const auto sink = meet({.status = 302, .headers = {{"Location", elsewhere.url() + "/steal"}}});
  REQUIRE(sink.head->status == 302);
  REQUIRE_FALSE(sink.error);
  REQUIRE(elsewhere.connections() == 0);
}

TEST_CASE("a body that arrives byte by byte is the same body") {
  Reply reply = Reply::stream({});
  const std::string text = "data: {\"a\":1}\n\ndata: [DONE]\n\n";
  for (const char c : text) reply.body.push_back({.bytes = std::string(1, c)});
  const auto sink = meet(reply);
  REQUIRE(sink.body == text);
  REQUIRE_FALSE(sink.error);
}

TEST_CASE("a silent server keeps the caller until its deadline and not longer") {
  MockServer server;
  server.push(Reply::silence());
  RecordingSink sink;
  const auto transport = make_curl_transport();
  auto exchange = transport->start(post_to(server.url()), sink, {});
  REQUIRE(exchange);
  const auto begin = std::chrono::steady_clock::now();
  while ((*exchange)->drive(begin + 50ms) != Progress::deadline) {}
  const auto took = std::chrono::steady_clock::now() - begin;
  REQUIRE(took >= 50ms);
  REQUIRE(took < 5s);
  REQUIRE(sink.calls == "cs");
}

TEST_CASE("an exception of a sink after resume() ends the exchange at once") {
  for (const bool many : {false, true}) {
    CAPTURE(many);
    MockServer server;
    // Too short to end the exchange by being thrown away.
    auto reply = Reply::stream({std::string(100u << 10, 'x')});
    reply.ending = inferwire::testing::Ending::silence;
    server.push(std::move(reply));
    const auto door = curl_door(many);
    inferwire_test::RecordingSink sink;
    auto exchange = door->start({.url = server.url() + "/", .body = "{}"}, sink, {});
    REQUIRE(exchange);
    sink.at_body = [&] { (*exchange)->pause(); };
    const auto now = [] { return inferwire::Clock::system().now(); };
    while (sink.body.empty()) (*exchange)->drive(now() + 1s);
    for (const auto until = now() + 100ms; now() < until;) (*exchange)->drive(until);
    sink.at_body = [] { throw std::runtime_error("the sink's own"); };
    (*exchange)->resume();
    bool threw = false;
    for (const auto until = now() + 5s; now() < until && !threw;) {
      try {
        if ((*exchange)->drive(until) == inferwire::Progress::ended) break;
      } catch (const std::runtime_error&) {
        threw = true;
      }
    }
    CHECK(threw);
    CHECK((*exchange)->drive(now()) == inferwire::Progress::ended);
  }
}
