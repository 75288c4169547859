/// \file
/// What observers of calls receive, and in which order.

#include "inferwire/batch.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/models.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/answering_server.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/function_observer.hpp"
#include "support/listeners.hpp"
#include "support/scripted_client.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

const chat::Request hello{
    .model = "m", .messages = {chat::user("Hello")}, .max_tokens = 5, .temperature = 0.5};

const std::string answer =
    R"({"id":"c1","model":"m-2","choices":[{"index":0,"message":{"content":"Hi."},"finish_reason":"stop"}],)"
    R"("usage":{"prompt_tokens":3,"completion_tokens":2}})";

std::string event(const std::string& text, const std::string& finish = "null") {
  return R"(data: {"id":"c1","model":"m-2","choices":[{"index":0,"delta":{"content":")" + text +
         R"("},"finish_reason":)" + finish + "}]}\n\n";
}

Reply whole_stream() { return Reply::stream({event("Hi."), event("", "\"stop\""), "data: [DONE]\n\n"}); }

/// Reads an element, and leaves the stream. Returns whether there was one.
template <class T>
bool read_one(Stream<T> stream) {
  return stream.next() != nullptr;
}

/// Wants no call.
struct Picky final : inferwire::Observer {
  std::unique_ptr<inferwire::CallObserver> begin(const inferwire::CallStart&) noexcept override {
    ++calls;
    return nullptr;
  }
  int calls{};
};

/// A client with an observer, of a service that follows a script.
struct Watched : ScriptedClient {
  explicit Watched(std::vector<Reply> replies, ClientOptions options = {},
                   std::shared_ptr<Transcript> told_to = std::make_shared<Transcript>())
      : ScriptedClient(std::move(replies), watched(std::move(options), told_to)),
        watcher(std::move(told_to)) {}

  /// The events that the observer received, without the headers.
  std::vector<std::string> told() const {
    auto texts = watcher->texts();
    std::erase_if(texts, [](const std::string& text) { return text.find(": ") < text.find(' '); });
    return texts;
  }
  bool heard(const std::string& text) const {
    const auto texts = watcher->texts();
    return std::ranges::find(texts, text) != texts.end();
  }

  std::shared_ptr<Transcript> watcher;

 private:
  static ClientOptions watched(ClientOptions options, const std::shared_ptr<Transcript>& observer) {
    if (!options.base_url) options.base_url = "http://localhost:8080/v1";
    if (!options.credential) options.credential = Credential::bearer("sk-4711-secret");
    if (!options.observer) options.observer = observer;
    options.retry.jitter = 0;
    return options;
  }
};

Client client_at(const MockServer& server, ClientOptions options = {}) {
  options.base_url = server.url() + "/v1";
  options.credential = Credential::none();
  options.environment = Environment::none();
  return Client(std::move(options));
}

}  // namespace

TEST_CASE("an observer is told of a call from its beginning to its end", "[observer]") {
  const auto busy = Reply::json(R"({"error":{"message":"busy"}})", 503).with("x-request-id", "r1");
  const Watched watched({busy, Reply::json(answer)});
  CHECK(watched.client.chat.create(hello));
  CHECK(watched.told() == std::vector<std::string>{
                              "begin chat openai m localhost:8080", "setting max_tokens=5",
                              "setting temperature=0.5", "setting stream=false",
                              "attempt 1 POST http://localhost:8080/v1/chat/completions", "answer 1 503 r1",
                              "retry 1 overloaded from openai: HTTP 503: busy, request id r1 ",
                              "attempt 2 POST http://localhost:8080/v1/chat/completions", "answer 2 200 ",
                              "finish 200 2 c1 m-2 stop in 3 out 2"});
  const auto sent = watched.script->requests().at(0).body.size();
  CHECK(watched.heard("body-bytes: " + std::to_string(sent)));
  CHECK(watched.heard("http-version: 1.1"));
}

TEST_CASE("CallOptions::context and label go to the observer, not to the server", "[observer]") {
  const auto whole = Reply::json(answer);
  const auto list = Reply::json(R"({"data":[]})");
  const Watched watched({whole, whole_stream(), whole, whole_stream(), list, list, list, whole_stream()});
  const auto& client = watched.client;
  const inferwire::CallOptions mine{.context = std::make_shared<const std::string>("span-17"),
                                    .label = "checkout"};
  CHECK(client.chat.create(hello, mine));
  CHECK(client.chat.stream(hello, mine).collect());
  CHECK(client.chat.start(hello, mine).get());
  inferwire_test::Baton<inferwire::Result<void>> over;
  auto stream = client.chat.open(hello, mine);
  stream.listen([](const chat::Chunk&) {}, [&](inferwire::Result<void> end) { over.pass(std::move(end)); });
  CHECK(over.take());
  CHECK(client.models.list(mine));
  CHECK(client.request("GET", "/other", std::nullopt, mine));
  CHECK(client.start("GET", "/other", std::nullopt, mine).get());
  CHECK(read_one(client.stream("/other", std::nullopt, mine)));
  const auto told = watched.told();
  CHECK(std::ranges::count(told, "label checkout") == 8);
  CHECK(std::ranges::count(told, "context span-17") == 8);
  for (const auto& sent : watched.script->requests()) {
    for (const auto& [name, value] : sent.headers) CHECK_THAT(value, !contains("checkout"));
    CHECK_THAT(sent.body.text(), !contains("checkout"));
  }
}

TEST_CASE("an observer is told of every element of a stream", "[observer]") {
  const Watched watched({whole_stream()});
  CHECK(watched.client.chat.stream(hello).collect());
  const auto told = watched.told();
  CHECK(told.front() == "begin chat stream openai m localhost:8080");
  CHECK(watched.heard("element 1"));
  CHECK(watched.heard("element 2"));
  const auto first = event("Hi.").size();
  CHECK(watched.heard("element-bytes: " + std::to_string(first)));
  CHECK(watched.heard("element-bytes: " + std::to_string(first + event("", "\"stop\"").size())));
  CHECK(told.back() == "finish 200 1 c1 m-2 stop");
}

TEST_CASE("AnswerFacts::finish_reasons of a stream has one per choice, in their order", "[observer]") {
  const auto choice = [](int index, const std::string& finish) {
    return R"(data: {"id":"c1","choices":[{"index":)" + std::to_string(index) +
           R"(,"delta":{"content":"x"},"finish_reason":")" + finish + "\"}]}\n\n";
  };
  const auto end_of = [](std::vector<std::string> events, chat::Request request = hello) {
    events.emplace_back("data: [DONE]\n\n");
    const Watched watched({Reply::stream(std::move(events))});
    CHECK(watched.client.chat.stream(request).collect());
    return watched.told().back();
  };
  // Some servers repeat the finish reason with the usage.
  CHECK(end_of({choice(0, "stop"), choice(0, "stop")}) == "finish 200 1 c1  stop");
  auto two = hello;
  two.n = 2;
  CHECK(end_of({choice(1, "length"), choice(0, "stop")}, two) == "finish 200 1 c1  stop length");
}

TEST_CASE("the status of a response that is under way is not a finish reason", "[observer]") {
  const auto event = [](const std::string& type, const std::string& status) {
    return "data: {\"type\":\"" + type + R"(","response":{"id":"r","model":"m","output":[],"status":")" +
           status + "\"}}\n\n";
  };
  auto broken = Reply::stream({event("response.created", "in_progress")});
  broken.ending = Ending::reset;
  const Watched watched({broken, Reply::stream({event("response.created", "in_progress"),
                                                event("response.completed", "completed")})},
                        {.retry = inferwire::RetryPolicy::none()});
  CHECK_FALSE(watched.client.responses.stream({.model = "m", .input = "p"}).collect());
  CHECK_THAT(watched.told().back(), contains(" r m") && !contains("in_progress"));
  CHECK(watched.client.responses.stream({.model = "m", .input = "p"}).collect());
  CHECK(watched.told().back() == "finish 200 1 r m completed");
}

TEST_CASE("on_finish is called for streams that are left or break", "[observer]") {
  auto broken = Reply::stream({event("Hi.")});
  broken.ending = Ending::reset;
  const Watched watched({whole_stream(), broken});
  read_one(watched.client.chat.stream(hello));
  CHECK_THAT(watched.told().back(), contains("finish 200 1 cancelled from openai"));
  CHECK_FALSE(watched.client.chat.stream(hello).collect());
  CHECK_THAT(watched.told().back(), contains("finish 200 1 connection"));
}

TEST_CASE("a stream that is left after the last element of its answer is not cancelled", "[observer]") {
  const auto chat = [](std::vector<std::string> pieces, std::int64_t choices = 1,
                       const Provider& provider = Provider::openai()) {
    const Watched watched({Reply::stream(std::move(pieces))}, {.provider = provider});
    auto request = hello;
    request.n = choices;
    {
      auto stream = watched.client.chat.stream(request);
      while (const auto* chunk = stream.next()) {
        if (!*chunk || (*chunk)->choices.at(0).finish_reason) break;
      }
    }
    return watched.told().back();
  };
  CHECK(chat({event("Hi."), event("", "\"stop\""), "data: [DONE]\n\n"}) == "finish 200 1 c1 m-2 stop");
  CHECK(chat({event("Hi."), event("", "\"stop\"") + "data: [DONE]\n\n"}) == "finish 200 1 c1 m-2 stop");
  CHECK(chat({event("Hi."), event("", "\"stop\"") + R"(data: {"choices":[],"usage":{}})" + "\n\n"}) ==
        "finish 200 1 c1 m-2 stop");
  CHECK_THAT(chat({event("Hi."), event("", "\"stop\""), "data: [DONE]\n\n"}, 2), contains("cancelled from"));
  CHECK(chat({answer}) == "finish 200 1 c1 m-2 stop in 3 out 2");
  CHECK(chat({event("Hi."), event("", "\"stop\"")}, 1, Provider::databricks()) == "finish 200 1 c1 m-2 stop");

  const auto response = [](const std::string& type, const std::string& status) {
    const Watched watched({Reply::stream({"data: {\"type\":\"" + type +
                                          R"(","response":{"id":"r","model":"m","output":[],"status":")" +
                                          status + "\"}}\n\n"})});
    read_one(watched.client.responses.stream({.model = "m", .input = "p"}));
    const auto told = watched.told();
    CHECK(std::ranges::count_if(told, [](const auto& text) { return text.starts_with("finish"); }) == 1);
    return told.back();
  };
  CHECK(response("response.completed", "completed") == "finish 200 1 r m completed");
  CHECK_THAT(response("response.failed", "failed"), contains("finish 200 1 response_failed"));
  CHECK_THAT(response("response.created", "in_progress"), contains("finish 200 1 cancelled"));
}

TEST_CASE("a stream that is left between the turns of an agent is cancelled", "[observer]") {
  const auto turn = R"(data: {"type":"response.completed","response":{"id":"r","model":"m","output":[],)"
                    R"("status":"completed"}})"
                    "\n\n";
  const auto left = [&](std::vector<std::string> pieces) {
    const Watched watched({Reply::stream(std::move(pieces))}, {.provider = Provider::databricks()});
    read_one(watched.client.responses.stream({.model = "m", .input = "p"}));
    return watched.told().back();
  };
  CHECK_THAT(left({turn, turn, "data: [DONE]\n\n"}), contains("cancelled from"));
  CHECK(left({turn + std::string("data: [DONE]\n\n")}) == "finish 200 1 r m completed");
}

TEST_CASE("a blocking stream that is left at the finish reason closes a connection that stays silent",
          "[observer]") {
  MockServer server;
  auto reply = Reply::stream({event("Hi."), event("", "\"stop\"")});
  reply.ending = Ending::silence;
  server.push(reply);
  const auto client = client_at(server);
  {
    auto stream = client.chat.stream(hello);
    while (const auto* chunk = stream.next()) {
      REQUIRE(*chunk);
      if ((*chunk)->choices.at(0).finish_reason) break;
    }
  }
  CHECK(server.wait_for_close(1));
}

TEST_CASE("a raw stream is left at its end only if its end has arrived", "[observer]") {
  const auto left = [](std::vector<std::string> pieces) {
    const Watched watched({Reply::stream(std::move(pieces))});
    read_one(watched.client.stream("/other"));
    return watched.told().back();
  };
  CHECK(left({event("", "\"stop\"") + "data: [DONE]\n\n"}) == "finish 200 1 c1 m-2");
  CHECK_THAT(left({event("", "\"stop\""), "data: [DONE]\n\n"}), contains("cancelled from"));
  CHECK_THAT(left({event("a") + event("b")}), contains("cancelled from"));
}

TEST_CASE("streams that are left at the finish reason share a connection", "[observer]") {
  AnsweringServer server(Reply::stream({event("Hi."), event("", "\"stop\"") + "data: [DONE]\n\n"}));
  const auto client = client_at(server);
  for (int i = 0; i < 10; ++i) {
    auto stream = client.chat.stream(hello);
    while (const auto* chunk = stream.next()) {
      REQUIRE(*chunk);
      if ((*chunk)->choices.at(0).finish_reason) break;
    }
  }
  CHECK(server.connections() < 5);  // occasionally the end of the body arrives too late
}

TEST_CASE("AnswerStart::connection_reused says whether a connection was made for the answer", "[observer]") {
  Texts told;
  const auto reuse = std::make_shared<FunctionObserver>();
  reuse->at_answer = [&](const AnswerStart& answer_start) {
    const auto& reused = answer_start.connection_reused;
    told.add(!reused ? "unknown" : *reused ? "reused" : "new");
  };
  AnsweringServer server(Reply::json(answer));
  const auto client = client_at(server, {.observer = reuse});
  ResponseInfo info;
  CHECK(client.chat.create(hello));
  CHECK(client.chat.create(hello, {.info = &info}));
  CHECK(info.head.connection_reused.value_or(false));
  CHECK(client.chat.start(hello).get());  // the loop has connections of its own
  CHECK(client.chat.start(hello).get());
  CHECK(told.all() == std::vector<std::string>{"new", "reused", "new", "reused"});
  const Watched scripted({Reply::json(answer)}, {.observer = reuse});
  CHECK(scripted.client.chat.create(hello));
  CHECK(told.all().back() == "unknown");
}

TEST_CASE("a raw call tells the model of its body, and the facts of its answer if that is JSON",
          "[observer]") {
  const Watched watched(
      {Reply::json(R"({"id":"r1","model":"rerank-2","usage":{"prompt_tokens":3,"completion_tokens":2}})"),
       Reply::json(R"({"id":7,"model":null,"usage":["x"]})"), Reply::json(R"({"id":"cut","model":"m)"),
       Reply::json(R"({"id":"r2"})")});
  const auto& client = watched.client;
  const auto body = Json::raw(R"({"query":"q", "model": "re\u0072ank", "top_n":2})");
  CHECK(client.request("POST", "/rerank", body));
  auto told = watched.told();
  CHECK(told.front() == "begin request openai rerank localhost:8080");
  CHECK(told.at(1) == "setting top_n=2");
  CHECK(told.back() == "finish 200 1 r1 rerank-2 in 3 out 2");
  CHECK(client.request("POST", "/rerank", body));
  CHECK(watched.told().back() == "finish 200 1  ");
  CHECK(client.request("GET", "/other"));
  CHECK(watched.told().back() == "finish 200 1  ");
  CHECK(client.start("POST", "/rerank", Json::raw(R"({"model":["m"]})")).get());
  told = watched.told();
  CHECK(told.back() == "finish 200 1 r2 ");
  CHECK(std::ranges::count(told, "begin request openai  localhost:8080") == 2);
}

TEST_CASE("a raw stream tells the model of its body, and the facts of its elements", "[observer]") {
  const std::string usage = R"(data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}})";
  const std::string completed = R"(data: {"type":"response.completed","response":{"id":"r","model":"m-3",)"
                                R"("usage":{"input_tokens":1,"output_tokens":2}}})";
  const Watched watched({Reply::stream({event("Hi."), usage + "\n\n", "data: [DONE]\n\n"}),
                         Reply::stream({completed + "\n\n"})});
  const auto body = Json::raw(R"({"model":"m","stream":true})");
  CHECK(watched.client.stream("/chat/completions", body).collect());
  CHECK(watched.told().front() == "begin request stream openai m localhost:8080");
  CHECK(watched.told().back() == "finish 200 1 c1 m-2 in 3 out 2");
  CHECK(watched.client.stream("/responses", body).collect());
  CHECK(watched.told().back() == "finish 200 1 r m-3 in 1 out 2");
}

TEST_CASE("an observer beside a log is told the facts of raw answers", "[observer][log]") {
  const auto log = std::make_shared<Lines>(LogLevel::error);
  const Watched watched({Reply::json(R"({"id":"r1","model":"rerank-2"})"), whole_stream()}, {.log = log});
  CHECK(watched.client.request("GET", "/other"));
  CHECK(watched.told().back() == "finish 200 1 r1 rerank-2");
  CHECK(watched.client.stream("/chat/completions").collect());
  CHECK(watched.told().back() == "finish 200 1 c1 m-2");
  CHECK(log->lines().empty());
}

TEST_CASE("on_finish tells id, model and finish of every resource", "[observer]") {
  const Watched watched(
      {Reply::json(R"({"id":"t","model":"m","choices":[{"text":"x","finish_reason":"length"}]})"),
       Reply::json(R"({"model":"m","data":[{"index":0,"embedding":[1]}],"usage":{"prompt_tokens":7}})"),
       Reply::json(
           R"({"id":"r","model":"m","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},)"
           R"("output":[],"usage":{"input_tokens":1,"output_tokens":2}})"),
       Reply::json(R"({"data":[]})"), Reply::json("{}")});
  const auto& client = watched.client;
  CHECK(client.completions.create({.model = "m", .prompt = "p"}));
  CHECK(watched.told().back() == "finish 200 1 t m length");
  CHECK(client.embeddings.create({.model = "m", .input = "p"}));
  CHECK(watched.told().back() == "finish 200 1  m in 7");
  CHECK(client.responses.create({.model = "m", .input = "p"}));
  CHECK(watched.told().back() == "finish 200 1 r m max_output_tokens in 1 out 2");
  CHECK(client.models.list());
  CHECK(client.request("GET", "/other"));
  for (const auto* name : {"completions", "embeddings", "responses", "models", "request"}) {
    const auto told = watched.told();
    CHECK(std::ranges::any_of(
        told, [name](const auto& text) { return text.starts_with("begin " + std::string(name) + " "); }));
  }
}

TEST_CASE("CallEnd has the request id, and the tokens of caches and reasoning", "[observer]") {
  std::string told;
  const auto observer = std::make_shared<FunctionObserver>();
  observer->at_finish = [&](const CallEnd& end) {
    told = std::string(end.request_id);
    for (const auto& tokens : {end.answer.cached_input_tokens, end.answer.cache_write_input_tokens,
                               end.answer.reasoning_output_tokens}) {
      told += " " + std::to_string(tokens.value_or(-1));
    }
  };
  const Watched watched(
      {Reply::json(R"({"choices":[],"usage":{"prompt_tokens":9,"prompt_tokens_details":{"cached_tokens":8},)"
                   R"("completion_tokens_details":{"reasoning_tokens":7}}})")
           .with("x-request-id", "req_1"),
       Reply::json(R"({"choices":[],"usage":{"prompt_tokens":9,"cache_read_input_tokens":5,)"
                   R"("cache_creation_input_tokens":9000}})")},
      {.observer = observer});
  static_cast<void>(watched.client.chat.create(hello));
  CHECK(told == "req_1 8 -1 7");
  static_cast<void>(watched.client.chat.create(hello));
  CHECK(told == " 5 9000 -1");
}

TEST_CASE("on_attempt may add headers, and is shown only those that are visible", "[observer]") {
  const Watched watched({Reply::json(answer)}, {.visibility = {.headers = {"X-Team"}}});
  CHECK(watched.client.chat.create(hello, {.headers = {{"X-Team", "blue"}, {"X-Other", "red"}}}));
  CHECK(find_header(watched.script->requests().at(0).headers, "traceparent"));
  CHECK(watched.heard("X-Team: blue"));
  CHECK(watched.heard("X-Other: ***"));
  CHECK(watched.heard("Content-Type: application/json"));
}

TEST_CASE("headers of one name that on_attempt adds are all sent, and are in the log", "[observer][log]") {
  const auto adds = std::make_shared<FunctionObserver>();
  adds->at_attempt = [](auto& add) {
    add = {{"baggage", "a=1"}, {"Baggage", "b=2"}, {"traceparent", "00-4711"}};
  };
  const auto log = std::make_shared<Lines>(LogLevel::debug);
  const Watched watched({Reply::json(answer)}, {.log = log, .observer = adds});
  CHECK(watched.client.chat.create(hello, {.headers = {{"baggage", "c=3"}}}));
  const auto sent = watched.script->requests().at(0);
  std::vector<std::string> baggage;
  for (const auto& [name, value] : sent.headers) {
    if (name == "baggage" || name == "Baggage") baggage.push_back(value);
  }
  CHECK(baggage == std::vector<std::string>{"a=1", "b=2"});
  CHECK_THAT(log->lines().at(0), contains("attempt 1, ") && contains("; traceparent: 00-4711"));
}

TEST_CASE("headers that on_attempt adds may travel over plain http", "[observer]") {
  const Watched watched({Reply::json(answer)},
                        {.base_url = "http://example.test/v1", .credential = Credential::none()});
  CHECK(watched.client.chat.create(hello));
  CHECK(find_header(watched.script->requests().at(0).headers, "traceparent"));
  CHECK(watched.told().front() == "begin chat openai m example.test:80");
}

TEST_CASE("CallStart::port of an https URL without one is 443", "[observer]") {
  const Watched watched({Reply::json(answer)}, {.base_url = "https://h.test"});
  CHECK(watched.client.chat.create(hello));
  CHECK(watched.told().front() == "begin chat openai m h.test:443");
}

TEST_CASE("CallStart::settings has no number whose name is that of a key", "[observer]") {
  const Watched watched({Reply::json("{}")});
  const auto body = inferwire::Json::raw(R"({"password":12345678,"api_key":4711,"max_tokens":5})");
  CHECK(watched.client.request("POST", "/login", body));
  CHECK(watched.heard("setting max_tokens=5"));
  for (const auto& text : watched.told()) CHECK_THAT(text, !contains("12345678") && !contains("4711"));
}

TEST_CASE("Visibility::bodies shows bodies up to max_body_bytes", "[observer]") {
  const Watched watched({Reply::json(answer)}, {.visibility = {.bodies = true, .max_body_bytes = 12}});
  CHECK(watched.client.chat.create(hello));
  CHECK(watched.heard("body " + answer.substr(0, 12) + "... (" + std::to_string(answer.size() - 12) +
                      " bytes more)"));
  const Watched streamed({whole_stream()}, {.visibility = {.bodies = true, .max_body_bytes = 8}});
  CHECK(streamed.client.chat.stream(hello).collect());
  const auto data = event("Hi.").size() - std::string("data: \n\n").size();
  CHECK(streamed.heard("element-text: {\"id\":\"c... (" + std::to_string(data - 8) + " bytes more)"));
}

TEST_CASE("LogLevel decides which lines of a call a log gets", "[observer][log]") {
  const auto lines = [](LogLevel level) {
    const auto log = std::make_shared<Lines>(level);
    const Watched watched({Reply::json("{}", 503), Reply::json(answer), Reply::json("{}", 404)},
                          {.log = log});
    CHECK(watched.client.chat.create(hello));
    CHECK_FALSE(watched.client.chat.create(hello));
    return log->lines();
  };
  const auto errors = lines(LogLevel::error);
  REQUIRE(errors.size() == 1);
  CHECK_THAT(errors[0], contains("openai chat of m: failed after 0 ms, 1 attempt, 2 bytes: not_found"));
  const auto info = lines(LogLevel::info);
  REQUIRE(info.size() == 3);
  CHECK_THAT(info[0], contains("attempt 1 failed, another one in 500 ms: overloaded from openai: HTTP 503"));
  CHECK_THAT(info[1], contains("HTTP 200 after 500 ms, 2 attempts"));
  const auto debug = lines(LogLevel::debug);
  CHECK(debug.size() == 3 + 3 + 3);
  CHECK_THAT(debug[0], contains("POST http://localhost:8080/v1/chat/completions, attempt 1, "));
}

TEST_CASE("the line of a call that succeeded has the server's request id", "[observer][log]") {
  const auto log = std::make_shared<Lines>(LogLevel::info);
  const auto streamed = whole_stream().with("x-request-id", "r2");
  const Watched watched({Reply::json(answer).with("x-request-id", "r1"), streamed, Reply::json(answer),
                         Reply::error(404).with("x-request-id", "r4")},
                        {.log = log});
  CHECK(watched.client.chat.create(hello));
  CHECK(watched.client.chat.stream(hello).collect());
  CHECK(watched.client.chat.create(hello));
  CHECK_FALSE(watched.client.chat.create(hello));
  const auto lines = log->lines();
  REQUIRE(lines.size() == 4);
  CHECK_THAT(lines[0], contains(" bytes, request id r1"));
  CHECK_THAT(lines[1], contains(" 2 events, request id r2"));
  CHECK_THAT(lines[2], !contains("request id"));
  CHECK_THAT(lines[3], contains("request id r4"));
  CHECK(lines[3].find("request id") == lines[3].rfind("request id"));
}

TEST_CASE("the lines of a raw call have its method and its path, without secrets", "[observer][log]") {
  const auto log = std::make_shared<Lines>(LogLevel::info);
  const Watched watched({Reply::json("{}"), Reply::error(404), whole_stream()}, {.log = log});
  CHECK(watched.client.request("POST", "/rerank?user=u", inferwire::Json::raw("{}"), {.label = "l"}));
  CHECK_FALSE(watched.client.start("DELETE", "/files/sk-4711-secret").get());
  CHECK(read_one(watched.client.stream("/other", inferwire::Json::raw("{}"))));
  const auto lines = log->lines();
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].starts_with("[l] openai request POST /v1/rerank: HTTP 200 after "));
  CHECK(lines[1].starts_with("openai request DELETE /v1/files/***: failed after "));
  CHECK(lines[2].starts_with("openai request stream POST /v1/other: "));
}

TEST_CASE("a cancelled call is not an error in the log", "[observer][log]") {
  const auto lines = [](LogLevel level) {
    const auto log = std::make_shared<Lines>(level);
    const Watched watched({whole_stream()}, {.log = log});
    read_one(watched.client.chat.stream(hello));
    CancelSource stop;
    stop.cancel();
    CHECK_FALSE(watched.client.chat.create(hello, {.cancel = stop.token()}));
    return log->lines();
  };
  CHECK(lines(LogLevel::warning).empty());
  const auto info = lines(LogLevel::info);
  REQUIRE(info.size() == 2);
  CHECK_THAT(info[0], contains("openai chat stream of m: cancelled after 0 ms, 1 attempt, "));
  CHECK_THAT(info[1],
             contains("openai chat of m: cancelled after 0 ms, 0 attempts, 0 bytes: cancelled from"));
}

TEST_CASE("a refusal of a call that a batch repeats is not an error in the log", "[observer][log]") {
  const auto lines = [](LogLevel level) {
    const auto log = std::make_shared<Lines>(level);
    const Watched watched({Reply::error(429, "slow down").with("retry-after-ms", "1"), Reply::json(answer)},
                          {.log = log});
    for (const auto& reply : chat::create_all(watched.client, std::vector(1, hello))) CHECK(reply);
    return log->lines();
  };
  CHECK(lines(LogLevel::warning).empty());
  const auto info = lines(LogLevel::info);
  REQUIRE(info.size() == 2);
  CHECK_THAT(info[0], contains("openai chat of m: refused after ") && contains(": rate_limit from openai"));
  CHECK_THAT(info[1], contains("openai chat of m: HTTP 200 after "));
}

TEST_CASE("a refusal that asks for too long a wait for a batch is an error in the log", "[observer][log]") {
  const auto log = std::make_shared<Lines>(LogLevel::warning);
  const Watched watched({Reply::error(429).with("Retry-After", "3600")}, {.log = log});
  CHECK_FALSE(chat::create_all(watched.client, std::vector(1, hello)).at(0));
  REQUIRE(log->lines().size() == 1);
  CHECK_THAT(log->lines()[0], contains("openai chat of m: failed after ") && contains(": rate_limit from"));
}

TEST_CASE("a refusal is an error in the log if a batch repeats none", "[observer][log]") {
  const auto log = std::make_shared<Lines>(LogLevel::warning);
  const Watched watched({Reply::error(429).with("retry-after-ms", "1")}, {.log = log});
  CHECK_FALSE(chat::create_all(watched.client, std::vector(1, hello), {.max_refusals = 0}).at(0));
  REQUIRE(log->lines().size() == 1);
  CHECK_THAT(log->lines()[0], contains("openai chat of m: failed after ") && contains(": rate_limit from"));
}

TEST_CASE("a failed call whose RetryJudge says nothing of later calls is an error in the log",
          "[observer][log]") {
  const auto log = std::make_shared<Lines>(LogLevel::error);
  const Watched watched({Reply::error(429)},
                        {.retry = {.max_retries = 0, .judge = RetryJudge::at_most(1, 1s)}, .log = log});
  CHECK_FALSE(watched.client.chat.create(hello));
  REQUIRE(log->lines().size() == 1);
  CHECK_THAT(log->lines()[0], contains("openai chat of m: failed after "));
}

TEST_CASE("other failures of a batch are errors in the log", "[observer][log]") {
  const auto log = std::make_shared<Lines>(LogLevel::error);
  const Watched watched({Reply::error(400, "no")}, {.log = log});
  CHECK_FALSE(chat::create_all(watched.client, std::vector(1, hello)).at(0));
  REQUIRE(log->lines().size() == 1);
  CHECK_THAT(log->lines()[0], contains("failed after "));
}

TEST_CASE("an exception from the function that collects is an error in the log", "[observer][log]") {
  const auto log = std::make_shared<Lines>(LogLevel::error);
  const Watched watched({whole_stream()}, {.log = log});
  const auto full = [](const chat::Chunk&) { throw std::runtime_error("disk full"); };
  CHECK(watched.client.chat.stream(hello).collect(full).error);
  const auto lines = log->lines();
  REQUIRE(lines.size() == 1);
  CHECK_THAT(lines[0], contains("failed after") && contains("the function that collects threw: disk full"));
}

TEST_CASE("control characters of a server cannot begin a line of the log", "[observer][log]") {
  const auto log = std::make_shared<Lines>(LogLevel::debug);
  const Watched watched({Reply::json("{\"error\":\n\"x\"}\ninferwire error: forged\x1b[2J", 400)},
                        {.log = log, .visibility = {.bodies = true}});
  CHECK_FALSE(watched.client.chat.create(hello));
  const auto lines = log->lines();
  REQUIRE_FALSE(lines.empty());
  CHECK_THAT(lines.back(), contains("forged"));
  for (const auto& line : lines)
    CHECK(std::ranges::none_of(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }));
}

TEST_CASE("Observer::begin that returns nullptr is called once per call", "[observer]") {
  const auto picky = std::make_shared<Picky>();
  const auto script = std::make_shared<ScriptTransport>();
  script->push(Reply::json(answer));
  CHECK(Client({.observer = picky, .transport = script}).chat.create(hello));
  CHECK(picky->calls == 1);
}

TEST_CASE("a call that no observer wants is made as without one", "[observer][log]") {
  struct Counting final : inferwire::Credential {
    Prepared prepare(HttpRequest&, Instant) override { return Ready{}; }
    void conceal(std::string&) override { ++concealed; }
    int concealed{};
  };
  const auto concealed_with = [](std::shared_ptr<inferwire::Observer> observer) {
    const auto credential = std::make_shared<Counting>();
    const ScriptedClient service({Reply::json(answer).with("X-Request-Id", "r")},
                                 {.credential = credential,
                                  .log = std::make_shared<Lines>(LogLevel::info),
                                  .observer = std::move(observer)});
    CHECK(service.client.chat.create(hello));
    return credential->concealed;
  };
  CHECK(concealed_with(std::make_shared<Picky>()) == concealed_with(nullptr));
}
