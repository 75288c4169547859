// ExchangeOptions::connected_since: no connection that is older, and no address that was known before.
#include "http/curl_transport.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/answering_server.hpp"
#include "support/catch.hpp"
#include "support/http_call.hpp"
#include "support/stalled_resolver.hpp"

#include <chrono>
#include <string>

using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;
using inferwire::http::make_curl_transport;

namespace {

HttpRequest post_to(const MockServer& server) { return {.url = server.url() + "/v1/chat", .body = "{}"}; }

}  // namespace

TEST_CASE("connected_since gives no connection that was opened before") {
  const auto transport = make_curl_transport();
  const auto multiplexer = transport->multiplexer();
  AnsweringServer server;
  REQUIRE(call(*multiplexer, post_to(server)).body == "{}");
  REQUIRE(server.connections() == 1);
  const auto broke_at = std::chrono::steady_clock::now();
  for (int i = 0; i < 2; ++i) {
    const auto sink = call(*multiplexer, post_to(server), {.connected_since = broke_at});
    CHECK(sink.calls == "cshbe");
    CHECK(server.connections() == 2);  // the new connection of the first call also serves the second
  }
}

TEST_CASE("connected_since makes libcurl look up the name again, and no other name") {
  MockServer server;
  server.set_handler([](const HttpRequest&) {
    auto reply = Reply::json("{}");
    reply.framing = BodyFraming::until_close;  // so that every call makes a connection
    return reply;
  });
  const std::string one = "one" + std::string(local_suffix);
  const std::string two = "two" + std::string(local_suffix);
  const ExchangeOptions as_usual;
  const ExchangeOptions again{.connected_since = std::chrono::steady_clock::now()};
  const auto transport = make_curl_transport();
  const auto ask = [&](const std::string& host, const ExchangeOptions& options) {
    CHECK(call(*transport, {.url = server.url(host) + "/", .body = "{}"}, options).body == "{}");
  };
  ask(one, as_usual);
  ask(two, as_usual);
  const int once = lookups_of(two);  // 2 where libcurl looks for IPv4 and IPv6 addresses by one lookup each
  ask(one, again);
  CHECK(call(*transport, {.url = "http://" + one + ":1/", .body = "{}"}, again).error);
  CHECK(lookups_of(one) == 3 * once);
  ask(one, as_usual);
  ask(two, as_usual);
  CHECK(lookups_of(one) == 3 * once);
  CHECK(lookups_of(two) == once);
}
