// Servers that send too much are refused, and the memory of this process stays bounded. This test is a
// separate program, since a process's peak memory never goes down.
#include "faults/chat_service.hpp"
#include "support/catch.hpp"
#include "support/most_held.hpp"
#include "support/sanitized.hpp"

#include <chrono>
#include <limits>
#include <string>

using namespace std::chrono_literals;
using namespace inferwire_test;
using namespace inferwire;
using namespace inferwire::testing;

namespace {

constexpr auto endless = std::numeric_limits<std::uint64_t>::max();
constexpr long most_growth =
    48 * 1024;  // in KiB; well above what a call takes, far below what the servers send

struct Met {
  inferwire::Error created{};
  inferwire::Error streamed{};
};

/// The errors of a whole and of a streamed call. Checks that memory has not grown by much.
Met meet(const Reply& reply, inferwire::Timeouts timeouts = {}) {
  MockServer server;
  server.set_handler([&reply](const auto&) { return reply; });
  auto options = options_for(server);
  options.timeouts = timeouts;
  options.max_response_bytes = 4u << 20;
  options.max_event_bytes = 1u << 20;
  const auto before = most_held();
  const auto created = Client(options).chat.create(hello);
  REQUIRE_FALSE(created);
  const auto streamed = Client(options).chat.stream(hello).collect();
  REQUIRE_FALSE(streamed);
  if (!sanitized) CHECK(most_held() - before < most_growth);  // sanitizers keep what was freed
  CHECK(server.wait_until_all_closed());
  return {created.error(), *streamed.error};
}

Reply endless_stream(std::string begin, std::string again) {
  auto reply = Reply::stream({std::move(begin)});
  reply.body.push_back({.bytes = std::move(again), .times = endless});
  return reply;
}

const std::string head = "HTTP/1.1 200 OK\r\n";

}  // namespace

TEST_CASE("100,000 header lines are too many") {
  const auto [created, streamed] =
      meet({.body = {{.bytes = "X-Flood: a value of usual length\r\n", .times = 100'000}}, .raw = head});
  CHECK(created.kind == ErrorKind::too_large);
  CHECK(streamed.kind == ErrorKind::too_large);
}

TEST_CASE("a header line of 1 GiB is too long") {
  const auto [created, streamed] =
      meet({.body = {{.bytes = std::string(1u << 20, 'x'), .times = 1024}}, .raw = head + "X-Flood: "});
  CHECK(created.kind == ErrorKind::too_large);
  CHECK(streamed.kind == ErrorKind::too_large);
}

TEST_CASE("interim answers without end are too many") {
  const auto [created, streamed] =
      meet({.body = {{.bytes = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", .times = endless}},
            .raw = "HTTP/1.1 102 Processing\r\n\r\n"});
  CHECK(created.kind == ErrorKind::too_large);
  CHECK(streamed.kind == ErrorKind::too_large);
}

TEST_CASE("a gzip bomb is Error{decode} and not unpacked") {
  // Gzip data consisting of zeros, which would be a thousand times as large when unpacked.
  auto bomb = Reply::json("").with("Content-Encoding", "gzip");
  bomb.body = {{.bytes = std::string("\x1F\x8B\x08\0\0\0\0\0\0\xFF", 10)},
               {.bytes = std::string(1000, '\xED') + std::string(9000, '\0'), .times = 100}};
  const auto [created, streamed] = meet(bomb);
  CHECK(created.kind == ErrorKind::decode);
  CHECK(streamed.kind == ErrorKind::decode);
}

TEST_CASE("a body without end is too large") {
  auto reply = endless_stream("{\"id\": \"", std::string(1u << 16, 'x'));
  reply.headers = {{"Content-Type", "application/json"}};
  const auto [created, streamed] = meet(reply);
  CHECK(created.kind == ErrorKind::too_large);
  CHECK(streamed.kind == ErrorKind::too_large);
}

TEST_CASE("an error status whose body has no end is the status's error") {
  auto reply = endless_stream("{\"error\": {\"message\": \"", std::string(1u << 16, 'x'));
  reply.status = 400;
  const auto [created, streamed] = meet(reply);
  CHECK(created.kind == ErrorKind::invalid_request);
  CHECK(streamed.kind == ErrorKind::invalid_request);
}

TEST_CASE("an event without end is too large") {
  const auto [created, streamed] = meet(endless_stream("data: {\"id\": \"", std::string(1u << 16, 'x')));
  CHECK(created.kind == ErrorKind::too_large);
  CHECK(streamed.kind == ErrorKind::too_large);
}

TEST_CASE("an SSE comment without end is too large, or ends by a timer") {
  const auto [created, streamed] =
      meet(endless_stream(": ", std::string(1u << 16, 'x')), {.idle_event = 300ms, .total = 300ms});
  CHECK((created.kind == ErrorKind::too_large || created.timer == "total"));
  CHECK((streamed.kind == ErrorKind::too_large || streamed.timer == "idle_event"));
}

TEST_CASE("SSE comments without end are ended by idle_event or total") {
  std::string comments;
  for (int i = 0; i < 1000; ++i) comments += ": keep-alive\n\n";
  const auto [created, streamed] = meet(endless_stream("", comments), {.idle_event = 300ms, .total = 300ms});
  CHECK((created.kind == ErrorKind::too_large || created.timer == "total"));
  CHECK(streamed.timer == "idle_event");
}
