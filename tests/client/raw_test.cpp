// What the typed calls do not cover: other paths, extra parameters, and information about answers.
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/scripted_client.hpp"

#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using inferwire_test::hello;

namespace {

constexpr const char* whole_answer =
    R"({"id":"c1","object":"chat.completion","created":1,"model":"m1","choices":[{"index":0,"message":)"
    R"({"role":"assistant","content":"Hi"},"finish_reason":"stop"}]})";

struct Scripted : inferwire_test::ScriptedClient {
  Scripted() : ScriptedClient({}, {.api_key = "k", .retry = inferwire::RetryPolicy::none()}) {}
  explicit Scripted(Reply reply) : Scripted() { script->push(std::move(reply)); }
};

}  // namespace

TEST_CASE("Client::request asks any path with the client's credential") {
  Scripted at(Reply::json(R"({"results":[]})").with("X-Request-Id", "r1"));
  const auto answer = at.client.request("POST", "/rerank?top=2", Json::raw(R"({"query":"q"})"),
                                        {.query = {{"user name", "a&b"}}});
  REQUIRE(answer);
  CHECK(answer->body == R"({"results":[]})");
  CHECK(answer->info.head.status == 200);
  CHECK(answer->info.request_id == "r1");
  CHECK(answer->info.request_id_header == "x-request-id");
  CHECK(answer->info.attempts == 1);
  const auto sent = at.script->requests().at(0);
  CHECK(sent.method == "POST");
  CHECK(sent.url == "http://localhost/v1/rerank?top=2&user%20name=a%26b");
  CHECK(sent.body == R"({"query":"q"})");
  CHECK(find_header(sent.headers, "authorization") == "***");
}

TEST_CASE("Client::start asks any path") {
  Scripted at(Reply::json("[1]").with("X-Request-Id", "r1"));
  at.script->push(Reply::error(404));
  const auto answer = at.client.start("POST", "/rerank", Json::raw("{}")).get();
  REQUIRE(answer);
  CHECK(answer->body == "[1]");
  CHECK(answer->info.head.status == 200);
  CHECK(answer->info.request_id == "r1");
  CHECK(answer->info.attempts == 1);
  CHECK(at.client.start("GET", "/nothing").get().error().kind == ErrorKind::not_found);
  CHECK(at.client.start("GET", "nothing").get().error().kind == ErrorKind::invalid_request);
  CHECK(at.client.start("POST", "/x", Json::raw("{")).get().error().kind == ErrorKind::invalid_request);
}

TEST_CASE("Client::request without a body sends none") {
  Scripted at(Reply::json("{}"));
  REQUIRE(at.client.request("DELETE", "/files/f1"));
  const auto sent = at.script->requests().at(0);
  CHECK(sent.method == "DELETE");
  CHECK(sent.body.empty());
  CHECK_FALSE(find_header(sent.headers, "content-type"));
}

TEST_CASE("Client::request turns an error status into an Error") {
  Scripted at(Reply::json(R"({"error":{"message":"no such route","code":"nope"}})", 404));
  ResponseInfo info;
  const auto answer = at.client.request("GET", "/nothing", {}, {.info = &info});
  REQUIRE_FALSE(answer);
  CHECK(answer.error().kind == ErrorKind::not_found);
  CHECK(answer.error().code == "nope");
  CHECK(info.head.status == 404);
}

TEST_CASE("Client::request gives an Error for an error, a page or nothing with status 200") {
  struct Row {
    Reply reply;
    ErrorKind kind;
    std::string_view detail;
  };
  Reply page = Reply::json("<html><title>Sign in</title></html>");
  page.headers = {{"Content-Type", "text/html"}};
  const std::vector<Row> rows = {
      {page, ErrorKind::decode, "a page of HTML"},
      {Reply::json(""), ErrorKind::decode, "the answer's body is empty"},
      {Reply::json("{\"results\":[1"), ErrorKind::decode, ""},
      {Reply::json(R"({"error":{"message":"overloaded","code":503}})"), ErrorKind::overloaded, "overloaded"},
      {Reply::json(R"({"error":{"message":"no","code":"content_filter"}})"), ErrorKind::content_filter, "no"},
      {Reply::json(
           R"({"choices":[{"index":0,"finish_reason":"error","error":{"message":"gone","code":502}}]})"),
       ErrorKind::server, "gone"},
      {Reply::json(R"({"object":"response","status":"failed","output":[]})"), ErrorKind::response_failed,
       "the response failed"},
  };
  for (const auto& [reply, kind, detail] : rows) {
    CAPTURE(reply.body);
    Scripted at(reply);
    const auto answer = at.client.request("GET", "/x");
    REQUIRE(answer);
    const auto document = answer->document();
    REQUIRE_FALSE(document);
    CHECK(document.error().kind == kind);
    CHECK(document.error().status == 200);
    CHECK(document.error().body == answer->body);
    CHECK_THAT(document.error().detail, inferwire_test::contains(std::string(detail)));
  }
  for (const std::string body :
       {R"({"results":[]})", R"({"choices":[]})", R"({"choices":[{"finish_reason":"error","error":null}]})",
        R"({"choices":[{"finish_reason":"stop","error":{"message":"m"}}]})",
        R"({"object":"batch","status":"failed"})", R"({"object":"response","status":"completed"})",
        R"({"success":false,"message":"no such file","path":"/x"})", R"({"code":404,"msg":"not found"})"}) {
    Scripted at(Reply::json(body));
    const auto document = at.client.request("GET", "/x")->document();
    REQUIRE(document);
    CHECK(document->text() == body);
  }
}

TEST_CASE("Client::request refuses bad methods, paths and bodies before anything is sent") {
  const Scripted at;
  const auto& client = at.client;
  for (const auto& [method, path] : std::vector<std::pair<std::string, std::string>>{{"PO ST", "/x"},
                                                                                     {"", "/x"},
                                                                                     {"GET", "x"},
                                                                                     {"GET", "/a\r\nEvil: 1"},
                                                                                     {"GET", "/a b"},
                                                                                     {"GET", ""}}) {
    CAPTURE(method, path);
    const auto answer = client.request(method, path);
    REQUIRE_FALSE(answer);
    CHECK(answer.error().kind == ErrorKind::invalid_request);
    if (method != "GET") continue;
    auto stream = client.stream(path);
    const auto* element = stream.next();
    REQUIRE(element != nullptr);
    CHECK_FALSE(*element);
  }
  const auto broken = client.request("POST", "/x", Json::raw("{"));
  REQUIRE_FALSE(broken);
  CHECK(broken.error().kind == ErrorKind::invalid_request);
  CHECK_THAT(broken.error().message(),
             inferwire_test::contains("invalid_request from openai: the body is no JSON: "));
  CHECK(at.requests() == 0);
}

TEST_CASE("Client::stream gives JSON texts as they came") {
  Scripted at(Reply::stream({"data: {\"a\": 1.10}\n\n", "data: [2]\n\ndata: null\n\ndata: [DONE]\n\n"}));
  auto stream = at.client.stream("/events/{model}", Json::raw("{}"));
  const auto all = stream.collect();
  CHECK_FALSE(all.error);
  REQUIRE(all.response.size() == 3);
  CHECK(all.response[0].text() == R"({"a": 1.10})");
  CHECK(all.response[1].text() == "[2]");
  CHECK(all.response[2].is_null());
  CHECK(stream.end_reason() == EndReason::done);
  CHECK(stream.info().events == 3);
  CHECK(stream.info().timings.first_event);
  CHECK(at.script->requests().at(0).method == "POST");
  CHECK(at.script->requests().at(0).url.ends_with("/events/{model}"));
}

TEST_CASE("Client::open gives JSON texts as they came") {
  Scripted at(Reply::stream({"data: {\"a\": 1.10}\n\n", "data: [2]\n\ndata: [DONE]\n\n"}));
  auto stream = at.client.open("/events", Json::raw("{}"));
  std::vector<std::string> texts;
  std::promise<Result<void>> ended;
  stream.listen([&](const Json& element) { texts.push_back(element.text()); },
                [&](Result<void> end) { ended.set_value(std::move(end)); });
  CHECK(ended.get_future().get());
  CHECK(texts == std::vector<std::string>{R"({"a": 1.10})", "[2]"});
  CHECK(stream.end_reason() == EndReason::done);
  CHECK(at.script->requests().at(0).method == "POST");

  for (const auto* path : {"", "events", "/a b"}) {
    CAPTURE(path);
    std::promise<Result<void>> refused;
    auto unsent = at.client.open(path);
    unsent.listen([](const Json&) {}, [&](Result<void> end) { refused.set_value(std::move(end)); });
    CHECK(refused.get_future().get().error().kind == ErrorKind::invalid_request);
  }
  CHECK(at.script->requests().size() == 1);
}

TEST_CASE("Client::stream is not complete where its connection breaks") {
  const auto whole = Reply::stream({"data: 1\n\n", "data: 2\n\n"});
  for (const std::size_t bytes : {0U, 3U, 9U, 12U}) {
    for (const auto how : {inferwire::testing::Ending::cut, inferwire::testing::Ending::reset}) {
      Scripted at(whole.cut_after(bytes, how));
      auto stream = at.client.stream("/events");
      const auto some = stream.collect();
      CAPTURE(bytes);
      REQUIRE(some.error);
      CHECK(some.error->kind == ErrorKind::connection);
      CHECK(some.response.size() == bytes / 9);
      CHECK(stream.end_reason() == EndReason::failed);
    }
  }
}

TEST_CASE("Client::stream is truncated where it ends inside of an event") {
  for (const std::string cut : {"data: {\"a\":", "data: 2\n", "da"}) {
    Scripted at(Reply::stream({"data: 1\n\n", cut}));
    auto stream = at.client.stream("/events");
    const auto some = stream.collect();
    CAPTURE(cut);
    REQUIRE(some.error);
    CHECK(some.error->kind == ErrorKind::truncated);
    CHECK(some.response.size() == 1);
  }
}

TEST_CASE("Client::stream is complete where only a blank line or the rest of a comment is missing") {
  for (const std::string end : {"data: [DONE]\n", "data: [DONE]", ": keep-al", "data: 2\n\n: one\n"}) {
    Scripted at(Reply::stream({"data: 1\n\n", end}));
    CAPTURE(end);
    CHECK_FALSE(at.client.stream("/events").collect().error);
  }
}

TEST_CASE("Client::stream is complete at a clean end, and ends at an error") {
  Scripted clean(Reply::stream({"data: 1\n\n"}));
  auto stream = clean.client.stream("/events");
  CHECK_FALSE(stream.collect().error);
  CHECK(clean.script->requests().at(0).method == "GET");

  Scripted broken(Reply::stream({"data: 1\n\n", "data: {\"error\":{\"message\":\"overloaded\"}}\n\n"}));
  auto failing = broken.client.stream("/events");
  const auto some = failing.collect();
  CHECK(some.response.size() == 1);
  REQUIRE(some.error);
  CHECK(some.error->kind == ErrorKind::stream_error);

  Scripted failed(Reply::stream({"data: 1\n\n", "data: {\"details\":{\"finish_reason\":\"error\"}}\n\n"}));
  CHECK(failed.client.stream("/events").collect().error->kind == ErrorKind::stream_error);  // LMI

  Scripted garbage(Reply::stream({"data: {\n\n"}));
  auto unreadable = garbage.client.stream("/events");
  const auto none = unreadable.collect();
  REQUIRE(none.error);
  CHECK(none.error->kind == ErrorKind::decode);
}

TEST_CASE("Client::stream gives the error of a whole answer") {
  Scripted at(Reply::json(R"({"error":{"message":"overloaded","code":503}})"));
  const auto some = at.client.stream("/events").collect();
  CHECK(some.response.empty());
  REQUIRE(some.error);
  CHECK_THAT(some.error->detail, inferwire_test::contains("overloaded"));
}

TEST_CASE("Client::stream takes events with 'message' and 'type' for no errors") {
  const std::string first = R"({"type":"message_start","message":{"id":"m"}})";
  Scripted at(Reply::stream({"event: message_start\ndata: " + first + "\n\n",
                             "data: {\"type\":\"notice\",\"message\":\"slow today\"}\n\n",
                             "data: {\"code\":404,\"msg\":\"not found\"}\n\n"}));
  auto stream = at.client.stream("/anthropic/v1/messages");
  const auto all = stream.collect();
  CHECK_FALSE(all.error);
  REQUIRE(all.response.size() == 3);
  CHECK(all.response[0].text() == first);
}

TEST_CASE("CallOptions::body sets, replaces and removes members") {
  Scripted at(Reply::json(whole_answer));
  const CallOptions options{
      .body = {BodyEdit::set("/guided_json/type", Json::string("object")),
               BodyEdit::set("/messages/0/cache_control", Json::raw(R"({"type":"ephemeral"})")),
               BodyEdit::replace("/model", Json::string("other")), BodyEdit::remove("/stream")}};
  REQUIRE(at.client.chat.create(hello, options));
  CHECK(
      at.script->requests().at(0).body ==
      R"({"model":"other","messages":[{"role":"user","content":"Hello","cache_control":{"type":"ephemeral"}}],)"
      R"("guided_json":{"type":"object"}})");
}

TEST_CASE("a BodyEdit that cannot be made is an error that names its path, for streams too") {
  const Scripted at;
  const auto& client = at.client;
  const CallOptions options{.body = {BodyEdit::replace("/nothing", Json())}};
  const auto reply = client.chat.create(hello, options);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::invalid_request);
  CHECK(reply.error().path == "/nothing");
  auto stream = client.chat.stream(hello, options);
  const auto* element = stream.next();
  REQUIRE(element != nullptr);
  REQUIRE_FALSE(*element);
  CHECK(element->error().path == "/nothing");
  CHECK(at.requests() == 0);
}

TEST_CASE("ResponseInfo is filled for answers and errors") {
  Scripted good(Reply::json(whole_answer).with("x-ratelimit-remaining-tokens", "7"));
  ResponseInfo info;
  info.bytes = 99;  // from an earlier call
  REQUIRE(good.client.chat.create(hello, {.info = &info}));
  CHECK(info.head.status == 200);
  CHECK(info.bytes == std::string_view(whole_answer).size());
  CHECK(info.rate_limits().tokens.remaining == 7);
  CHECK(info.timings.connected);
  CHECK(info.timings.sent >= info.timings.connected);
  CHECK(info.timings.first_byte >= info.timings.sent);
  CHECK(info.timings.end >= info.timings.first_byte);
  CHECK_FALSE(info.timings.first_event);

  Scripted bad(Reply::json("{}", 500));
  REQUIRE_FALSE(bad.client.chat.create(hello, {.info = &info}));
  CHECK(info.head.status == 500);

  const Client unusable({.base_url = "nowhere", .api_key = "k"});
  REQUIRE_FALSE(unusable.chat.create(hello, {.info = &info}));
  CHECK(info.head.status == 0);
}

TEST_CASE("timings.first_event is by the client's clock") {
  auto reply = Reply::stream({});
  reply.body = {{.bytes = "data: {\"choices\":[{\"index\":0}]}\n\n", .delay = 300ms},
                {.bytes = "data: [DONE]\n\n", .delay = 200ms}};
  const Scripted at(std::move(reply));
  auto stream = at.client.chat.stream(hello);
  REQUIRE(stream.next() != nullptr);
  REQUIRE(stream.next() == nullptr);
  CHECK(stream.info().timings.first_byte == 300ms);
  CHECK(stream.info().timings.first_event == 300ms);
  CHECK(stream.info().timings.end == 500ms);
}
