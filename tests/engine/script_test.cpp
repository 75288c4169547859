// Scripted engines: which rule answers, what it says, what is wrong with the rule, and what the journal
// tells.
#include <nlohmann/json.hpp>

#include <set>

#include "engine/script/glob.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/engine_transport.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"
#include "wrapped_model.hpp"

using namespace inferwire;
using namespace inferwire_test;
using Document = nlohmann::json;
using engine::Rule;
namespace reply = inferwire::engine::reply;

namespace {

const std::string chats = "/v1/chat/completions";

std::string chat_body(const std::string& text, const std::string& members = "") {
  return R"({"model":"inferwire-toy","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":")" +
         text + R"("}])" + (members.empty() ? "" : "," + members) + "}";
}

std::shared_ptr<engine::Engine> engine_of(std::vector<Rule> rules, bool strict = false) {
  return std::make_shared<engine::Engine>(engine::EngineOptions{
      .created = 1, .script = {.rules = std::move(rules), .strict = strict}, .journal_entries = 100});
}

std::string text_of(const Answered& answer) {
  return Document::parse(answer.body)["choices"][0]["message"]["content"];
}

std::string said(engine::Engine& engine, const std::string& text, const std::string& members = "") {
  return text_of(ask(engine, chats, chat_body(text, members)));
}

}  // namespace

TEST_CASE("patterns stand for whole texts") {
  using engine::fits;
  CHECK(fits("", ""));
  CHECK(fits("*", ""));
  CHECK(fits("slow-*", "slow-model"));
  CHECK(fits("*-mini", "jamba-1.5-mini"));
  CHECK(fits("a*b*c", "aXbYbZc"));
  CHECK(fits("a?c", "abc"));
  CHECK_FALSE(fits("slow-*", "a-slow-model"));
  CHECK_FALSE(fits("a?c", "ac"));
  CHECK_FALSE(fits("", "a"));
  CHECK_FALSE(fits("*a", "b"));
  CHECK_FALSE(fits("a*a*a*a*a*b", std::string(2000, 'a')));
}

TEST_CASE("a scripted text is said by the tokens of the model, in every room") {
  const std::string text = "The café is open; 42 chairs are free.";
  const auto engine = engine_of({{.replies = {reply::Text{text}}}});
  const auto whole = Document::parse(ask(*engine, chats, chat_body("x", R"("logprobs":true)")).body);
  CHECK(whole["choices"][0]["message"]["content"] == text);
  CHECK(whole["choices"][0]["finish_reason"] == "stop");
  CHECK(whole["usage"]["completion_tokens"] == whole["choices"][0]["logprobs"]["content"].size());

  std::string streamed;
  int pieces = 0;
  for (const auto& event : ask(*engine, chats, chat_body("x", R"("stream":true)")).events()) {
    if (event == "[DONE]") continue;
    const auto chunk = Document::parse(event);
    const auto& delta = chunk["choices"][0]["delta"];
    if (!delta.contains("content")) continue;
    streamed += delta["content"].get<std::string>();
    ++pieces;
  }
  CHECK(streamed == text);
  CHECK(pieces > 5);

  CHECK(said(*engine, "x", R"("stop":"; ")") == "The café is open");
  const auto cut = Document::parse(ask(*engine, chats, chat_body("x", R"("max_tokens":2)")).body);
  CHECK(cut["choices"][0]["finish_reason"] == "length");
  CHECK(Document::parse(
            ask(*engine, "/v1/completions", R"({"model":"inferwire-toy","prompt":"x","max_tokens":100})")
                .body)["choices"][0]["text"] == text);
  CHECK(Document::parse(ask(*engine, "/v1/responses", R"({"model":"inferwire-toy","input":"x"})")
                            .body)["output"][0]["content"][0]["text"] == text);
  CHECK_THAT(ask(*engine, "/invocations", R"({"messages":[{"role":"user","content":"x"}]})").body,
             contains("eos_token"));
}

TEST_CASE("the first rule that matches answers, and every condition has to hold") {
  struct Case {
    engine::Matcher when;
    bool matches;
  };
  const auto [when, matches] = GENERATE(values<Case>({
      {{}, true},
      {{.method = "POST"}, true},
      {{.method = "GET"}, false},
      {{.path = "/v1/*"}, true},
      {{.path = "/v1"}, false},
      {{.model = "inferwire-*"}, true},
      {{.model = "slow-*"}, false},
      {{.headers = {{"content-type", "application/json*"}}}, true},
      {{.headers = {{"x-none", "*"}}}, false},
      {{.last_user_contains = "weather"}, true},
      {{.last_user_contains = "brief"}, false},
      {{.last_user_matches = "we.ther .n Par"}, true},
      {{.last_user_matches = "^Paris"}, false},
      {{.last_user_matches = "(("}, false},
      {{.system_contains = "brief"}, true},
      {{.system_contains = "weather"}, false},
      {{.any_text_contains = "brief"}, true},
      {{.any_text_contains = "nothing"}, false},
      {{.tool = "get_weather"}, false},
      {{.tool_call_id = "c1"}, false},
      {{.tool_result_contains = "sun"}, false},
      {{.response_format = "text"}, true},
      {{.response_format = "json_schema"}, false},
      {{.stream = false}, true},
      {{.stream = true}, false},
      {{.body = {{"/temperature", "0.50"}}}, true},
      {{.body = {{"/messages/1/role", R"("user")"}}}, true},
      {{.body = {{"/temperature", "0.6"}}}, false},
      {{.body = {{"no pointer", "1"}}}, false},
      {{.path = "/v1/*", .last_user_contains = "nothing"}, false},
  }));
  const auto engine = engine_of(
      {{.when = when, .replies = {reply::Text{"matched"}}}, {.replies = {reply::Text{"not matched"}}}});
  CHECK(said(*engine, "the weather in Paris", R"("temperature":0.5,"response_format":{"type":"text"})") ==
        (matches ? "matched" : "not matched"));
}

TEST_CASE("an expression searches the beginning of a message, however long that is") {
  const auto matches = [](const std::string& expression, const std::string& text) {
    const auto engine =
        engine_of({{.when = {.last_user_matches = expression}, .replies = {reply::Body{.bytes = "matched"}}},
                   {.replies = {reply::Body{.bytes = "not matched"}}}});
    return ask(*engine, chats, chat_body(text)).body == "matched";
  };
  CHECK(matches("a[\\s\\S]*b", "a" + std::string(1022, 'x') + "b"));
  CHECK_FALSE(matches("a[\\s\\S]*b", "a" + std::string(1023, 'x') + "b"));
  CHECK(matches("^x+$", std::string(1024, 'x')));
  CHECK_FALSE(matches("^x+$", std::string(1025, 'x')));
  CHECK_FALSE(matches(".*weather.*", std::string(100'000, 'x')));
}

TEST_CASE("conditions and replies may be code") {
  struct Longer final : engine::Condition {
    bool holds(const HttpRequest& request) const override { return request.body.size() > 1000; }
  };
  struct Echo final : reply::Responder {
    engine::Reply reply(const HttpRequest& request) override {
      return reply::Text{std::to_string(request.body.size())};
    }
  };
  const auto engine = engine_of(
      {{.when = {.condition = std::make_shared<Longer>()}, .replies = {reply::Ask{std::make_shared<Echo>()}}},
       {.replies = {reply::Text{"short"}}}});
  CHECK(said(*engine, "x") == "short");
  CHECK(said(*engine, std::string(1000, 'x')) == std::to_string(chat_body(std::string(1000, 'x')).size()));
}

TEST_CASE("replies come one after another, and rules begin late and wear out") {
  const auto engine = engine_of({
      {.skip = 1, .times = 3, .replies = {reply::Text{"one"}, reply::Text{"two"}}},
      {.replies = {reply::Text{"else"}}},
  });
  std::vector<std::string> all;
  for (int i = 0; i < 6; ++i) all.push_back(said(*engine, "x"));
  CHECK(all == std::vector<std::string>{"else", "one", "two", "two", "else", "else"});
}

TEST_CASE("a failure has the form of the provider and the time to come back") {
  const auto engine =
      engine_of({{.replies = {reply::Failure{.status = 429, .message = "Slow down.", .retry_after = 7},
                              reply::Failure{.status = 503}, reply::Generate{}}}});
  const auto limited = ask(*engine, chats, chat_body("x"));
  CHECK(limited.head.status == 429);
  CHECK(find_header(limited.head.headers, "retry-after") == "7");
  CHECK(Document::parse(limited.body)["error"]["code"] == "rate_limit_exceeded");
  const auto overloaded = ask(*engine, "/serving-endpoints/pt-chat/invocations",
                              R"({"messages":[{"role":"user","content":"x"}]})");
  CHECK(overloaded.head.status == 503);
  CHECK(Document::parse(overloaded.body)["error_code"] == "TEMPORARILY_UNAVAILABLE");
  CHECK(ask(*engine, chats, chat_body("x", R"("max_tokens":1)")).head.status == 200);
}

TEST_CASE("a body is sent as it is, at paths that are nobody's too") {
  const auto engine = engine_of(
      {{.when = {.path = "/custom"},
        .replies = {reply::Body{
            .bytes = "<html>", .content_type = "text/html", .status = 502, .headers = {{"x-mine", "yes"}}}}},
       {.replies = {
            reply::Body{.bytes = "data: {\n\n", .content_type = "text/event-stream", .streamed = true}}}});
  const auto page = ask(*engine, "/custom", "");
  CHECK(page.head.status == 502);
  CHECK(find_header(page.head.headers, "x-mine") == "yes");
  CHECK(page.body == "<html>");
  const auto stream = ask(*engine, chats, chat_body("x"));
  CHECK(stream.streamed);
  CHECK(stream.body == "data: {\n\n");
}

TEST_CASE("a row is given for every text") {
  const auto engine = engine_of({{.replies = {reply::Row{{0.6F, 0.8F}}}}});
  const auto answer = Document::parse(
      ask(*engine, "/v1/embeddings", R"({"model":"inferwire-embed","input":["a","b"]})").body);
  REQUIRE(answer["data"].size() == 2);
  CHECK(answer["data"][1]["embedding"] == Document({0.6, 0.8}));
}

TEST_CASE("a message calls tools, whole and in the deltas that clients need") {
  const auto engine = engine_of(
      {{.replies = {reply::Message{.text = "Let me look.",
                                   .calls = {{"get_weather", R"({"city":"Paris"})"}, {"get_time", "{}"}}}}}});
  const auto whole = Document::parse(ask(*engine, chats, chat_body("x")).body)["choices"][0];
  CHECK(whole["finish_reason"] == "tool_calls");
  CHECK(whole["message"]["content"] == "Let me look.");
  REQUIRE(whole["message"]["tool_calls"].size() == 2);
  CHECK(whole["message"]["tool_calls"][0]["function"]["arguments"] == R"({"city":"Paris"})");

  auto transport = std::make_shared<engine::EngineTransport>(engine);
  const Client client(
      {.base_url = "http://localhost/v1", .credential = Credential::none(), .transport = transport});
  const auto streamed =
      client.chat.stream({.model = "inferwire-toy", .messages = {chat::user("x")}}).collect();
  REQUIRE(streamed);
  const auto& message = streamed.response.choices.at(0).message;
  CHECK(message.text() == "Let me look.");
  REQUIRE(message.tool_calls.size() == 2);
  CHECK(message.tool_calls[0].function->arguments == R"({"city":"Paris"})");
  CHECK(message.tool_calls[1].function->name == "get_time");
  CHECK(message.tool_calls[0].id != message.tool_calls[1].id);

  std::set<std::string> names;
  for (const auto& event : ask(*engine, chats, chat_body("x", R"("stream":true)")).events()) {
    if (event == "[DONE]") continue;
    const auto chunk = Document::parse(event);
    for (const auto& call : chunk["choices"][0]["delta"].value("tool_calls", Document::array())) {
      if (!call["function"].contains("name")) continue;
      CHECK(call["function"]["arguments"] == "");
      CHECK(call["type"] == "function");
      CHECK(names.insert(call["function"]["name"]).second);
    }
  }
  CHECK(names.size() == 2);
}

TEST_CASE("a message has the form of its provider, as a text has") {
  const std::string question = R"("messages":[{"role":"user","content":"x"}])";
  const std::string toy = R"({"model":"inferwire-toy",)" + question;
  struct Row {
    const char* path;
    std::string body;
  };
  const Row rows[] = {
      {"/v1/chat/completions", toy},
      {"/serving-endpoints/inferwire-toy/invocations", "{" + question},
      {"/serving-endpoints/chat/completions", toy},
      {"/studio/v1/chat/completions", R"({"model":"jamba-1.5-mini",)" + question},
      {"/lmi/chat/completions", toy},
      {"/invocations", "{" + question},
  };
  for (const auto& row : rows) {
    for (const std::string members :
         {"}", R"(,"stream":true})", R"(,"stream":true,"stream_options":{"include_usage":true}})",
          R"(,"max_tokens":1})", R"(,"max_tokens":1,"stream":true})", R"(,"stop":[" three"]})",
          R"(,"stop":[" three"],"stream":true})", R"(,"logprobs":true,"top_logprobs":1})",
          R"(,"logprobs":true,"top_logprobs":1,"stream":true})"}) {
      CAPTURE(row.path, members);
      const auto said_by = [&](const engine::Reply& what) {
        return ask(*engine_of({{.replies = {what}}}), row.path, row.body + members);
      };
      const auto text = said_by(reply::Text{"one two three"});
      const auto message = said_by(reply::Message{.text = "one two three"});
      CHECK(message.head.status == text.head.status);
      CHECK(message.body == text.body);
    }
  }
  const auto calls = engine_of({{.replies = {reply::Message{.calls = {{"f", "{}"}}}}}});
  CHECK(Document::parse(ask(*calls, chats, chat_body("x")).body)["choices"][0]["message"]
            .at("content")
            .is_null());
}

TEST_CASE("a message that is cut or stopped before its calls has none") {
  const auto engine =
      engine_of({{.replies = {reply::Message{.text = "one two three", .calls = {{"f", "{}"}}}}}});
  for (const auto& [members, text, finish] :
       {std::tuple{R"("max_tokens":1)", "one", "length"}, {R"("stop":[" three"])", "one two", "stop"}}) {
    const auto choice = Document::parse(ask(*engine, chats, chat_body("x", members)).body)["choices"][0];
    CHECK(choice["message"]["content"] == text);
    CHECK_FALSE(choice["message"].contains("tool_calls"));
    CHECK(choice["finish_reason"] == finish);
  }
}

TEST_CASE("what a script says in the wrong room is the engine's failure, not silence") {
  const auto message = engine_of({{.replies = {reply::Message{.calls = {{"f", "{}"}}}}}});
  CHECK(ask(*message, "/v1/responses", R"({"model":"inferwire-toy","input":"x"})").head.status == 500);
  CHECK(ask(*message, "/v1/completions", R"({"model":"inferwire-toy","prompt":"x"})").head.status == 500);
  const auto text = engine_of({{.replies = {reply::Text{"x"}}}});
  CHECK(ask(*text, "/v1/embeddings", R"({"model":"inferwire-embed","input":"x"})").head.status == 500);
  const auto row = engine_of({{.replies = {reply::Row{{1}}}}});
  CHECK(ask(*row, chats, chat_body("x")).head.status == 500);
}

TEST_CASE("a scripted text of a reasoning model is its text and not its thoughts") {
  const auto engine = engine_of({{.replies = {reply::Text{"Just this."}}}});
  const auto answer = ask(*engine, "/serving-endpoints/databricks-gpt-oss-120b/invocations",
                          R"({"messages":[{"role":"user","content":"x"}]})");
  CHECK_THAT(answer.body, contains("\"Just this.\""));
  CHECK_THAT(answer.body, !contains("reasoning\","));
}

TEST_CASE("a scripted text of a reasoning model is a string, whole and in a stream") {
  const auto engine = engine_of({{.replies = {reply::Text{"Just this."}}}});
  const std::string question = R"({"messages":[{"role":"user","content":"x"}])";
  for (const auto& [name, members] :
       {std::pair{"databricks-gpt-oss-120b", ""},
        {"databricks-claude-sonnet-4", R"(,"thinking":{"type":"enabled","budget_tokens":1024})"}}) {
    INFO(name);
    const auto path = "/serving-endpoints/" + std::string(name) + "/invocations";
    CHECK(text_of(ask(*engine, path, question + members + "}")) == "Just this.");
    std::string streamed;
    for (const auto& event : ask(*engine, path, question + members + R"(,"stream":true})").events()) {
      if (event == "[DONE]") continue;
      const auto delta = Document::parse(event)["choices"][0]["delta"];
      if (delta.contains("content")) streamed += delta["content"].get<std::string>();
    }
    CHECK(streamed == "Just this.");
  }
}

TEST_CASE("a message may have parts for its content") {
  const auto engine = engine_of({{.replies = {reply::Message{.parts = {R"({"type":"text","text":"hi"})"}}}}});
  const auto content =
      Document::parse(ask(*engine, chats, chat_body("x")).body)["choices"][0]["message"]["content"];
  CHECK(content == Document::parse(R"([{"type":"text","text":"hi"}])"));
  const auto events = ask(*engine, chats, chat_body("x", R"("stream":true)")).events();
  REQUIRE(events.size() == 4);
  CHECK_FALSE(Document::parse(events[0])["choices"][0]["delta"].contains("content"));
  CHECK(Document::parse(events[1])["choices"][0]["delta"]["content"] == content);
}

TEST_CASE("in strict mode a request that no rule matches is told what the rules want") {
  const auto engine = engine_of({{.name = "weather", .when = {.last_user_contains = "weather"}},
                                 {.name = "once", .times = 1, .replies = {reply::Text{"once"}}}},
                                true);
  CHECK(said(*engine, "x") == "once");
  const auto refused = ask(*engine, chats, chat_body("x"));
  CHECK(refused.head.status == 404);
  CHECK_THAT(refused.body, contains("weather: the last user message does not contain 'weather'"));
  CHECK_THAT(refused.body, contains("once: it is used up"));
  CHECK(engine->journal().unmatched().size() == 1);
  CHECK(ask(*engine, {.method = "GET", .url = "http://e/health"}).head.status == 200);
}

TEST_CASE("faults of streams") {
  const auto events_with = [](engine::Fault fault) {
    const auto engine = engine_of({{.replies = {reply::Text{"one two three"}}, .fault = fault}});
    return ask(*engine, chats, chat_body("x", R"("stream":true,"stream_options":{"include_usage":true})"));
  };
  const auto good = events_with({});
  const auto count = good.events().size();
  REQUIRE(count > 4);

  SECTION("cut after events") {
    const auto answer = events_with({.cut_after_events = 2});
    CHECK(answer.broken);
    CHECK(answer.events().size() == 2);
    CHECK(good.body.starts_with(answer.body));
  }
  SECTION("cut after no event at all") {
    const auto answer = events_with({.cut_after_events = 0});
    CHECK(answer.broken);
    CHECK(answer.body.empty());
  }
  SECTION("cut inside an event") {
    const auto answer = events_with({.cut_after_bytes = 100});
    CHECK(answer.broken);
    CHECK(answer.body == good.body.substr(0, 100));
  }
  SECTION("an error after events, and no end mark") {
    const auto answer = events_with({.error_after_events = 2});
    CHECK_FALSE(answer.broken);
    REQUIRE(answer.events().size() == 3);
    CHECK(Document::parse(answer.events().back()).contains("error"));
  }
  SECTION("no end mark") { CHECK(events_with({.no_end_mark = true}).events().size() == count - 1); }
  SECTION("no finish reason and no usage") {
    const auto answer = events_with({.no_finish_reason = true, .no_usage = true});
    CHECK_THAT(answer.body, !contains("\"stop\""));
    CHECK_THAT(answer.body, !contains("\"usage\""));
  }
  SECTION("every event twice") {
    CHECK(events_with({.repeat_events = true}).events().size() == 2 * count - 1);
  }
  SECTION("a chunk without choices first") {
    CHECK(Document::parse(events_with({.empty_choices = true}).events()[0])["choices"].empty());
  }
  SECTION("other spellings of the same stream") {
    const auto answer = events_with(
        {.comments = true, .crlf = true, .byte_order_mark = true, .no_space = true, .write_bytes = 3});
    CHECK(answer.body.starts_with("\xEF\xBB\xBF: ping\r\n\r\ndata:{"));
    CHECK_THAT(answer.body, contains("data:[DONE]\r\n\r\n"));
    CHECK(events_with({.error_after_events = 1, .crlf = true}).body.ends_with("}}\r\n\r\n"));
  }
  SECTION("no space behind the name of a field, and the data as they are") {
    const auto engine = engine_of({{.replies = {reply::Body{.bytes = "data: {\"a\":\"data: x\"}\n\n",
                                                            .content_type = "text/event-stream",
                                                            .streamed = true}},
                                    .fault = {.no_space = true}}});
    CHECK(ask(*engine, chats, chat_body("x")).body == "data:{\"a\":\"data: x\"}\n\n");
  }
  SECTION("another content type") {
    CHECK(find_header(events_with({.content_type = "text/html"}).head.headers, "content-type") ==
          "text/html");
  }
  SECTION("in the engine's time: late, and slowly") {
    const auto answer =
        events_with({.delay = Duration(500), .write_bytes = 100, .write_every = Duration(10)});
    CHECK(answer.body == good.body);
    CHECK(answer.waited >= Duration(500) + Duration(10) * (good.body.size() / 100 - 1));
  }
  SECTION("all at once") {
    const auto engine =
        engine_of({{.replies = {reply::Text{"one two three"}}, .fault = {.one_write = true}}});
    ask(*engine, chats, chat_body("x", R"("stream":true)"));
    CHECK(engine->journal().last()->pieces == 1);
  }
}

TEST_CASE("no finish reason and no usage, in whole answers and in responses") {
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

TEST_CASE("what the client makes of the stream's other spellings is the same answer") {
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

TEST_CASE("a stalled stream waits for ever and can be left") {
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

TEST_CASE("faults of a container are inside SageMaker's frames") {
  const auto engine =
      engine_of({{.replies = {reply::Text{"one two three"}}, .fault = {.cut_after_events = 1}}});
  const auto answer = ask(*engine, "/endpoints/inferwire-toy/invocations-response-stream",
                          R"({"messages":[{"role":"user","content":"x"}],"stream":true})");
  CHECK_FALSE(answer.broken);
  CHECK_THAT(answer.body, contains("ModelStreamError"));
}

TEST_CASE("behind SageMaker a fault happens once, whatever the answer is") {
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

TEST_CASE("nothing of an answer leaves before its delay is over, not even the head of a stream") {
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

TEST_CASE("a stream that its client has read to the end is whole in the journal") {
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

TEST_CASE("a request whose model throws is in the journal, too") {
  engine::Engine engine({.endpoints = {{.name = "inferwire-toy", .model = std::make_shared<UnreadyModel>()}},
                         .journal_entries = 10});
  CHECK(ask(engine, chats, chat_body("x")).head.status == 500);
  REQUIRE(engine.journal().wait_for(1, Duration(0)));
  CHECK(engine.journal().last()->status == 500);
}

TEST_CASE("a rule may have its own pace, with the same jitter for the same seed") {
  const auto waited = [](std::uint64_t seed, double jitter) {
    engine::Engine engine(
        {.seed = seed,
         .script = {.rules = {{.replies = {reply::Text{std::string(40, 'a')}},
                               .pacing = engine::Pacing{.first_token = Duration(100),
                                                        .per_token = std::chrono::milliseconds(50),
                                                        .jitter = jitter}}}}});
    return ask(engine, chats, chat_body("x", R"("max_tokens":11)")).waited;
  };
  CHECK(waited(1, 0) == Duration(600));
  CHECK(waited(1, 0.5) == waited(1, 0.5));
  CHECK(waited(1, 0.5) != waited(2, 0.5));
  CHECK(waited(1, 0.5) > Duration(300));
  CHECK(waited(1, 0.5) < Duration(900));
}

TEST_CASE("chaos follows from its seed and is in the journal") {
  const auto run = [](std::uint64_t seed) {
    engine::Engine engine(
        {.seed = seed,
         .script = {.chaos = {.failures = 0.2, .cuts = 0.2, .stalls = 0, .slow_starts = 0.2}},
         .journal_entries = 200});
    std::string outcomes;
    for (int i = 0; i < 100; ++i) {
      const auto answer = ask(engine, chats, chat_body("x", R"("stream":true,"max_tokens":20)"));
      outcomes += answer.head.status != 200     ? 'f'
                  : answer.broken               ? 'c'
                  : answer.waited > Duration(0) ? 's'
                                                : '.';
      const auto entry = engine.journal().last();
      CHECK(entry->chaos.empty() == (outcomes.back() == '.'));
    }
    return outcomes;
  };
  const auto first = run(1);
  CHECK(first == run(1));
  CHECK(first != run(2));
  for (const char kind : std::string("fcs.")) {
    CHECK(std::count(first.begin(), first.end(), kind) > 5);
  }
}

TEST_CASE("the journal tells what was asked and how it went, without secrets") {
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
  engine->journal().clear();
  CHECK(engine->journal().entries().empty());
}

TEST_CASE("what is answered before the script is asked uses up none of its rules") {
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

TEST_CASE("a script is read from JSON") {
  const auto script = engine::parse_script(R"({
    "strict": true,
    "chaos": {"failures": 0.1, "cuts": 0.2, "stalls": 0, "slow_starts": 1},
    "rules": [
      {"name": "weather",
       "when": {"method": "POST", "path": "/v1/*", "model": "toy-*", "headers": {"x-a": "b*"},
                "last_user_contains": "a", "last_user_matches": "b+", "system_contains": "c",
                "any_text_contains": "d", "tool": "t", "tool_call_id": "i", "tool_result_contains": "r",
                "response_format": "text", "stream": true, "body": {"/temperature": 0.2}},
       "skip": 1, "times": 2,
       "replies": [{"text": "hi"},
                   {"message": {"text": "x", "calls": [{"name": "f", "arguments": {"a": 1}}]}},
                   {"message": {"parts": [{"type": "text", "text": "hi"}]}},
                   {"body": {"bytes": {"a": 1}, "status": 201, "content_type": "application/json",
                             "headers": {"x": "y"}, "streamed": true}},
                   {"failure": {"status": 429, "message": "m", "retry_after": 1}},
                   {"row": [0.5, 1]},
                   {"generate": {}}],
       "pacing": {"first_token_ms": 500, "tokens_per_second": 30, "jitter": 0.2},
       "fault": {"delay_ms": 1, "cut_after_events": 4, "cut_after_bytes": 5, "error_after_events": 6,
                 "stall_after_events": 7, "no_end_mark": true, "no_finish_reason": true, "no_usage": true,
                 "repeat_events": true, "empty_choices": true, "comments": true, "crlf": true,
                 "byte_order_mark": true, "no_space": true, "write_bytes": 8, "write_every_ms": 9,
                 "one_write": true, "content_type": "x/y"}}]})");
  INFO((script ? "" : script.error().message()));
  REQUIRE(script);
  CHECK(script->strict);
  CHECK(script->chaos.cuts == 0.2);
  REQUIRE(script->rules.size() == 1);
  const auto& rule = script->rules[0];
  CHECK(rule.when.headers[0].value == "b*");
  CHECK(rule.when.body[0].pointer == "/temperature");
  CHECK(rule.when.stream == true);
  CHECK(rule.skip == 1);
  CHECK(rule.times == 2);
  REQUIRE(rule.replies.size() == 7);
  CHECK(std::get<reply::Text>(rule.replies[0]).text == "hi");
  CHECK(std::get<reply::Message>(rule.replies[1]).calls[0].arguments == R"({"a":1})");
  CHECK(std::get<reply::Message>(rule.replies[2]).parts.size() == 1);
  CHECK(std::get<reply::Body>(rule.replies[3]).bytes == R"({"a":1})");
  CHECK(std::get<reply::Failure>(rule.replies[4]).retry_after == 1);
  CHECK(std::get<reply::Row>(rule.replies[5]).values.size() == 2);
  CHECK(rule.pacing->per_token == std::chrono::nanoseconds(33'333'333));
  CHECK(rule.fault.stall_after_events == 7U);
  CHECK(rule.fault.write_every == Duration(9));
  CHECK(rule.fault.content_type == "x/y");
}

TEST_CASE("a script with a mistake is refused where it is") {
  struct Case {
    std::string script, path, detail;
  };
  const auto bad = GENERATE(values<Case>({
      {"{", "", "syntax error at byte 2"},
      {"[]", "", "expected an object"},
      {R"({"ruls":[]})", "ruls", "no such member"},
      {R"({"rules":{}})", "rules", "expected a list"},
      {R"({"rules":[{"when":{"stream":1}}]})", "rules[0].when.stream", "true or false"},
      {R"({"rules":[{"when":{"last_user_matches":"(("}}]})", "rules[0].when.last_user_matches",
       "regular expression"},
      {R"({"rules":[{"replies":[{}]}]})", "rules[0].replies[0]", "expected one of"},
      {R"({"rules":[{"replies":[{"text":"a","row":[1]}]}]})", "rules[0].replies[0]", "expected one of"},
      {R"({"rules":[{"replies":[{"failure":{"status":200}}]}]})", "rules[0].replies[0].failure.status",
       "400 to 599"},
      {R"({"rules":[{"replies":[{"failure":{"status":4294967725}}]}]})", "rules[0].replies[0].failure.status",
       "400 to 599"},
      {R"({"rules":[{"replies":[{"failure":{"retry_after":9223372036854775808}}]}]})",
       "rules[0].replies[0].failure.retry_after", "at most"},
      {R"({"rules":[{"replies":[{"body":{"status":0}}]}]})", "rules[0].replies[0].body.status", "100 to 599"},
      {R"({"rules":[{"when":{"body":{"model":"m"}}}]})", "rules[0].when.body.model", "JSON pointer"},
      {R"({"rules":[{"when":{"body":{"/a~2":1}}}]})", "rules[0].when.body./a~2", "JSON pointer"},
      {R"({"rules":[{"fault":{"delay_ms":9223372036854775807}}]})", "rules[0].fault.delay_ms", "at most"},
      {R"({"rules":[{"fault":{"write_every_ms":86400001}}]})", "rules[0].fault.write_every_ms", "at most"},
      {R"({"rules":[{"pacing":{"first_token_ms":18446744073709551615}}]})", "rules[0].pacing.first_token_ms",
       "at most"},
      {R"({"rules":[{"pacing":{"tokens_per_second":1e-300}}]})", "rules[0].pacing.tokens_per_second",
       "a token a day"},
      {R"({"rules":[{"times":-1}]})", "rules[0].times", "not negative"},
      {R"({"rules":[{"pacing":{"tokens_per_second":0}}]})", "rules[0].pacing.tokens_per_second",
       "greater than 0"},
      {R"({"chaos":{"cuts":2}})", "chaos.cuts", "[0, 1]"},
  }));
  const auto script = engine::parse_script(bad.script);
  REQUIRE_FALSE(script);
  CHECK(script.error().kind == ErrorKind::decode);
  CHECK(script.error().path == bad.path);
  CHECK_THAT(script.error().detail, contains(bad.detail));
}

TEST_CASE("an answer that takes longer than the deadline is an error, in the form of its provider") {
  engine::Engine engine(
      {.pacing = {.first_token = Duration(100), .per_token = std::chrono::milliseconds(100)},
       .deadline = Duration(450)});
  const std::string long_chat = chat_body("x", R"("max_tokens":50,"ignore_eos":true)");
  const auto whole = ask(engine, chats, long_chat);
  CHECK(whole.head.status == 504);
  CHECK(whole.waited == Duration(450));
  CHECK(Document::parse(whole.body)["error"]["code"] == "timeout");
  const auto streamed =
      ask(engine, chats, chat_body("x", R"("max_tokens":50,"ignore_eos":true,"stream":true)"));
  CHECK(streamed.head.status == 200);
  const auto events = streamed.events();
  CHECK(Document::parse(events.back()).contains("error"));
  CHECK(events.size() > 3);
  CHECK(ask(engine, chats, chat_body("x", R"("max_tokens":2)")).head.status == 200);

  const std::string completions = "/serving-endpoints/databricks-mpt-7b-instruct/invocations";
  const auto refused = ask(engine, completions, R"({"prompt":"The river","max_tokens":50})");
  CHECK(refused.head.status == 504);
  CHECK(Document::parse(refused.body)["error_code"] == "DEADLINE_EXCEEDED");
  const auto cut = Document::parse(
      ask(engine, completions, R"({"prompt":"The river","max_tokens":50,"error_behavior":"truncate"})").body);
  CHECK(cut["choices"][0]["finish_reason"] == "length");
  CHECK(cut["usage"]["completion_tokens"] == 4);
}

TEST_CASE("a deadline that passes behind the last piece of a stream leaves it whole") {
  using Kind = engine::Step::Kind;
  engine::Engine engine({.deadline = Duration(1'000)});
  for (const auto& [path, last] : {std::pair{chats.c_str(), "[DONE]"},
                                   {chats.c_str(), R"("finish_reason":"length")"},
                                   {"/lmi/v1/chat/completions", R"("finish_reason":"length")"}}) {
    INFO(path << " " << last);
    TimePoint now{};
    const auto generation = engine.start({.method = "POST",
                                          .url = "http://engine" + std::string(path),
                                          .headers = {{"content-type", "application/json"}},
                                          .body = chat_body("x", R"("max_tokens":3,"stream":true)")},
                                         now);
    std::string body;
    for (auto step = generation->step(now); step.kind != Kind::done; step = generation->step(now)) {
      REQUIRE(step.kind == Kind::bytes);
      body += step.bytes;
      if (body.find(last) != body.npos) now = TimePoint{} + Duration(2'000);
    }
    CHECK_THAT(body, !contains("error"));
    CHECK_THAT(body, contains(path == chats ? "data: [DONE]" : R"("finish_reason":"length")"));
  }
}

TEST_CASE("a stream that goes on after its deadline ends with the error, however late that is seen") {
  using Kind = engine::Step::Kind;
  engine::Engine engine({.pacing = {.per_token = Duration(100)}, .deadline = Duration(1'000)});
  TimePoint now{};
  const auto generation = engine.start({.method = "POST",
                                        .url = "http://engine" + chats,
                                        .headers = {{"content-type", "application/json"}},
                                        .body = chat_body("x", R"("max_tokens":500,"stream":true)")},
                                       now);
  for (int i = 0; i < 3; ++i) generation->step(now);
  now += std::chrono::hours(1);
  const auto last = generation->step(now);
  REQUIRE(last.kind == Kind::bytes);
  CHECK_THAT(std::string(last.bytes), contains("error"));
  CHECK_THAT(std::string(last.bytes), !contains("[DONE]"));
  CHECK(generation->step(now).kind == Kind::done);
}

TEST_CASE("the deadline is SageMaker's error too, whole or in frames") {
  engine::Engine engine(
      {.pacing = {.first_token = Duration(100), .per_token = std::chrono::milliseconds(100)},
       .deadline = Duration(450)});
  const std::string path = "/endpoints/inferwire-toy/invocations";
  const auto body = chat_body("x", R"("max_tokens":50,"ignore_eos":true)");
  const auto whole = ask(engine, path, body);
  CHECK(whole.head.status == 424);
  CHECK(find_header(whole.head.headers, "x-amzn-errortype") == "ModelError");
  CHECK(Document::parse(whole.body)["OriginalStatusCode"] == 504);
  const auto framed = ask(engine, path + "-response-stream", body);
  CHECK_THAT(framed.body, contains("ModelInvocationTimeExceeded"));
  CHECK(ask(engine, path, chat_body("x", R"("max_tokens":2)")).head.status == 200);
}

TEST_CASE("only completions put the deadline off by asking to be cut") {
  engine::Engine engine(
      {.pacing = {.first_token = Duration(100), .per_token = std::chrono::milliseconds(100)},
       .deadline = Duration(450)});
  const auto asked = [&](const char* path, const std::string& members) {
    return ask(engine, path, R"({"error_behavior":"truncate",)" + members + "}").head.status;
  };
  CHECK(asked("/v1/responses", R"("model":"inferwire-toy","input":"Tell me about the weather.")") == 504);
  CHECK(asked("/v1/embeddings", R"("model":"inferwire-embed","input":["a","b"])") == 200);
  engine::Engine late({.pacing = {.first_token = Duration(100)}, .deadline = Duration(50)});
  CHECK(ask(late, "/v1/embeddings", R"({"error_behavior":"truncate","model":"inferwire-embed","input":"a"})")
            .head.status == 504);
}
