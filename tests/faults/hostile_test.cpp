// Servers that send too much are refused, and the memory of this process stays bounded. This test is a
// separate program, since a process's peak memory never goes down.
#include "faults/chat_service.hpp"
#include "support/catch.hpp"
#include "support/most_held.hpp"
#include "support/sanitized.hpp"

#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

/// Answers the calls of a client with `begin`, a media type and a chat answer, whole or streamed.
void answer_after(MockServer& server, const std::string& begin) {
  server.set_handler([begin](const HttpRequest& request) {
    const bool streamed = wants_stream(request);
    return Reply::bytes(begin + "Content-Type: " + (streamed ? "text/event-stream" : "application/json") +
                        "\r\n\r\n" + (streamed ? stream_body : whole_body));
  });
}

struct Answered {
  std::string text{};
  std::optional<inferwire::Error> error{};
};

/// The outcomes of a whole and a streamed call, each blocking and on a loop.
std::vector<Answered> answers_to_all_calls(const Client& client) {
  std::vector<Answered> all;
  const auto note = [&all](const Result<chat::Response>& reply) {
    if (reply) {
      all.push_back({.text = reply->text()});
    } else {
      all.push_back({.error = reply.error()});
    }
  };
  note(client.chat.create(hello));
  note(client.chat.start(hello).get());
  note(client.chat.stream(hello).collect().result());
  note(client.chat.open(hello).collect().get().result());
  return all;
}

}  // namespace

TEST_CASE("a header with a name like a status line is a header to every kind of call") {
  MockServer server;
  const Client client(options_for(server));
  for (const std::string header : {"HTTP/x: y\r\n", "http/1.1: 500\r\n"}) {
    CAPTURE(header);
    answer_after(server, head + header);
    for (const auto& [text, error] : answers_to_all_calls(client)) {
      CHECK_FALSE(error);
      CHECK(text == "one two three");
    }
    auto raw = client.stream("/chat/completions", *to_json(hello));
    CHECK_FALSE(raw.collect().error);
    CHECK(raw.info().head.status == 200);
  }
}

TEST_CASE("a status line in lower case is read by every kind of call, if libcurl takes it") {  // 7.88 does
  MockServer server;
  const Client client(options_for(server));
  for (const std::string line : {"http/1.1 200 OK\r\n", "Http/1.1 200 OK\r\n"}) {
    CAPTURE(line);
    answer_after(server, line);
    for (const auto& [text, error] : answers_to_all_calls(client)) {
      if (error) {
        CHECK(error->kind == ErrorKind::connection);
      } else {
        CHECK(text == "one two three");
      }
    }
  }
  server.set_handler([](const auto&) {
    return Reply::bytes(
        "http/1.1 503 Busy\r\nContent-Type: application/json\r\n\r\n"
        R"({"error":{"message":"later"}})");
  });
  for (const auto& [text, error] : answers_to_all_calls(client)) {
    REQUIRE(error);
    if (error->kind == ErrorKind::connection) continue;
    CHECK(error->kind == ErrorKind::overloaded);
    CHECK(error->status == 503);
    CHECK(error->detail == "later");
  }
}

TEST_CASE("a body after a status line without a status is an error in every kind of call") {
  MockServer server;
  const Client client(options_for(server));
  for (const std::string begin : {"http/1.1 abc\r\n", "http/1.1\r\n", "http/1.1 100 Continue\r\n"}) {
    CAPTURE(begin);
    answer_after(server, begin);
    for (const auto& [text, error] : answers_to_all_calls(client)) {
      REQUIRE(error);
      CHECK(error->kind == ErrorKind::connection);
      CHECK_THAT(error->detail, contains("the answer is not HTTP"));
    }
    const auto raw = client.stream("/chat/completions", *to_json(hello)).collect();
    REQUIRE(raw.error);
    CHECK(raw.error->kind == ErrorKind::connection);
  }
}

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
