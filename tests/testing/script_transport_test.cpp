// The scripted transport under a client. tests/contract checks that it keeps the drive contract.
#include "inferwire/testing/script_transport.hpp"

#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/eventually.hpp"
#include "support/mock_calls.hpp"
#include "support/scripted_client.hpp"

#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

TEST_CASE("Reply::fails gives its kind and detail") {
  for (const auto kind : {ErrorKind::connection, ErrorKind::tls}) {
    ScriptedClient scripted({});
    scripted.script->set_handler(
        [kind](const auto&) { return Reply::fails({.kind = kind, .detail = "as the test says"}); });
    const auto reply = scripted.client.chat.create(hello);
    REQUIRE_FALSE(reply);
    CHECK(reply.error().kind == kind);
    CHECK(reply.error().status == 0);
    CHECK_THAT(reply.error().detail, contains("as the test says"));
  }
}

TEST_CASE("Reply::fails is retried like a real failure, until the script is used up") {
  ScriptedClient scripted({});
  scripted.script->push(Reply::fails({.kind = ErrorKind::connection}));
  scripted.script->push(Reply::error(400));
  scripted.script->push(Reply::error(400));
  CHECK(scripted.client.chat.create(hello).error().attempts.size() == 2);
  CHECK(scripted.script->remaining() == 1);
}

TEST_CASE("ScriptTransport::requests can be decoded into the request") {
  ScriptedClient scripted({});
  static_cast<void>(scripted.client.chat.create(hello, {.retry = inferwire::RetryPolicy::none()}));
  const auto sent = from_json<chat::Request>(scripted.script->requests().at(0).body);
  REQUIRE(sent);
  CHECK(sent->messages == hello.messages);
}

TEST_CASE("ScriptTransport::cancelled counts the exchanges that were left before their end") {
  ScriptedClient scripted({Reply::json(answer_of("Hi.")), Reply::error(400), whole_stream({"One ", "two."}),
                           whole_stream({"One ", "two."}), whole_stream({"One ", "two."})});
  CHECK(scripted.client.chat.create(hello));
  CHECK_FALSE(scripted.client.chat.create(hello));
  CHECK(scripted.client.chat.stream(hello).collect());
  CHECK(scripted.client.chat.open(hello).collect().get());
  CHECK(scripted.script->cancelled() == 0);
  {
    auto left = scripted.client.chat.stream(hello);
    REQUIRE(left.next());
  }
  CHECK(scripted.script->cancelled() == 1);
}

TEST_CASE("a scripted answer goes on when another thread opens its gate") {
  const auto script = std::make_shared<ScriptTransport>();
  Gate gate;
  script->push(held_back(gate));
  const Client client(
      {.base_url = "http://localhost", .credential = Credential::none(), .transport = script});
  const auto opener = std::async(std::launch::async, [&] {
    eventually([&] { return !script->requests().empty(); });
    gate.open();
  });
  CHECK(client.chat.create(hello, {.timeouts = {.total = 10s}}));
}

TEST_CASE("head_delay of a script fires first_byte") {
  for (const auto delay : {std::chrono::milliseconds(601s), std::chrono::milliseconds::max()}) {
    ScriptedClient scripted({});
    auto late = Reply::json("{}");
    late.head_delay = delay;
    scripted.script->set_handler([late](const auto&) { return late; });
    const auto reply = scripted.client.chat.create(hello, {.timeouts = {.total = inferwire::no_limit}});
    REQUIRE_FALSE(reply);
    CHECK(reply.error().timer == "first_byte");
  }
}

TEST_CASE("a scripted stream may be written as structs") {
  ScriptedClient scripted({});
  const chat::Chunk chunk{.choices = {{.delta = {.content = "Hello"}, .finish_reason = "stop"}}};
  const auto event = "data: " + to_json(chunk)->text() + "\n\n";
  scripted.script->push(Reply::stream({event, "data: [DONE]\n\n"}));
  const auto answer = scripted.client.chat.stream(hello).collect();
  CHECK_FALSE(answer.error);
  CHECK(answer.response.text() == "Hello");
}

TEST_CASE("Piece::times repeats a scripted piece") {
  ScriptedClient scripted({});
  auto reply = Reply::stream(
      {"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n", "data: [DONE]\n\n"});
  reply.body[0].times = 1000;
  scripted.script->push(reply);
  CHECK(scripted.client.chat.stream(hello).collect().response.text() == std::string(1000, 'x'));
}

TEST_CASE("a scripted piece without end is Error{too_large}") {
  ScriptedClient scripted({});
  for (const bool one_more : {false, true}) {
    Reply reply{.body = {{.bytes = "{\"id\": \""}, {.bytes = "x", .times = UINT64_MAX}}};
    if (one_more) reply.body.push_back({.bytes = "yy", .times = UINT64_MAX});
    scripted.script->push(reply);
    const auto answer = scripted.client.chat.create(hello);
    REQUIRE_FALSE(answer);
    CHECK(answer.error().kind == ErrorKind::too_large);
  }
}

TEST_CASE("cut_after inside a scripted event keeps what came before it") {
  const std::string event =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\xC3\xBC\"},\"finish_reason\":null}]}\n\n";
  ScriptedClient scripted({});
  scripted.script->push(Reply::stream({event, event}).cut_after(event.size() + event.find('\xC3') + 1));
  const auto collected = scripted.client.chat.stream(hello).collect();
  REQUIRE_FALSE(collected);
  CHECK(collected.error->kind == ErrorKind::connection);
  CHECK(collected.response.text() == "\xC3\xBC");
}

TEST_CASE("a handler may ask its ScriptTransport while it is destroyed") {
  struct Leaving {
    ~Leaving() { left = script.remaining(); }
    const ScriptTransport& script;
    std::size_t& left;
  };
  ScriptTransport script;
  script.push(Reply::error(400));
  std::size_t left = 0;
  script.set_handler(
      [owned = std::make_shared<Leaving>(script, left)](const auto&) { return Reply::error(400); });
  script.set_handler([](const auto&) { return Reply::error(500); });
  CHECK(left == 1);
}
