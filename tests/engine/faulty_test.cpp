// Faults of scripted answers, in streams and in whole answers.
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/engine_transport.hpp"
#include "scripted_engine.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <memory>
#include <string>

using namespace inferwire;
using namespace inferwire_test;
using Document = nlohmann::json;
namespace reply = inferwire::engine::reply;

TEST_CASE("a rule's fault changes a stream") {
  const auto events_with = [](engine::Fault fault) {
    const auto engine = engine_of({{.replies = {reply::Text{"one two three"}}, .fault = fault}});
    return ask(*engine, chats, chat_body("x", R"("stream":true,"stream_options":{"include_usage":true})"));
  };
  const auto good = events_with({});
  const auto count = good.events().size();
  REQUIRE(count > 4);

  SECTION("cut_after_events") {
    const auto answer = events_with({.cut_after_events = 2});
    CHECK(answer.broken);
    CHECK(answer.events().size() == 2);
    CHECK(good.body.starts_with(answer.body));
  }
  SECTION("cut_after_events 0") {
    const auto answer = events_with({.cut_after_events = 0});
    CHECK(answer.broken);
    CHECK(answer.body.empty());
  }
  SECTION("cut_after_bytes") {
    const auto answer = events_with({.cut_after_bytes = 100});
    CHECK(answer.broken);
    CHECK(answer.body == good.body.substr(0, 100));
  }
  SECTION("error_after_events, without an end marker") {
    const auto answer = events_with({.error_after_events = 2});
    CHECK_FALSE(answer.broken);
    REQUIRE(answer.events().size() == 3);
    CHECK(Document::parse(answer.events().back()).contains("error"));
  }
  SECTION("no_end_mark") { CHECK(events_with({.no_end_mark = true}).events().size() == count - 1); }
  SECTION("no finish reason and no usage") {
    const auto answer = events_with({.no_finish_reason = true, .no_usage = true});
    CHECK_THAT(answer.body, !contains("\"stop\""));
    CHECK_THAT(answer.body, !contains("\"usage\""));
  }
  SECTION("repeat_events") { CHECK(events_with({.repeat_events = true}).events().size() == 2 * count - 1); }
  SECTION("empty_choices") {
    CHECK(Document::parse(events_with({.empty_choices = true}).events()[0])["choices"].empty());
  }
  SECTION("comments, crlf, byte_order_mark, no_space and write_bytes") {
    const auto answer = events_with(
        {.comments = true, .crlf = true, .byte_order_mark = true, .no_space = true, .write_bytes = 3});
    CHECK(answer.body.starts_with("\xEF\xBB\xBF: ping\r\n\r\ndata:{"));
    CHECK_THAT(answer.body, contains("data:[DONE]\r\n\r\n"));
    CHECK(events_with({.error_after_events = 1, .crlf = true}).body.ends_with("}}\r\n\r\n"));
  }
  SECTION("no_space leaves the data as they are") {
    const auto engine = engine_of({{.replies = {reply::Body{.bytes = "data: {\"a\":\"data: x\"}\n\n",
                                                            .content_type = "text/event-stream",
                                                            .streamed = true}},
                                    .fault = {.no_space = true}}});
    CHECK(ask(*engine, chats, chat_body("x")).body == "data:{\"a\":\"data: x\"}\n\n");
  }
  SECTION("content_type") {
    CHECK(find_header(events_with({.content_type = "text/html"}).head.headers, "content-type") ==
          "text/html");
  }
  SECTION("delay and write_every, by the engine's clock") {
    const auto answer =
        events_with({.delay = Duration(500), .write_bytes = 100, .write_every = Duration(10)});
    CHECK(answer.body == good.body);
    CHECK(answer.waited >= Duration(500) + Duration(10) * (good.body.size() / 100 - 1));
  }
  SECTION("one_write") {
    const auto engine =
        engine_of({{.replies = {reply::Text{"one two three"}}, .fault = {.one_write = true}}});
    ask(*engine, chats, chat_body("x", R"("stream":true)"));
    CHECK(engine->journal().last()->pieces == 1);
  }
}

TEST_CASE("a delay or write_every beyond the end of the clock lasts until then") {
  for (const auto& fault : {engine::Fault{.delay = Duration::max()},
                            engine::Fault{.write_bytes = 8, .write_every = Duration::max()}}) {
    const auto engine = engine_of({{.replies = {reply::Text{"one two three"}}, .fault = fault}});
    CHECK(ask(*engine, chats, chat_body("x")).waited > std::chrono::hours(24 * 365 * 200));
  }
  engine::Engine chaotic({.script = {.rules = {{.fault = {.delay = Duration::max()}}},
                                     .chaos = {.failures = 0, .cuts = 0, .stalls = 0, .slow_starts = 1}}});
  CHECK(ask(chaotic, chats, chat_body("x")).waited > std::chrono::hours(24 * 365 * 200));
}

TEST_CASE("a fault writes 100,000 events byte by byte in linear time") {
  std::string events;
  for (int i = 0; i < 100'000; ++i) events += "data: 0123456789\n\n";
  const auto engine = engine_of(
      {{.replies = {reply::Body{.bytes = events, .content_type = "text/event-stream", .streamed = true}},
        .fault = {.write_bytes = 1}}});
  CHECK((ask(*engine, chats, chat_body("x")).body == events));
}

TEST_CASE("no_finish_reason and no_usage hold for whole answers and responses") {
  const auto engine = engine_of({{.fault = {.no_finish_reason = true, .no_usage = true}}});
  const auto whole = Document::parse(ask(*engine, chats, chat_body("x")).body);
  CHECK(whole["choices"][0]["finish_reason"].is_null());
  CHECK_FALSE(whole.contains("usage"));
  const auto response = R"({"model":"inferwire-toy","input":"x","max_output_tokens":16)";
  for (const auto* const rest : {"}", R"(,"stream":true})"}) {
    const auto answer = ask(*engine, "/v1/responses", response + std::string(rest));
    CHECK(answer.head.status == 200);
    CHECK_THAT(answer.body, contains("output_text"));
    CHECK_THAT(answer.body, !contains("\"usage\""));
  }
}

TEST_CASE("the client reads the same answer from a stream in every spelling") {
  const auto engine = engine_of({{.when = {.last_user_contains = "odd"},
                                  .replies = {reply::Text{"one two three"}},
                                  .fault = {.empty_choices = true,
                                            .comments = true,
                                            .crlf = true,
                                            .byte_order_mark = true,
                                            .no_space = true,
                                            .write_bytes = 1}},
                                 {.replies = {reply::Text{"one two three"}}}});
  const Client client({.base_url = "http://localhost/v1",
                       .credential = Credential::none(),
                       .transport = std::make_shared<engine::EngineTransport>(engine)});
  const auto odd = client.chat.stream({.model = "inferwire-toy", .messages = {chat::user("odd")}}).collect();
  REQUIRE(odd);
  CHECK(odd.response.text() == "one two three");
}

TEST_CASE("stall_after_events waits for ever, and the answer can be destroyed") {
  const auto engine =
      engine_of({{.replies = {reply::Text{"one two three"}}, .fault = {.stall_after_events = 2}}});
  const TimePoint start{std::chrono::hours(1)};
  {
    auto answer =
        engine->start({.url = "http://e" + chats, .body = chat_body("x", R"("stream":true)")}, start);
    auto step = answer->step(start);
    while (step.kind == engine::Step::Kind::bytes) step = answer->step(start);
    CHECK(step.kind == engine::Step::Kind::wait);
    CHECK(step.until == TimePoint::max());
    CHECK(engine->journal().last()->outcome == engine::Outcome::running);
  }
  CHECK(engine->journal().last()->outcome == engine::Outcome::abandoned);
}

TEST_CASE("a container's faults are inside SageMaker's frames") {
  const auto engine =
      engine_of({{.replies = {reply::Text{"one two three"}}, .fault = {.cut_after_events = 1}}});
  const auto answer = ask(*engine, "/endpoints/inferwire-toy/invocations-response-stream",
                          R"({"messages":[{"role":"user","content":"x"}],"stream":true})");
  CHECK_FALSE(answer.broken);
  CHECK_THAT(answer.body, contains("ModelStreamError"));
}

TEST_CASE("a fault happens once behind SageMaker") {
  constexpr const char* where = "/endpoints/inferwire-toy/invocations";
  constexpr const char* question = R"({"messages":[{"role":"user","content":"x"}]})";
  const std::string mark = "\xEF\xBB\xBF";
  const auto marked = engine_of({{.replies = {reply::Text{"one"}}, .fault = {.byte_order_mark = true}}});
  const auto answer = ask(*marked, where, question);
  CHECK(answer.body.starts_with(mark));
  CHECK(answer.body.find(mark, 1) == std::string::npos);
  const auto cut = engine_of(
      {{.replies = {reply::Body{
            .bytes = "data: 1\n\ndata: 2\n\n", .content_type = "text/event-stream", .streamed = true}},
        .fault = {.cut_after_events = 1}}});
  CHECK(ask(*cut, where, question).broken);
}

TEST_CASE("a fault's delay holds back the head of a stream, too") {
  const auto engine =
      engine_of({{.replies = {reply::Text{"one two three"}}, .fault = {.delay = Duration(500)}}});
  const TimePoint start{std::chrono::hours(1)};
  auto answer = engine->start({.url = "http://e" + chats, .body = chat_body("x", R"("stream":true)")}, start);
  CHECK_FALSE(answer->streamed());
  CHECK(answer->step(start + Duration(499)).kind == engine::Step::Kind::wait);
  CHECK_FALSE(answer->streamed());
  CHECK(answer->step(start + Duration(500)).bytes.empty());
  CHECK(answer->streamed());
}

TEST_CASE("error_after_events of a Responses stream is an event with the next sequence_number") {
  const auto after = GENERATE(0U, 2U);
  const auto engine =
      engine_of({{.replies = {reply::Text{"one two"}}, .fault = {.error_after_events = after}}});
  const auto answer = ask(*engine, "/v1/responses", R"({"model":"inferwire-toy","input":"x","stream":true})");
  CHECK(answer.events().size() == after + 1);
  CHECK(answer.body.ends_with("event: error\ndata: " + answer.events().back() + "\n\n"));
  CHECK(Document::parse(answer.events().back()) ==
        Document{{"type", "error"},
                 {"sequence_number", after},
                 {"code", "server_error"},
                 {"message", "The engine failed: a fault of its script."},
                 {"param", nullptr}});
}
