// A request as the server sees it.
#include "http/curl_calls.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/catch.hpp"
#include "support/http_call.hpp"
#include "support/quiet_listener.hpp"
#include "support/raw_socket.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;
using inferwire::http::make_curl_transport;

namespace {

/// Sends `request`, whose URL is a path; returns the request that arrives.
HttpRequest arrives(HttpRequest request) {
  MockServer server;
  server.keep_secrets();
  server.push(Reply::json("{}"));
  request.url = server.url() + request.url;
  const auto sink = call(*make_curl_transport(), std::move(request));
  REQUIRE_FALSE(sink.error);
  auto arrived = server.requests().at(0);
  arrived.url.erase(0, server.url().size());
  std::erase_if(arrived.headers, [](const Header& header) { return header.name == "Host"; });
  return arrived;
}

}  // namespace

TEST_CASE("a request arrives as given, with no header added but its length") {
  const HttpRequest sent{.url = "/a/%7Eb//c?x=1&y=%20",
                         .headers = {{"Content-Type", "application/json"},
                                     {"Authorization", "Bearer k"},
                                     {"X-Empty", ""},
                                     {"X-Two", "1"},
                                     {"X-Two", "2"}},
                         .body = std::string("{\"nul\":\"\0\"}", 11)};
  const auto arrived = arrives(sent);
  REQUIRE(arrived.method == "POST");
  REQUIRE(arrived.url == sent.url);
  REQUIRE(arrived.body == sent.body);
  auto expected = sent.headers;
  expected.push_back({"Content-Length", "11"});
  CHECK(find_header(arrives({.url = "/", .headers = {{"X-Blank", " \t"}}}).headers, "x-blank") == "");
  REQUIRE(arrived.headers.size() == expected.size());
  for (const auto& header : expected) {
    CAPTURE(header.name);
    REQUIRE(std::count(arrived.headers.begin(), arrived.headers.end(), header) == 1);
  }
}

TEST_CASE("GET, DELETE, PUT, PATCH and POST arrive with and without a body") {
  for (const std::string method : {"GET", "DELETE", "PUT", "PATCH", "POST"}) {
    for (const std::string body : {"", "{}"}) {
      CAPTURE(method, body);
      const auto arrived = arrives({.method = method, .url = "/", .body = body});
      REQUIRE(arrived.method == method);
      REQUIRE(arrived.body == body);
      const auto length = find_header(arrived.headers, "Content-Length");
      if (method == "POST" || !body.empty()) REQUIRE(length == std::to_string(body.size()));
    }
  }
}

TEST_CASE("a HEAD request has no body") {
  inferwire_test::RecordingSink sink;
  const auto started =
      make_curl_transport()->start({.method = "HEAD", .url = "http://127.0.0.1:1/", .body = "{}"}, sink, {});
  REQUIRE_FALSE(started);
  CHECK(started.error().kind == inferwire::ErrorKind::invalid_request);
}

TEST_CASE("one handle carries requests of every method in turn") {
  MockServer server;
  server.set_handler(
      [](const HttpRequest& request) { return Reply::json(request.method + request.body.text()); });
  const auto transport = make_curl_transport();
  for (int round = 0; round < 2; ++round) {
    for (const std::string method : {"POST", "GET", "PUT", "HEAD", "POST", "DELETE", "GET"}) {
      const std::string body = method == "POST" || method == "PUT" ? "-body" : "";
      const auto sink = call(*transport, {.method = method, .url = server.url() + "/", .body = body});
      REQUIRE_FALSE(sink.error);
      if (method != "HEAD") REQUIRE(sink.body == method + body);
    }
  }
}

TEST_CASE("one handle sends each path as it is written") {
  MockServer here;
  MockServer there;
  const auto transport = make_curl_transport();
  for (int round = 0; round < 2; ++round) {
    for (MockServer* server : {&here, &there}) {
      for (const std::string path :
           {"/a", "/a", "//b/c;d,(e)", "/%7Eb%2Fc/", "/", "/?x=../y&z=%20", "/a?q"}) {
        server->push(Reply::json("{}"));
        const auto sink = call(*transport, {.method = "GET", .url = server->url() + path});
        CAPTURE(path);
        REQUIRE_FALSE(sink.error);
        REQUIRE(server->requests().back().url == server->url() + path);
      }
    }
  }
}

TEST_CASE("one handle sends the headers of each request, and no others") {
  struct Sent {
    std::vector<Header> headers;
    std::string body{};
  };
  const std::vector<Header> one{{"X-One", "1"}, {"X-Two", "2"}};
  const std::vector<Header> other{{"X-One", "1"}, {"X-Two", "3"}};
  const std::string large(3u << 20, 'x');  // libcurl would add an Expect
  MockServer server;
  const auto transport = make_curl_transport();
  for (const auto& sent :
       {Sent{one}, Sent{one}, Sent{other}, Sent{{}}, Sent{{}}, Sent{one}, Sent{one, large}, Sent{one}}) {
    server.push(Reply::json("{}"));
    const auto sink =
        call(*transport, {.url = server.url() + "/", .headers = sent.headers, .body = sent.body});
    REQUIRE_FALSE(sink.error);
    auto arrived = server.requests().back().headers;
    std::erase_if(arrived, [](const Header& header) {
      return header.name == "Host" || header.name == "Content-Length";
    });
    REQUIRE(arrived == sent.headers);
    // A header that cannot be sent leaves nothing behind.
    inferwire_test::RecordingSink refused;
    REQUIRE_FALSE(transport->start({.url = server.url() + "/", .headers = {{"X-One", "1\n"}}}, refused, {}));
  }
}

TEST_CASE("a large request is sent without Expect: 100-continue") {
  const std::string body(3u << 20, 'x');
  const auto arrived = arrives({.url = "/", .body = body});
  REQUIRE(arrived.body == body);
  REQUIRE_FALSE(find_header(arrived.headers, "Expect"));
}

TEST_CASE("on_sent is told when the whole request has left") {
  const bool many = GENERATE(false, true);
  CAPTURE(many);
  const inferwire::testing::Gate gate;
  MockServer server;
  server.push({.body = {{"{}"}}, .head_gate = gate});
  inferwire_test::RecordingSink sink;
  const auto door = curl_door(many);
  auto exchange = door->start({.url = server.url() + "/", .body = std::string(3u << 20, 'x')}, sink, {});
  REQUIRE(exchange);
  REQUIRE(drive_until(**exchange, [&] { return sink.calls == "cs"; }));
  REQUIRE(server.wait_for_requests(1));
  REQUIRE(sink.steps_of_sending > 0);
  auto open = gate;
  open.open();
  REQUIRE(drive_until(**exchange, [&] { return sink.ended(); }));
  REQUIRE(sink.calls == "cshbe");
}

TEST_CASE("a request that the server does not read makes no progress") {
  const bool many = GENERATE(false, true);
  CAPTURE(many);
  const inferwire_test::QuietListener listener;
  const auto door = curl_door(many);
  inferwire_test::RecordingSink sink;
  auto exchange =
      door->start({.url = "http://" + listener.place() + "/", .body = std::string(64u << 20, 'x')}, sink, {});
  REQUIRE(exchange);
  int last_moments = 0;  // drives that reported progress only at their deadline
  for (int in_vain = 0; in_vain < 3 && last_moments < 10;) {
    const auto deadline = std::chrono::steady_clock::now() + 20ms;
    const auto progress = (*exchange)->drive(deadline);
    if (progress == inferwire::Progress::deadline) {
      ++in_vain;
    } else if (std::chrono::steady_clock::now() >= deadline) {
      ++last_moments;
    }
  }
  CHECK(last_moments < 10);
  CHECK(sink.calls == "c");
  CHECK(sink.steps_of_sending > 0);
}

TEST_CASE("an error that comes before its request was read is the answer") {
  const bool many = GENERATE(false, true);
  CAPTURE(many);
  const inferwire_test::QuietListener listener(5, "127.0.0.3");  // which nobody else connects to
  const auto door = curl_door(many);
  inferwire_test::RecordingSink sink;
  auto exchange =
      door->start({.url = "http://" + listener.place() + "/", .body = std::string(64u << 20, 'x')}, sink, {});
  REQUIRE(exchange);
  REQUIRE(drive_until(**exchange, [&] { return sink.steps_of_sending > 0; }));
  auto server = RawSocket::owning(listener.accept());
  REQUIRE(server.write("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\n{}"));
  REQUIRE(drive_until(**exchange, [&] { return sink.ended(); }));
  CHECK(sink.calls == "cshbe");
  CHECK_FALSE(sink.error);
}
