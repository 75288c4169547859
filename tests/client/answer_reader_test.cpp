// How a client reads answers, to whole and to streaming requests.
#include "client/one_call.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/scripted_client.hpp"

#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace inferwire;
using namespace inferwire_test;
using inferwire::testing::Reply;

namespace {

/// A reply of the media type `type`.
Reply of_type(std::string type, std::string body) {
  return {.headers = {{"Content-Type", std::move(type)}}, .body = {{.bytes = std::move(body)}}};
}

}  // namespace

TEST_CASE("a page of HTML where an answer belongs is recognised") {
  for (const auto* type : {"text/html", "application/json"}) {
    const auto error = error_of(answering(of_type(type, "<html><title>Sign in</title></html>")));
    CHECK(error.kind == ErrorKind::decode);
  }
  CHECK_THAT(error_of(answering(of_type("text/html", "<html><title>Sign in</title></html>"))).detail,
             contains("HTML") && contains("login page of a network") && contains("It says: Sign in"));
  CHECK(error_of(answering(of_type("text/html", "<html>hi</html>"))).detail.ends_with("in between?"));
}

TEST_CASE(
    "Error::url is the URL without its query, and the message names it where the address may be wrong") {
  const auto client_of = [](int status, const std::string& body, const char* type) {
    auto reply = of_type(type, body);
    reply.status = status;
    return answering(std::move(reply), {.base_url = "https://h.test/v1?api-version=3", .api_key = key});
  };
  const std::string asked = "https://h.test/v1/chat/completions";
  const auto lost = error_of(client_of(404, "404 page not found", "text/plain"));
  CHECK(lost.url == asked);
  CHECK(lost.message() == "not_found from openai at " + asked + ": HTTP 404: 404 page not found");
  CHECK_THAT(error_of(client_of(200, "<html>hi</html>", "text/html")).message(),
             contains("at " + asked + ": "));
  // https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/618
  const auto no_path = error_of(client_of(
      200, R"x({"error":"Unexpected endpoint or method. (POST /chat/completions)"})x", "application/json"));
  CHECK(no_path.kind == ErrorKind::not_found);
  CHECK_FALSE(no_path.retryable);
  CHECK_THAT(no_path.message(), contains("at " + asked + ": "));
  const std::string piece = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n";
  const auto cut = client_of(200, piece, "text/event-stream").chat.stream(hello).collect();
  REQUIRE(cut.error);
  CHECK(cut.error->url == asked);
  CHECK(answering(Reply::json(whole_answer))
            .chat.create(hello, {.headers = {{"a b", "c"}}})
            .error()
            .url.empty());
}

TEST_CASE("an empty body is Error{decode}, whose detail says that it is empty") {
  const auto reply = answering(Reply::json("")).chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::decode);
  CHECK_THAT(reply.error().detail, contains("empty"));
}

// DeepSeek sends blank lines while a request waits, and may end the answer after them:
// https://github.com/deepseek-ai/DeepSeek-V3/issues/599, https://github.com/deepseek-ai/DeepSeek-R1/issues/91
TEST_CASE("a blank body of unknown length is Error{truncated}, and is retried") {
  for (const auto framing : {testing::BodyFraming::until_close, testing::BodyFraming::chunked}) {
    for (const auto* body : {"", "\n\n\n"}) {
      auto blank = Reply::json(body);
      blank.framing = framing;
      const auto error = error_of(answering(blank));
      CHECK(error.kind == ErrorKind::truncated);
      CHECK(error.retryable);
      CHECK(error.detail == "the answer's body is empty");
      const ScriptedClient service({blank, Reply::json(whole_answer)});
      CHECK(service.client.chat.create(hello));
    }
  }
  CHECK(error_of(answering({.status = 204})).kind == ErrorKind::decode);
}

TEST_CASE("a body that is cut at any byte is an error") {
  for (std::size_t size = 1; size < whole_answer.size(); ++size) {
    const auto body = whole_answer.substr(0, size);
    INFO(size);
    CHECK(error_of(answering(Reply::json(body))).kind == ErrorKind::decode);
    // A body that ends with the connection may have been cut; nginx makes chunks of one that does.
    for (const auto framing : {testing::BodyFraming::until_close, testing::BodyFraming::chunked}) {
      auto cut = Reply::json(body);
      cut.framing = framing;
      const auto error = error_of(answering(std::move(cut)));
      CHECK(error.kind == ErrorKind::truncated);
      CHECK(error.retryable);
    }
  }
}

TEST_CASE("JSON nested 10,000 deep is an error and no stack overflow") {
  const auto deep = R"({"choices":[],"x":)" + std::string(10'000, '[') + std::string(10'000, ']') + "}";
  const auto error = error_of(answering(Reply::json(deep)));
  CHECK(error.kind == ErrorKind::decode);
}

TEST_CASE("an error inside a good status is an error") {
  const auto error = error_of(answering(Reply::json(R"({"error":{"message":"busy","code":503}})")));
  CHECK(error.detail == "busy");
  CHECK(error.code == "503");
}

TEST_CASE("Error::body holds what was received in place of an answer, up to 64 KiB") {
  const std::string answers[] = {R"({"choices":"nonsense"})",
                                 R"({"choices":[)",
                                 R"("words")",
                                 R"({"error":{"message":"boom","code":500},"trace":"deep"})",
                                 R"({"choices":[],"error":{"message":"boom"}})",
                                 "<html><title>Sign in</title></html>",
                                 "no healthy upstream"};
  for (const auto& body : answers) {
    CAPTURE(body);
    const auto client = answering(Reply::json(body));
    CHECK(error_of(client).body == body);
    const auto streamed = client.chat.stream(hello).collect();
    REQUIRE(streamed.error);
    CHECK(streamed.error->body == body);
  }
  const auto long_text = R"({"choices":")" + std::string(100'000, 'x') + "\"}";
  CHECK(error_of(answering(Reply::json(long_text))).body == long_text.substr(0, 64u << 10));
}

TEST_CASE("Error::body holds the event that is an error, or cannot be read") {
  const auto body_after = [](const std::string& data) {
    const auto client = answering(Reply::stream({chunk("a"), "data: " + data + "\n\n"}));
    const auto streamed = client.chat.stream(hello).collect();
    REQUIRE(streamed.error);
    CHECK(streamed.response.text().starts_with('a'));
    const auto folded = client.chat.create(hello);
    REQUIRE_FALSE(folded);
    CHECK(folded.error().body == streamed.error->body);
    return streamed.error->body;
  };
  for (const std::string data :
       {R"({"choices":[{"index":0,"delta":["x"]}]})", R"({"choices":[}])", "internal server error",
        R"({"error":{"message":"died","metadata":{"why":"gpu"}}})",
        R"({"choices":[{"index":0,"delta":{"content":"b"}}],"error":{"message":"died"}})"}) {
    CAPTURE(data);
    const auto body = body_after(data);
    CHECK(body == data);
  }
  const std::string failed =
      R"({"type":"response.failed","response":{"id":"r","output":[],"status":"failed",)"
      R"("error":{"code":"server_error","message":"no"}}})";
  const auto response = answering(Reply::stream({"data: " + failed + "\n\n"}))
                            .responses.stream({.model = "m", .input = "Hello"})
                            .collect();
  REQUIRE(response.error);
  CHECK(response.error->detail == "no");
  CHECK(response.error->body == failed);
  // An event without its blank line may be the error that ended the stream.
  const std::string last = R"({"error":{"message":"died"}})";
  const auto cut = answering(Reply::stream({chunk("a"), "data: " + last})).chat.stream(hello).collect();
  REQUIRE(cut.error);
  CHECK(cut.error->body == last);
}

TEST_CASE("text in place of an answer is quoted, up to 80 characters and up to anything like JSON") {
  struct Row {
    std::string body;
    std::string quoted;
  };
  const Row rows[] = {
      {"no healthy upstream", ": no healthy upstream"},
      {" \r\nupstream  request\ttimeout\r\n", ": upstream request timeout"},
      {std::string(200, 'x'), ": " + std::string(80, 'x')},
      {"caf\xC3\xA9 " + std::string(200, 'x'), ": caf\xC3\xA9 " + std::string(75, 'x')},
      {R"(It is {"a":"secret"})", ": It is"},
      {R"(text "secret")", ": text"},
      {std::string("\x01\x02 secret", 9), ""},
      {std::string(70, 'x') + " " + key, ": " + std::string(70, 'x') + " ***"},
      {"the key " + std::string(key) + " is wrong", ": the key *** is wrong"},
  };
  for (const auto& [body, quoted] : rows) {
    CAPTURE(body);
    const auto client = answering(of_type("text/plain", body));
    CHECK(error_of(client).detail == "the answer is not JSON" + quoted);
    for (const auto* type : {"text/plain", "text/event-stream"}) {
      CAPTURE(type);
      const auto streaming = answering(of_type(type, body));
      const auto streamed = streaming.chat.stream(hello).collect();
      REQUIRE(streamed.error);
      CHECK(streamed.error->kind == ErrorKind::decode);
      CHECK_FALSE(streamed.error->retryable);
      CHECK(streamed.error->detail == "the answer is not a stream of events" + quoted);
      CHECK_FALSE(streamed.error->body.empty());
      CHECK(streamed.error->body.find(key) == std::string::npos);
    }
    CHECK(error_of(answering(of_type("application/json", body))).detail == "the answer is not JSON" + quoted);
  }
}

TEST_CASE("text among the events of a stream is quoted, and nothing that looks like JSON") {
  struct Row {
    std::string text;
    std::string quoted;
  };
  const std::string told = "; among its events it says: ";
  const Row rows[] = {
      {"upstream connect error: reset\n\n", told + "upstream connect error: reset"},
      {"upstream connect error: reset", told + "upstream connect error: reset"},
      {"<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n</html>\n", told + "502 Bad Gateway"},
      {"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 3\r\n\r\nbad",
       told + "HTTP/1.1 502 Bad Gateway Content-Length: 3 bad"},
      {"dta: {\"choices\":\"secret\"}\n\n", told + "dta:"},
      {"\"content\":\"secret\",\n", ""},
      {"\"secret\"\n", ""},
      {": ping\n\nid: 7\n\n", ""},
      {"dat", ""},
      {"data: {\"choi", ""},
  };
  for (const auto& [text, quoted] : rows) {
    CAPTURE(text);
    for (const auto& reply :
         {Reply::stream({chunk("a"), text}), Reply::stream({chunk("a"), text}).in_pieces_of(1)}) {
      const auto got = answering(reply).chat.stream(hello).collect();
      REQUIRE(got.error);
      CHECK(got.error->kind == ErrorKind::truncated);
      CHECK(got.error->detail == "the stream ended after 1 event, without its end marker" + quoted);
      CHECK(got.response.text() == "a");
    }
  }
  const auto event =
      answering(Reply::stream({chunk("a"), "data: internal server error\n\n"})).chat.stream(hello).collect();
  REQUIRE(event.error);
  CHECK(event.error->kind == ErrorKind::decode);
  CHECK_THAT(event.error->detail, contains(" in event 2 of the stream: internal server error"));
}

TEST_CASE("XML where an answer belongs is called XML") {  // as of S3 and CloudFront
  const std::string error = "<Error><Code>AccessDenied</Code><Message>no access</Message></Error>";
  for (const auto& [type, body] : {std::pair("application/xml", error), std::pair("text/plain", error),
                                   std::pair("text/event-stream", R"(<?xml version="1.0"?>)" + error)}) {
    CAPTURE(type);
    const auto got = error_of(answering(of_type(type, body)));
    CHECK(got.kind == ErrorKind::decode);
    CHECK(got.code == "AccessDenied");
    CHECK_THAT(got.detail, contains("sent XML instead") && contains("It says: no access"));
    CHECK(got.body == body);
  }
  const std::string page = R"(<?xml version="1.0"?><html><title>Sign in</title></html>)";
  CHECK_THAT(error_of(answering(of_type("application/xhtml+xml", page))).detail, contains("page of HTML"));
}

TEST_CASE("what XML or a page says is UTF-8, cut between characters") {
  const std::string latin = "<Error><Code>caf\xE9</Code><Message>pas d'acc\xE8s</Message></Error>";
  const auto got = error_of(answering(of_type("application/xml", latin)));
  CHECK(got.code == "caf\xEF\xBF\xBD");
  CHECK_THAT(got.detail, contains("It says: pas d'acc\xEF\xBF\xBDs"));
  const auto times = [](int count, const std::string& text) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  };
  const auto is_cut = [&](const std::string& body) {
    const auto detail = error_of(answering(of_type("text/plain", body))).detail;
    return detail.ends_with("It says: a" + times(149, "\xC3\xA9"));
  };
  CHECK(is_cut("<Error><Message>a" + times(200, "\xC3\xA9") + "</Message></Error>"));
  CHECK(is_cut("<html><title>a" + times(200, "\xC3\xA9") + "</title></html>"));
  const auto codes = error_of(
      answering(of_type("application/xml", "<Error><Code>" + times(200, "\xE9") + "</Code></Error>")));
  CHECK(codes.code == times(100, "\xEF\xBF\xBD"));
}

TEST_CASE("no part of a key that a page's text is cut in is shown, even if the body is said to be encoded") {
  const std::string before(285, 'x');
  for (const auto& body : {"<Error><Message>" + before + key + "</Message></Error>",
                           "<html><title>" + before + key + "</title></html>"}) {
    CAPTURE(body);
    auto reply = of_type("text/html", body);
    if (body.starts_with("<Error")) reply = of_type("application/xml", body);
    reply.headers.push_back({"Content-Encoding", "gzip"});
    const auto error = error_of(answering(reply));
    CHECK(error.kind == ErrorKind::decode);
    CHECK_THAT(error.detail, contains("; the body is encoded (gzip), which this client does not decode; is"));
    CHECK(error.detail.ends_with("It says: " + before + "***"));
  }
  auto reply = of_type("text/html", "<html><title>" + before + key + "</title></html>");
  reply.status = 502;
  reply.headers.push_back({"Content-Encoding", "gzip"});
  CHECK(error_of(answering(reply)).detail == before + "***");
}

TEST_CASE("collect() keeps 1000 choices") {
  std::vector<std::string> pieces;
  for (int i = 0; i < 1000; ++i) {
    pieces.push_back(R"(data: {"choices":[{"index":)" + std::to_string(i) +
                     R"(,"delta":{"content":"a"},"finish_reason":"stop"}]})" + "\n\n");
  }
  pieces.push_back(done);
  auto many = hello;
  many.n = 1000;
  const auto got = answering(Reply::stream(std::move(pieces))).chat.stream(many).collect();
  CHECK_FALSE(got.error);
  CHECK(got.response.choices.size() == 1000);
}

TEST_CASE("an error beside an empty list of choices is one") {
  const auto error = error_of(answering(
      Reply::json(R"({"error":{"message":"no credit","code":"insufficient_quota"},"choices":[]})")));
  CHECK(error.kind == ErrorKind::quota);
  CHECK(error.detail == "no credit");
}

TEST_CASE("an error inside a good status is one of responses and of completions, whole and streamed") {
  struct Row {
    std::string body;
    ErrorKind kind;
    std::string code;
    std::string detail;
  };
  const Row busy{R"({"error":{"message":"busy","code":503}})", ErrorKind::overloaded, "503", "busy"};
  const Row no_path{R"x({"error":"Unexpected endpoint or method. (POST /x)"})x", ErrorKind::not_found, "",
                    "Unexpected endpoint or method. (POST /x)"};
  const Row invalid{R"({"error_code":"INVALID_PARAMETER_VALUE","message":"m"})", ErrorKind::invalid_request,
                    "INVALID_PARAMETER_VALUE", "m"};
  const Row no_credit{R"({"choices":[],"error":{"message":"no credit","code":"insufficient_quota"}})",
                      ErrorKind::quota, "insufficient_quota", "no credit"};
  const Row zai{R"({"code":500,"msg":"404 NOT_FOUND","success":false})", ErrorKind::server, "500",
                "404 NOT_FOUND"};
  const auto check_with = [](auto resource, const auto& request, const Row& row) {
    CAPTURE(row.body);
    const auto check = [&row](const Error& error, ErrorKind kind) {
      CHECK(error.kind == kind);
      CHECK(error.code == row.code);
      CHECK(error.detail == row.detail);
      CHECK(error.status == 200);
      CHECK(error.body == row.body);
    };
    const auto client = answering(Reply::json(row.body));
    const auto whole = (client.*resource).create(request);
    REQUIRE_FALSE(whole);
    check(whole.error(), row.kind);
    const auto unstreamed = (client.*resource).stream(request).collect();
    REQUIRE(unstreamed.error);
    check(*unstreamed.error, row.kind);
    const auto streaming = answering(Reply::stream({"data: " + row.body + "\n\n"}));
    const auto folded = (streaming.*resource).create(request);
    REQUIRE_FALSE(folded);
    check(folded.error(), ErrorKind::stream_error);
    const auto streamed = (streaming.*resource).stream(request).collect();
    REQUIRE(streamed.error);
    check(*streamed.error, ErrorKind::stream_error);
  };
  check_with(&Client::chat, hello, zai);
  for (const auto& row : {busy, no_path, invalid, zai}) {
    check_with(&Client::responses, responses::Request{.model = "m", .input = "Hello"}, row);
  }
  for (const auto& row : {busy, no_path, invalid, no_credit, zai}) {
    check_with(&Client::completions, completions::Request{.model = "m", .prompt = "Hello"}, row);
  }
}

TEST_CASE("an answer with 'error' null is no error") {
  auto body = whole_answer;
  body.insert(1, R"("error":null,)");
  CHECK(answering(Reply::json(body)).chat.create(hello).value().text() == "Hi there.");
}

TEST_CASE("error_code null, '' or 'NONE' beside the choices of a chunk is no error") {
  for (const std::string code : {"null", "\"\"", "\"NONE\""}) {
    INFO(code);
    const auto client = answering(Reply::stream(
        {R"(data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}],"error_code":)" +
         code + "}\n\n"}));
    const auto collected = client.chat.stream(hello).collect();
    CHECK_FALSE(collected.error);
    CHECK(collected.response.text() == "Hi");
  }
}

TEST_CASE("a whole answer where a stream was asked for comes as one chunk") {
  auto stream = answering(Reply::json(whole_answer)).chat.stream(hello);
  auto collected = stream.collect();
  CHECK(collected);
  CHECK(stream.info().not_streamed);
  CHECK(collected.response.text() == "Hi there.");
  // The largest bound means no bound.
  const auto unbounded =
      answering(Reply::json(whole_answer),
                {.api_key = key, .max_event_bytes = std::numeric_limits<std::size_t>::max()});
  CHECK(unbounded.chat.stream(hello).collect());
  CHECK(collected.response.usage->total() == 5);
}

TEST_CASE("collect() of a whole answer keeps all of its members") {
  const std::string body =
      R"({"id":"c1","created":1,"model":"m1","service_tier":"flex","mine":1,"choices":[{"index":1,"message":{)"
      R"("role":"assistant","content":"Hi","refusal":"no","reasoning_content":"why","annotations":[{"type":)"
      R"("url_citation","url_citation":{"url":"http://a.test","title":"A"}}],"audio":{"id":"a","data":"AAAA",)"
      R"("transcript":"Hi"},"function_call":{"name":"old","arguments":"{}"},"tool_calls":[{"id":"t1","type":)"
      R"("function","function":{"name":"f","arguments":"{\"a\":1}"}},{"id":"t2","type":"custom","custom":)"
      R"({"name":"g","input":"free"}}],"theirs":2},"logprobs":{"content":[{"token":"Hi","logprob":-1,)"
      R"("bytes":null,"top_logprobs":[]}]},"finish_reason":"stop","stop_reason":7,"extra_fields":{"x":1},)"
      R"("ours":3}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}})";
  const auto whole = answering(Reply::json(body)).chat.create(hello);
  REQUIRE(whole);
  REQUIRE(whole->choices.at(0).message.tool_calls.size() == 2);
  CHECK(whole->choices[0].index == 0);  // one choice was asked for
  CHECK(whole->choices.at(0).message.function_call->name == "old");
  auto collected = answering(Reply::json(body)).chat.stream(hello).collect();
  REQUIRE(collected);
  CHECK(collected.response.choices == whole->choices);
  CHECK(collected.response.usage == whole->usage);
  CHECK(collected.response.extra == whole->extra);
}

TEST_CASE("tool calls without an id get one, the same in a stream and in a whole answer") {
  const std::string calls =
      R"("tool_calls":[{"index":0,"type":"function","function":{"name":"f","arguments":"{}"}},)"
      R"({"index":1,"id":"own","type":"function","function":{"name":"g","arguments":"{}"}}]})";
  const std::string end = R"(,"finish_reason":"tool_calls"}]})";
  const auto whole =
      answering(
          Reply::json(R"({"id":"c1","choices":[{"index":0,"message":{"role":"assistant",)" + calls + end))
          .chat.create(hello);
  REQUIRE(whole);
  const auto& made = whole->choices.at(0).message.tool_calls.at(0);
  CHECK(made.id.starts_with("call_"));
  CHECK(made.has_generated_id());
  CHECK(whole->choices[0].message.tool_calls.at(1).id == "own");
  const auto streamed =
      answering(Reply::stream({R"(data: {"id":"c1","choices":[{"index":0,"delta":{)" + calls + end + "\n\n"}))
          .chat.stream(hello)
          .collect();
  REQUIRE(streamed);
  CHECK(streamed.response.choices.at(0).message.tool_calls.at(0).id == made.id);
}

TEST_CASE("tool calls that a limit has cut are incomplete, the same in a stream and in a whole answer") {
  const std::string calls =
      R"("tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}]})";
  for (const std::string finish : {"length", "tool_calls"}) {
    CAPTURE(finish);
    const std::string end = R"(,"finish_reason":")" + finish + R"("}]})";
    const std::string body = R"({"choices":[{"index":0,"message":{"role":"assistant",)" + calls + end;
    const bool cut = finish == "length";
    const auto whole = answering(Reply::json(body)).chat.create(hello);
    REQUIRE(whole);
    CHECK(whole->tool_calls().at(0)->is_incomplete() == cut);
    const auto stored = from_json<chat::Response>(body);
    REQUIRE(stored);
    CHECK(stored->tool_calls().at(0)->is_incomplete() == cut);
    const auto streamed =
        answering(Reply::stream({R"(data: {"choices":[{"index":0,"delta":{)" + calls + end + "\n\n"}))
            .chat.stream(hello)
            .collect();
    CHECK(streamed.response.tool_calls().at(0)->is_incomplete() == cut);
    const auto instead = answering(Reply::json(body)).chat.stream(hello).collect();
    CHECK(instead.response.tool_calls().at(0)->is_incomplete() == cut);
  }
}

TEST_CASE("a tool call without name and arguments is dropped, in a stream and in a whole answer") {
  // https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/830
  const std::string said =
      R"("role":"assistant","content":"I've created a program.","tool_calls":[)"
      R"({"index":0,"id":"","type":"function"},{"index":1,"id":"x","type":"search"},)"
      R"({"index":2,"id":"y","type":"function","x":null,"function":{"name":"","arguments":" ","x":null}},)"
      R"({"index":3,"name":"getWeather","arguments":{"x":1}},)"
      R"({"index":4,"id":"a","function":{"name":"","arguments":"","signature":"S"}}]})";
  const std::string end = R"(,"finish_reason":"stop"}]})";
  const auto whole = answering(Reply::json(R"({"id":"c1","choices":[{"index":0,"message":{)" + said + end))
                         .chat.create(hello);
  REQUIRE(whole);
  CHECK(whole->text() == "I've created a program.");
  const auto streamed =
      answering(Reply::stream({R"(data: {"id":"c1","choices":[{"index":0,"delta":{)" + said + end + "\n\n"}))
          .chat.stream(hello)
          .collect();
  REQUIRE(streamed);
  for (const auto* const answer : {&*whole, &streamed.response}) {
    // A call may have its content elsewhere: one of a type that is not known, or with unknown members.
    REQUIRE(answer->tool_calls().size() == 3);
    CHECK(answer->tool_calls()[0]->type == "search");
    CHECK(answer->tool_calls()[1]->extra.find("name")->text() == R"("getWeather")");
    CHECK(answer->tool_calls()[2]->function->extra.find("signature")->text() == R"("S")");
  }
}

TEST_CASE("choices that are the parts of one are read as one if one was asked for") {
  // https://github.com/HKUDS/nanobot/pull/1555 (Claude on GitHub Copilot)
  const std::string calls = R"({"finish_reason":"tool_calls","message":{"role":"assistant","tool_calls":[)"
                            R"({"id":"","type":"function","function":{"name":"f","arguments":""}}]}})";
  const std::string said =
      R"({"id":"x","choices":[{"finish_reason":"tool_calls","message":{"role":"assistant",)"
      R"("content":"I'll look."}},)" +
      calls;
  const auto client = answering(Reply::json(said + "," + calls + "]}"));
  const auto whole = client.chat.create(hello);
  REQUIRE(whole);
  REQUIRE(whole->choices.size() == 1);
  CHECK(whole->text() == "I'll look.");
  CHECK(whole->tool_calls().size() == 2);
  CHECK(whole->finish() == chat::Finish::tool_calls);
  const auto streamed = client.chat.stream(hello).collect();
  REQUIRE(streamed);
  CHECK(streamed.response == *whole);
  // Two texts are two answers, as is what answers a request for two.
  const auto other = R"(,{"finish_reason":"stop","message":{"role":"assistant","content":"No."}}]})";
  CHECK(answering(Reply::json(said + other)).chat.create(hello).value().text() == "I'll look.");
  auto two = hello;
  two.n = 2;
  for (const auto& answer : {client.chat.create(two).value(), client.chat.stream(two).collect().response}) {
    CHECK(answer.choices.size() == 3);
  }
}

TEST_CASE("choices that the server does not number are numbered by position, whole and streamed") {
  const auto choice = [](const std::string& text) {
    return R"({"finish_reason":"tool_calls","message":{"role":"assistant","content":")" + text +
           R"(","tool_calls":[{"type":"function","function":{"name":"f","arguments":"{}"}}]}})";
  };
  const auto client =
      answering(Reply::json(R"({"id":"x","choices":[)" + choice("a") + "," + choice("b") + "]}"));
  auto two = hello;
  two.n = 2;
  const auto whole = client.chat.create(two);
  REQUIRE(whole);
  CHECK(whole->choices.at(1).index == 1);
  CHECK(whole->choices[0].message.tool_calls.at(0).id != whole->choices[1].message.tool_calls.at(0).id);
  CHECK(client.chat.stream(two).collect().response == *whole);
  const auto unasked = client.chat.create(hello);
  REQUIRE(unasked);
  CHECK(unasked->choices.at(1).index == 1);
}

TEST_CASE("a tool call's id that is a number is kept as digits, one of another type is replaced") {
  const auto call_of = [](const std::string& id) {
    const auto answer = answering(  // TGI 1.4.3, where the id is 0
        Reply::json(
            R"({"id":"","object":"text_completion","created":1710795556,"model":"T","choices":[{"finish_reason":)"
            R"("eos_token","index":0,"logprobs":null,"message":{"content":null,"name":null,"role":"assistant",)"
            R"("tool_calls":[{"function":{"description":null,"name":"w","arguments":{"format":"celsius"}},"id":)" +
            id + R"(,"type":"function"}]},"usage":null}]})"));
    const auto whole = answer.chat.create(hello);
    REQUIRE(whole);
    const auto message = whole->choices.at(0).message.as_request();
    CHECK(chat::to_json(message));
    return message.tool_calls.at(0);
  };
  CHECK(call_of("0").id == "0");
  CHECK(call_of("12").id == "12");
  for (const std::string odd : {R"({"a":1})", "[1]", "true", "null", R"("")"}) {
    INFO(odd);
    CHECK(call_of(odd).has_generated_id());
  }
}

TEST_CASE("a choice without a message is read with its finish reason") {  // Azure
  const auto client = answering(Reply::json(
      R"({"choices":[{"content_filter_results":{},"finish_reason":"content_filter","index":0}]})"));
  const auto whole = client.chat.create(hello);
  REQUIRE(whole);
  CHECK(whole->finish() == chat::Finish::content_filter);
  CHECK(whole->text().empty());
  const auto collected = client.chat.stream(hello).collect();
  REQUIRE(collected);
  CHECK(collected.response.finish() == chat::Finish::content_filter);
  CHECK(collected.response.text().empty());
}

TEST_CASE("an error inside a choice is the call's error, with the text so far") {  // as on OpenRouter
  const auto client = answering(Reply::json(
      R"({"choices":[{"error":{"message":"Upstream","code":502},"finish_reason":"error","index":0,)"
      R"("message":{"role":"assistant","content":"Half"}}]})"));
  const auto whole = client.chat.create(hello);
  const auto collected = client.chat.stream(hello).collect();
  REQUIRE_FALSE(whole);
  REQUIRE(collected.error);
  for (const Error* error : {&whole.error(), &*collected.error}) {
    CHECK(error->kind == ErrorKind::server);
    CHECK(error->detail == "Upstream");
    CHECK(error->code == "502");
    CHECK(error->status == 200);
    CHECK(error->retryable);
    CHECK_THAT(error->body, contains("Half"));
  }
  CHECK(answering(
            Reply::json(R"({"choices":[{"error":{},"finish_reason":"error","message":{"content":"a"}}]})"))
            .chat.create(hello));
}

TEST_CASE("a message that is no object is Error{decode} when a stream was asked for") {
  const auto collected =
      answering(
          Reply::json(R"({"choices":[{"index":0,"message":{"content":"a"}},{"index":1,"message":[]}]})"))
          .chat.stream(hello)
          .collect();
  REQUIRE(collected.error);
  CHECK(collected.error->kind == ErrorKind::decode);
  CHECK(collected.error->path == "choices[1].message");
}

TEST_CASE("create() folds a stream that comes in place of a whole answer") {
  const std::string events =
      "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Hi "
      "\"}}]}\n\n"
      "data: "
      "{\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"you\"},\"finish_reason\":\"stop\"}]}"
      "\n\n";
  const auto reply = answering(Reply::stream({events + done})).chat.create(hello);
  REQUIRE(reply);
  CHECK(reply->text() == "Hi you");
  const auto cut = answering(Reply::stream({events.substr(0, 80)})).chat.create(hello);
  REQUIRE_FALSE(cut);
  CHECK(cut.error().kind == ErrorKind::truncated);
}

TEST_CASE("collect() of a stream that has failed has an error, also when next() has given it") {
  const std::string piece = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n";
  const auto failed = answering(Reply::stream({piece})).chat.stream(hello).collect().result();
  REQUIRE_FALSE(failed);
  CHECK(failed.error().kind == ErrorKind::truncated);
  const auto whole = answering(Reply::stream({piece + done})).chat.stream(hello).collect().result();
  REQUIRE(whole);
  CHECK(whole->text() == "a");

  auto stream = answering(Reply::stream({piece})).chat.stream(hello);
  while (stream.next() != nullptr) {}
  std::ostringstream reason;
  reason << stream.end_reason();
  CHECK(reason.str() == "failed");
  const auto rest = stream.collect();
  REQUIRE_FALSE(rest);
  CHECK(rest.error->kind == ErrorKind::truncated);
  CHECK(rest.result().error() == *rest.error);

  const auto moved = std::move(stream);
  const auto nothing = stream.collect();  // NOLINT: tests a moved-from stream
  REQUIRE_FALSE(nothing);
  CHECK(nothing.error->kind == ErrorKind::config);
}

TEST_CASE("collect() after next() gives the rest and Error{config}") {
  auto stream = answering(Reply::stream({chunk("a") + chunk("b") + done})).chat.stream(hello);
  REQUIRE(stream.next());
  const auto rest = stream.collect();
  CHECK(rest.response.text() == "b");
  REQUIRE(rest.error);
  CHECK(rest.error->kind == ErrorKind::config);
  CHECK_THAT(rest.error->detail, contains("Accumulator"));
}

TEST_CASE("collect(on_element) calls the function with each element") {
  std::string seen;
  const auto client = answering(Reply::stream({chunk("a") + chunk("b") + done}));
  const auto whole = client.chat.stream(hello).collect([&](const chat::Chunk& part) { seen += part.text(); });
  CHECK(whole);
  CHECK(whole.response.text() == "ab");
  CHECK(whole.result() == whole.response);
  CHECK(seen == "ab");
}

TEST_CASE("collect(on_element) ends at an exception and keeps what had arrived") {
  auto stream = answering(Reply::stream({chunk("a") + chunk("b") + done})).chat.stream(hello);
  const auto part = stream.collect([](const chat::Chunk&) { throw std::runtime_error("that is enough"); });
  CHECK(part.response.text() == "a");
  REQUIRE(part.error);
  CHECK(part.error->kind == ErrorKind::cancelled);
  CHECK(part.error->provider == "openai");
  CHECK(part.error->status == 200);
  CHECK_THAT(part.error->detail, contains("that is enough"));
  CHECK(stream.next() == nullptr);
  CHECK(inferwire::name(stream.end_reason()) == "failed");
}

TEST_CASE("the choice of a stream has the index 0 if one was asked for") {
  const auto piece = [](const std::string& index, const std::string& text, const std::string& finish) {
    return R"(data: {"id":"","object":"text_completion","created":1,"model":"m","choices":[{"index":)" +
           index + R"(,"delta":{"role":"assistant","content":")" + text +
           R"("},"logprobs":null,"finish_reason":)" + finish + "}]}\n\n";
  };
  // TGI: https://github.com/huggingface/text-generation-inference/issues/1648
  const auto client = answering(
      Reply::stream({piece("1", "I", "null"), piece("2", "'", "null"), piece("3", "m", "\"length\"")}));
  const auto collected = client.chat.stream(hello).collect();
  REQUIRE(collected);
  REQUIRE(collected.response.choices.size() == 1);
  CHECK(collected.response.text() == "I'm");
  CHECK(collected.response.finish() == chat::Finish::length);
  CHECK(client.chat.create(hello).value() == collected.response);
  std::string read;
  for (const auto& chunk : client.chat.stream(hello)) read += chunk.value().text();
  CHECK(read == "I'm");
  // The call may ask for more by other means than its request's `n`.
  auto by_extra = hello;
  by_extra.extra.set("n", Json::number(3));
  CHECK(client.chat.stream(by_extra).collect().response.choices.size() == 3);
  const CallOptions edited{.body = {BodyEdit::set("/n", Json::number(3))}};
  CHECK(client.chat.stream(hello, edited).collect().response.choices.size() == 3);
  const CallOptions replaced{.body = {BodyEdit::set("", Json::raw(R"({"model":"m","n":3,"messages":[]})"))}};
  CHECK(client.chat.stream(hello, replaced).collect().response.choices.size() == 3);
  auto by_name = hello;
  by_name.extra.set("num_return_sequences", Json::number(3));
  CHECK(client.chat.stream(by_name).collect().response.choices.size() == 3);
  // A server may send several although one was asked for.
  const auto several = answering(Reply::stream({piece("0", "A", "null"), piece("1", "B", "null"),
                                                piece("0", "A", "\"stop\""), piece("1", "C", "\"stop\"")}));
  CHECK(several.chat.stream(hello).collect().response.choices.size() == 2);
  const auto texts =
      answering(Reply::stream({R"(data: {"choices":[{"index":0,"text":"a","finish_reason":"stop"}]})"
                               "\n\n"
                               R"(data: {"choices":[{"index":1,"text":"b","finish_reason":"stop"}]})"
                               "\n\n"}));
  const completions::Request prompt{.model = "m", .prompt = std::vector<std::string>{"Hello"}};
  for (const auto* const path : {"/prompt/-", "/prompt_embeds"}) {
    const CallOptions more{.body = {BodyEdit::set(path, Json::string("x"))}};
    CHECK(texts.completions.stream(prompt, more).collect().response.choices.size() == 2);
  }
}

TEST_CASE("a stream without choices is truncated, also if the call sets their number") {
  auto by_extra = hello;
  by_extra.extra.set("num_return_sequences", Json::number(3));
  const CallOptions edited{.body = {BodyEdit::set("/n", Json::number(3))}};
  const CallOptions odd{.body = {BodyEdit::set("/n", Json::string("3"))}};
  for (const auto& body : {std::string(), done}) {
    CAPTURE(body);
    const auto client = answering(Reply::stream({body}));
    for (const auto& got :
         {client.chat.stream(hello, edited).collect(), client.chat.stream(hello, odd).collect(),
          client.chat.stream(by_extra).collect()}) {
      REQUIRE(got.error);
      CHECK(got.error->kind == ErrorKind::truncated);
      CHECK(got.error->retryable);
    }
  }
}

TEST_CASE("the prompts of a request do not count if the call replaces them") {
  const auto client =
      answering(Reply::stream({R"(data: {"choices":[{"index":0,"text":"a","finish_reason":"stop"}]})"
                               "\n\n"}));
  const completions::Request two{.model = "m", .prompt = std::vector<std::string>{"Hello", "Bye"}};
  const auto cut = client.completions.stream(two).collect();
  REQUIRE(cut.error);
  CHECK(cut.error->kind == ErrorKind::truncated);
  CHECK(client.completions.stream(two, {.body = {BodyEdit::set("/prompt", Json::string("Hi"))}}).collect());
}

TEST_CASE("a stream with n = 2 is truncated until both choices have finished") {
  auto request = hello;
  request.n = 2;
  const std::string one =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n";
  const std::string two =
      "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}\n\n";
  const auto half = answering(Reply::stream({one})).chat.stream(request).collect();
  REQUIRE_FALSE(half);
  CHECK(half.error->kind == ErrorKind::truncated);
  CHECK(half.response.text() == "a");
  CHECK(answering(Reply::stream({one + two})).chat.stream(request).collect());
}
