// How many file descriptors are used, and what happens if there is none left.
#include "http/curl_transport.hpp"
#include "http/loop/poller.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/answering_server.hpp"
#include "support/catch.hpp"
#include "support/http_call.hpp"
#include "support/no_descriptors.hpp"
#include "support/open_files.hpp"

#include <string>

using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;
using inferwire::http::make_curl_transport;

namespace {

HttpRequest request_to(const MockServer& server) { return {.url = server.url() + "/v1/chat", .body = "{}"}; }

}  // namespace

TEST_CASE("an exchange without a file descriptor left is an error that says so") {
  MockServer first;
  MockServer second;
  first.set_handler([](const HttpRequest&) { return Reply::json("{}"); });
  const auto transport = make_curl_transport();
  REQUIRE(call(*transport, request_to(first)).body == "{}");
  RecordingSink sink;
  const auto exchange = transport->start(request_to(second), sink, {});
  REQUIRE(exchange);
  {
    const NoDescriptors none;
    REQUIRE(drive_until(**exchange, [&] { return sink.ended(); }));
  }
  REQUIRE(sink.error);
  CHECK(sink.error->kind == ErrorKind::connection);
  CHECK_THAT(sink.error->detail, contains("no socket: ") && contains("open files"));
}

TEST_CASE("Transport::start without a file descriptor for its wake-up is an error") {
  AnsweringServer server;
  const auto transport = make_curl_transport();
  RecordingSink sink;
  {
    const NoDescriptors none;
    const auto exchange = transport->start(request_to(server), sink, {});
    REQUIRE_FALSE(exchange);
    CHECK(exchange.error().kind == ErrorKind::connection);
    CHECK(exchange.error().retryable);
    CHECK_THAT(exchange.error().detail, contains("descriptors"));
  }
  CHECK(call(*transport, request_to(server)).body == "{}");
}

TEST_CASE("a poller that could not be woken is not made") {
  const NoDescriptors none;
  CHECK_FALSE(inferwire::http::make_poller());
  CHECK_FALSE(inferwire::http::make_portable_poller());
}

TEST_CASE("an exchange without a socket says so, whatever others of its event loop get") {
  MockServer server;
  server.set_handler([](const HttpRequest&) { return Reply::json("{}"); });
  const auto transport = make_curl_transport();
  const auto multiplexer = transport->multiplexer();
  RecordingSink sinks[2];
  const auto first = multiplexer->start(request_to(server), sinks[0], {});
  const auto second = multiplexer->start(request_to(server), sinks[1], {});
  REQUIRE(first);
  REQUIRE(second);
  {
    const NoDescriptors but_one(1);
    REQUIRE(drive_until(**first, [&] { return sinks[0].ended() || sinks[1].ended(); }));
  }
  const bool first_has_none = sinks[0].error.has_value();
  auto& with_socket = sinks[first_has_none ? 1 : 0];
  const auto& without = sinks[first_has_none ? 0 : 1];
  REQUIRE(without.error);
  CHECK(without.error->cause == ErrorCause::none);
  CHECK_THAT(without.error->detail, contains("no socket: ") && contains("open files"));
  REQUIRE(drive_until(first_has_none ? **second : **first, [&] { return with_socket.ended(); }));
  CHECK(with_socket.body == "{}");
}

TEST_CASE("the number of idle connections is bounded") {
  const auto transport = make_curl_transport();
  const auto before = open_files();
  for (int i = 0; i < 150; ++i) {
    MockServer server;
    server.push(Reply::json("{}"));
    REQUIRE(call(*transport, request_to(server)).body == "{}");
  }
  CHECK(open_files() < before + 120);
}
