// The journal of an engine: the requests, the rules that answered, and how the answers ended.
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/engine_transport.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "scripted_engine.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"
#include "wrapped_model.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>

using namespace inferwire;
using namespace inferwire_test;
using Document = nlohmann::json;
namespace reply = inferwire::engine::reply;

TEST_CASE("a stream that was read to its end has Outcome::whole in the journal") {
  const auto engine = engine_of({{.replies = {reply::Text{"one two three"}}}});
  const Client client({.base_url = "http://localhost/v1",
                       .credential = Credential::none(),
                       .transport = std::make_shared<engine::EngineTransport>(engine)});
  const chat::Request request{.model = "inferwire-toy", .messages = {chat::user("x")}};
  REQUIRE(client.chat.stream(request).collect());
  CHECK(engine->journal().last()->outcome == engine::Outcome::whole);
  {
    auto stream = client.chat.stream(request);
    REQUIRE(stream.next() != nullptr);
  }
  CHECK(engine->journal().last()->outcome == engine::Outcome::abandoned);
  REQUIRE(client.responses.stream({.model = "inferwire-toy", .input = "x"}).collect());
  CHECK(engine->journal().last()->outcome == engine::Outcome::whole);
}

TEST_CASE("a request whose model throws is in the journal") {
  const auto what = GENERATE(Thrown::exception, Thrown::number);
  engine::Engine engine(
      {.endpoints = {{.name = "inferwire-toy", .model = std::make_shared<UnreadyModel>(what)}},
       .journal_entries = 10});
  CHECK(ask(engine, chats, chat_body("x")).head.status == 500);
  REQUIRE(engine.journal().wait_for(1, Duration(0)));
  CHECK(engine.journal().last()->status == 500);
}

TEST_CASE("a journal entry has request and outcome, without secrets") {
  const auto engine = engine_of({{.name = "mine", .replies = {reply::Text{"hello"}}}});
  ask(*engine, {.url = "http://e" + chats,
                .headers = {{"Authorization", "Bearer s3cret"}, {"x-mine", "1"}},
                .body = chat_body("x", R"("temperature":0.2)")});
  const auto entry = engine->journal().last();
  REQUIRE(entry);
  CHECK(entry->number == 0);
  CHECK(entry->method == "POST");
  CHECK(entry->rule == "mine");
  CHECK(entry->status == 200);
  CHECK(entry->outcome == engine::Outcome::whole);
  CHECK(Document::parse(entry->body)["temperature"] == 0.2);
  CHECK(find_header(entry->headers, "authorization") == "***");
  CHECK(find_header(entry->headers, "x-mine") == "1");
  CHECK(engine->journal().wait_for(1, Duration(0)));
  CHECK_FALSE(engine->journal().wait_for(2, Duration(1)));
  CHECK_FALSE(engine->journal().wait_for(2, Duration::min()));
  std::promise<void> begun;
  auto second = std::async(std::launch::async, [&] {
    begun.set_value();
    return engine->journal().wait_for(2, Duration::max());
  });
  begun.get_future().wait();
  CHECK(second.wait_for(std::chrono::milliseconds(10)) == std::future_status::timeout);
  ask(*engine, chats, chat_body("x"));
  CHECK(second.get());
  auto journal = engine->journal();
  const auto moved = std::move(journal);
  journal.clear();  // NOLINT: deliberately moved from
  CHECK(moved.entries().empty());
}

TEST_CASE("requests refused before the script use up none of its rules") {
  engine::Engine engine({.api_key = Secret("k"),
                         .script = {.rules = {{.times = 1, .replies = {reply::Text{"one"}}}}, .strict = true},
                         .journal_entries = 10});
  HttpRequest request{.url = "http://e" + chats, .body = chat_body("x")};
  CHECK(ask(engine, request).head.status == 401);
  request.method = "GET";
  CHECK(ask(engine, request).head.status == 405);
  for (const std::string path : {"/health", "/.well-known/databricks-config"}) {
    CHECK(ask(engine, {.method = "GET", .url = "http://e" + path}).head.status == 200);
  }
  request = {.url = "http://e" + chats, .headers = {{"authorization", "Bearer k"}}, .body = chat_body("x")};
  CHECK(text_of(ask(engine, request)) == "one");
  const auto entries = engine.journal().entries();
  REQUIRE(entries.size() == 3);
  CHECK(entries[0].rule == "");
  CHECK(entries[1].rule == "");
  CHECK(entries[2].rule == "rule 1");
}

TEST_CASE("the journal forgets the oldest, and an engine without one keeps none") {
  engine::Engine engine({.journal_entries = 2});
  for (int i = 0; i < 4; ++i) ask(engine, chats, chat_body("x", R"("max_tokens":1)"));
  const auto entries = engine.journal().entries();
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].number == 2);
  engine::Engine without;
  ask(without, chats, chat_body("x", R"("max_tokens":1)"));
  CHECK(without.journal().entries().empty());
}
