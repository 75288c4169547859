// Scripted engines: which rule answers, what it says, and at what pace.
#include "engine/script/glob.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/engine_transport.hpp"
#include "inferwire/engine/language_model.hpp"
#include "scripted_engine.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <limits>
#include <set>

using namespace inferwire;
using namespace inferwire_test;
using Document = nlohmann::json;
namespace reply = inferwire::engine::reply;

namespace {

std::string said(engine::Engine& engine, const std::string& text, const std::string& members = "") {
  return text_of(ask(engine, chats, chat_body(text, members)));
}

}  // namespace

TEST_CASE("fits() matches a pattern with a whole text") {
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

TEST_CASE("a scripted text is given in the model's tokens, at every endpoint") {
  const std::string text = "The café is open; 42 chairs are free.";
  const auto engine = engine_of({{.replies = {reply::Text{text}}}});
  const auto whole = Document::parse(ask(*engine, chats, chat_body("x", R"("logprobs":true)")).body);
  CHECK(whole["choices"][0]["message"]["content"] == text);
  CHECK(whole["choices"][0]["finish_reason"] == "stop");
  CHECK(whole["usage"]["completion_tokens"] == whole["choices"][0]["logprobs"]["content"].size());

  std::string streamed;
  int pieces = 0;
  for (const auto& chunk : chunks_of(ask(*engine, chats, chat_body("x", R"("stream":true)")))) {
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

TEST_CASE("a request's biases, penalties and ignore_eos do not change a scripted answer") {
  const std::string text = "one two three";
  const auto tokens = engine::toy_model()->tokenize(text, false);
  const auto biased = [&](int bias) {
    return R"("logit_bias":{")" + std::to_string(tokens.front()) + "\":" + std::to_string(bias) + "}";
  };
  const auto says = engine_of({{.replies = {reply::Text{text}}}});
  const auto calls = engine_of({{.replies = {reply::Message{.text = text, .calls = {{"f", R"({"a":1})"}}}}}});
  for (const auto& members : {std::string(R"("ignore_eos":true)"), biased(-100), biased(100),
                              std::string(R"("frequency_penalty":2,"presence_penalty":2)")}) {
    INFO(members);
    const auto limited = members + R"(,"max_tokens":40)";
    CHECK(said(*says, "x", limited) == text);
    const auto completion = Document::parse(
        ask(*says, "/v1/completions", R"({"model":"inferwire-toy","prompt":"x",)" + limited + "}").body);
    CHECK(completion["choices"][0]["text"] == text);
    CHECK(completion["choices"][0]["finish_reason"] == "stop");
    const auto message =
        Document::parse(ask(*calls, chats, chat_body("x", limited)).body)["choices"][0]["message"];
    CHECK(message["content"] == text);
    CHECK(message["tool_calls"][0]["function"]["arguments"] == R"({"a":1})");
  }
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

TEST_CASE("last_user_matches searches the beginning of a long message") {
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

TEST_CASE("conditions and replies may be functions") {
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

TEST_CASE("a rule's replies come in turn, and `skip` and `times` limit it") {
  const auto engine = engine_of({
      {.skip = 1, .times = 3, .replies = {reply::Text{"one"}, reply::Text{"two"}}},
      {.replies = {reply::Text{"else"}}},
  });
  std::vector<std::string> all;
  for (int i = 0; i < 6; ++i) all.push_back(said(*engine, "x"));
  CHECK(all == std::vector<std::string>{"else", "one", "two", "two", "else", "else"});
}

TEST_CASE("reply::Failure has the provider's form and Retry-After") {
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

TEST_CASE("reply::Body is sent as it is, at unknown paths too") {
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

TEST_CASE("reply::Row is given for every text") {
  const auto engine = engine_of({{.replies = {reply::Row{{0.6F, 0.8F}}}}});
  const auto answer = Document::parse(
      ask(*engine, "/v1/embeddings", R"({"model":"inferwire-embed","input":["a","b"]})").body);
  REQUIRE(answer["data"].size() == 2);
  CHECK(answer["data"][1]["embedding"] == Document({0.6, 0.8}));
}

TEST_CASE("reply::Message calls tools, whole and in deltas") {
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
  for (const auto& chunk : chunks_of(ask(*engine, chats, chat_body("x", R"("stream":true)")))) {
    for (const auto& call : chunk["choices"][0]["delta"].value("tool_calls", Document::array())) {
      if (!call["function"].contains("name")) continue;
      CHECK(call["function"]["arguments"] == "");
      CHECK(call["type"] == "function");
      CHECK(names.insert(call["function"]["name"]).second);
    }
  }
  CHECK(names.size() == 2);
}

TEST_CASE("reply::Message has the form of its provider") {
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

TEST_CASE("reply::Message that is cut or stopped before its calls has none") {
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

TEST_CASE("a reply that does not fit its endpoint is a 500") {
  const auto message = engine_of({{.replies = {reply::Message{.calls = {{"f", "{}"}}}}}});
  CHECK(ask(*message, "/v1/responses", R"({"model":"inferwire-toy","input":"x"})").head.status == 500);
  CHECK(ask(*message, "/v1/completions", R"({"model":"inferwire-toy","prompt":"x"})").head.status == 500);
  const auto text = engine_of({{.replies = {reply::Text{"x"}}}});
  CHECK(ask(*text, "/v1/embeddings", R"({"model":"inferwire-embed","input":"x"})").head.status == 500);
  const auto row = engine_of({{.replies = {reply::Row{{1}}}}});
  CHECK(ask(*row, chats, chat_body("x")).head.status == 500);
}

TEST_CASE("reply::Text of a reasoning model has no reasoning") {
  const auto engine = engine_of({{.replies = {reply::Text{"Just this."}}}});
  const auto answer = ask(*engine, "/serving-endpoints/databricks-gpt-oss-120b/invocations",
                          R"({"messages":[{"role":"user","content":"x"}]})");
  CHECK_THAT(answer.body, contains("\"Just this.\""));
  CHECK_THAT(answer.body, !contains("reasoning\","));
}

TEST_CASE("reply::Text of a reasoning model is a string, whole and streamed") {
  const auto engine = engine_of({{.replies = {reply::Text{"Just this."}}}});
  const std::string question = R"({"messages":[{"role":"user","content":"x"}])";
  for (const auto& [name, members] :
       {std::pair{"databricks-gpt-oss-120b", ""},
        {"databricks-claude-sonnet-4", R"(,"thinking":{"type":"enabled","budget_tokens":1024})"}}) {
    INFO(name);
    const auto path = "/serving-endpoints/" + std::string(name) + "/invocations";
    CHECK(text_of(ask(*engine, path, question + members + "}")) == "Just this.");
    CHECK(streamed_text(ask(*engine, path, question + members + R"(,"stream":true})")) == "Just this.");
  }
}

TEST_CASE("reply::Message may have parts for its content") {
  const auto engine = engine_of({{.replies = {reply::Message{.parts = {R"({"type":"text","text":"hi"})"}}}}});
  const auto content =
      Document::parse(ask(*engine, chats, chat_body("x")).body)["choices"][0]["message"]["content"];
  CHECK(content == Document::parse(R"([{"type":"text","text":"hi"}])"));
  const auto events = ask(*engine, chats, chat_body("x", R"("stream":true)")).events();
  REQUIRE(events.size() == 4);
  CHECK_FALSE(Document::parse(events[0])["choices"][0]["delta"].contains("content"));
  CHECK(Document::parse(events[1])["choices"][0]["delta"]["content"] == content);
}

TEST_CASE("a strict script refuses an unmatched request and says what the rules want") {
  const auto engine = engine_of({{.name = "weather", .when = {.last_user_contains = "weather"}},
                                 {.name = "once", .times = 1, .replies = {reply::Text{"once"}}}},
                                true);
  CHECK(said(*engine, "x") == "once");
  const auto refused = ask(*engine, chats, chat_body("x"));
  CHECK(refused.head.status == 404);
  CHECK_THAT(refused.body, contains("weather: the last user message does not contain 'weather'"));
  CHECK_THAT(refused.body, contains("once: it is used up"));
  const auto misses = engine->journal().last()->near_misses;
  REQUIRE(misses.size() == 2);
  CHECK_THAT(misses[0], contains("weather: the last user message does not contain 'weather'"));
  CHECK(misses[1] == "once: it is used up");
  CHECK(engine->journal().unmatched().size() == 1);
  CHECK(ask(*engine, {.method = "GET", .url = "http://e/health"}).head.status == 200);
}

TEST_CASE("a rule's pacing has the same jitter for the same seed") {
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
  CHECK(waited(1, 5) == waited(1, 1));
  for (const double none : {-1.0, std::numeric_limits<double>::quiet_NaN()})
    CHECK(waited(1, none) == Duration(600));
}

TEST_CASE("an endless wait for tokens ends with the clock") {
  for (const auto& pacing : {engine::Pacing{.first_token = Duration::max()},
                             engine::Pacing{.per_token = std::chrono::nanoseconds::max()},
                             engine::Pacing{.per_token = std::chrono::nanoseconds::max(), .jitter = 1}}) {
    engine::Engine engine({.pacing = pacing});
    const auto answer = ask(engine, chats, chat_body("x", R"("max_tokens":400,"ignore_eos":true)"));
    CHECK(answer.waited > std::chrono::hours(24 * 365 * 200));
  }
}

TEST_CASE("`chaos` follows from its seed and is in the journal") {
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
