// The framing in which an answer is read, and what happens to errors inside the frames.
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "protocol/framing/event_stream_writer.hpp"
#include "protocol/framing/sagemaker_stream.hpp"
#include "support/answered_client.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/scripted_client.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

using namespace inferwire;
using namespace inferwire_test;
using inferwire::testing::Reply;

namespace {

const std::string first = R"({"choices":[{"index":0,"delta":{"content":"Ebb "}}]})";
const std::string last = R"({"choices":[{"index":0,"delta":{"content":"tide"},"finish_reason":"stop"}]})";
const std::string whole =
    R"({"choices":[{"index":0,"message":{"role":"assistant","content":"Ebb tide"},"finish_reason":"stop"}]})";
const std::string as_events = "data: " + first + "\n\ndata: " + last + "\n\ndata: [DONE]\n\n";
const std::string as_lines = first + "\n" + last + "\n";

Client client_of(std::vector<Header> headers, std::string body, Provider provider = Provider::openai()) {
  return answering({.headers = std::move(headers), .body = {{.bytes = std::move(body)}}},
                   {.provider = std::move(provider), .api_key = key});
}

/// A client whose service sends the body byte by byte.
Client client_of_bytes(std::vector<Header> headers, std::string body) {
  const Reply reply{.headers = std::move(headers), .body = {{.bytes = std::move(body)}}};
  return answering(reply.in_pieces_of(1));
}

/// The body in AWS payload parts of seven bytes.
std::string in_parts(std::string_view body) {
  std::string out;
  for (; !body.empty(); body.remove_prefix(std::min<std::size_t>(7, body.size()))) {
    protocol::append_payload_part(out, body.substr(0, 7));
  }
  return out;
}

}  // namespace

TEST_CASE("the media type chooses the framing of streams and whole answers") {
  struct Row {
    std::vector<Header> headers;
    std::string body;
  };
  const std::string outer = "application/vnd.amazon.eventstream";
  const std::string inner = "X-Amzn-SageMaker-Content-Type";
  const Row rows[] = {
      {{{"Content-Type", "text/event-stream; charset=utf-8"}}, as_events},
      {{{"Content-Type", "application/jsonlines"}}, as_lines},
      {{{"Content-Type", "application/x-ndjson"}}, as_lines},
      {{{"Content-Type", "application/jsonlines"}}, as_events},  // LMI writes SSE under this name
      {{{"Content-Type", "application/jsonlines"}}, ": comment\nevent: chunk\n" + as_events},
      {{{"Content-Type", "application/jsonlines"}}, first + "\n" + last},
      {{{"Content-Type", "application/jsonlines"}}, "data: " + first + "\ndata: " + last + "\n"},
      {{{"Content-Type", "application/jsonlines"}}, "\n\ndata:" + first + "\r\n\r\ndata:" + last},
      {{{"Content-Type", "application/jsonlines"}},
       first + "\n: comment\nid: 1\nevent: chunk\ndata: " + last},
      {{{"Content-Type", outer}, {inner, "text/event-stream"}}, in_parts(as_events)},
      {{{"Content-Type", outer}, {inner, "application/jsonlines"}}, in_parts(as_lines)},
      {{{"Content-Type", outer}, {inner, "application/jsonlines"}},
       in_parts("data: " + first + "\ndata: " + last)},
      {{{"Content-Type", outer}}, in_parts(as_events)},
  };
  for (const auto& [headers, body] : rows) {
    CAPTURE(headers[0].value, body.substr(0, 20));
    const auto client = client_of(headers, body);
    const auto streamed = client.chat.stream(hello).collect();
    CHECK(streamed);
    CHECK(streamed.response.text() == "Ebb tide");
    const auto created = client.chat.create(hello);
    REQUIRE(created);
    CHECK(*created == streamed.response);
  }
}

TEST_CASE("a whole answer inside an AWS event stream is read as one") {
  const auto client = client_of({{"Content-Type", "application/vnd.amazon.eventstream"},
                                 {"X-Amzn-SageMaker-Content-Type", "application/json"}},
                                in_parts(whole));
  const auto streamed = client.chat.stream(hello).collect();
  CHECK(streamed);
  CHECK(streamed.response.text() == "Ebb tide");
}

TEST_CASE("the provider's row chooses the framing where there is no media type") {
  CHECK(client_of({}, as_lines, Provider::lmi()).chat.stream(hello).collect().response.text() == "Ebb tide");
  CHECK(client_of({}, as_events, Provider::lmi()).chat.stream(hello).collect().response.text() == "Ebb tide");
  const std::string lines = "data: " + first + "\ndata: " + last;
  CHECK(client_of({}, lines, Provider::lmi()).chat.stream(hello).collect().response.text() == "Ebb tide");
  CHECK(client_of({}, whole).chat.stream(hello).collect().response.text() == "Ebb tide");
}

TEST_CASE("a single frame may hold the whole answer") {
  const auto event = "data: " + whole + "\n\n";
  const std::vector<Header> lines{{"Content-Type", "application/jsonlines"}};
  const std::vector<Header> parts{{"Content-Type", "application/vnd.amazon.eventstream"}};
  const auto lmi = Provider::lmi();
  for (const auto& client :
       {client_of({}, whole, lmi), client_of({{"Content-Type", "text/plain"}}, whole, lmi),
        client_of(lines, whole), client_of(lines, whole + "\n", lmi), client_of(parts, in_parts(whole), lmi),
        client_of(lines, event),
        client_of({{"Content-Type", "text/event-stream"}}, event + "data: [DONE]\n\n")}) {
    const auto streamed = client.chat.stream(hello).collect();
    CHECK(streamed);
    CHECK(streamed.response.text() == "Ebb tide");
    CHECK(client.chat.create(hello)->text() == "Ebb tide");
  }
  const std::string broken = R"(data: {"choices":[{"index":0,"message":{"content":true}}]})";
  const auto unread = client_of({{"Content-Type", "text/event-stream"}}, broken + "\n\n");
  CHECK(unread.chat.stream(hello).collect().error->path == "choices[0].message.content");
  // After its pieces, or after another one, a whole answer adds nothing.
  for (const auto& [before, text] :
       {std::pair("data: " + last + "\n\n", "tide"), std::pair(event, "Ebb tide")}) {
    const auto repeated = before + event + "data: [DONE]\n\n";
    CHECK(client_of({{"Content-Type", "text/event-stream"}}, repeated).chat.create(hello)->text() == text);
  }
}

TEST_CASE("the first bytes of a body choose the framing where the media type is wrong") {
  struct Row {
    std::string type;
    std::string body;
  };
  const Row rows[] = {
      {"application/json", as_events},
      {"application/json", "\xEF\xBB\xBF" + as_events},
      {"application/json", "\n: comment\n\n" + as_events},
      {"text/html", as_events},
      {"text/plain", as_events},
      {"text/event-stream", whole},
      {"text/event-stream", " \n" + whole + "\n\ndata: [DONE]\n\n"},
      {"text/event-stream", whole + "data:[DONE]"},
      {"text/html; charset=UTF-8", whole},
  };
  for (const auto& [type, body] : rows) {
    CAPTURE(type, body);
    const auto client = client_of({{"Content-Type", type}}, body);
    const auto streamed = client.chat.stream(hello).collect();
    CHECK(streamed);
    CHECK(streamed.response.text() == "Ebb tide");
    const auto created = client.chat.create(hello);
    REQUIRE(created);
    CHECK(created->text() == "Ebb tide");
    const auto in_bytes = client_of_bytes({{"Content-Type", type}}, body).chat.stream(hello).collect();
    CHECK(in_bytes.response == streamed.response);
  }
  // Much white space in small pieces takes hardly any time.
  auto blank = Reply::stream({"\xEF\xBB", "\xBF"});
  blank.body.push_back({.bytes = std::string(16'384, '\n'), .times = 2'000});
  blank.body.push_back({.bytes = as_events});
  CHECK(answering(std::move(blank)).chat.stream(hello).collect().response.text() == "Ebb tide");
  // A text that could still become a field, but does not.
  const auto text = client_of({{"Content-Type", "application/json"}}, "dat").chat.stream(hello).collect();
  REQUIRE(text.error);
  CHECK(text.error->kind == ErrorKind::decode);
}

TEST_CASE("known mistakes of servers in SSE framing are read") {
  const std::vector<Header> sse{{"Content-Type", "text/event-stream"}};
  for (const std::string& body : {
           "data: data: " + first + "\n\ndata: data: " + last + "\n\ndata: data: [DONE]\n\n",  // aprender
           "data: data:" + first + "\ndata:\ndata:\n\ndata: data: " + last + "\ndata:\ndata:\n\n",  // shimmy
           "data: " + first + "\ndata: " + last + "\ndata: [DONE]\n\n",
           "data: " + first + "\r\ndata: " + last + "\r\ndata: [DONE]\r\n",
           "data: " + first + "\n\n" + last + "\n\ndata: \"[DONE]\"\n\n",
           "data: " + first + "\n\ndata: " + last + "\n\ndata:  [DONE] \n\n",
           "data: " + first + "\n\n\xEF\xBB\xBF" + "data: " + last + "\n\ndata: \"[DONE]\"",
           "event: a\ndata: " + first + "\nevent: b\ndata: " + last + "\ndata: [DONE]\n\n",
           "data:" + first + "\rdata:" + last + "\rdata:[DONE]\r",
           "event: ping\ndata: -\n\n" + as_events,
           // https://github.com/0xPlaygrounds/rig/issues/534
           "data:\n " + first + "\n\ndata:\n " + last + "\n\ndata: [DONE]\n\n",
           // https://github.com/earendil-works/pi/issues/2468
           "data: " + first + "\n\ndata: null\n\ndata: " + last + "\n\ndata: null\n\ndata: [DONE]\n\n",
           "data: " + first + "\ndata: null\ndata: " + last + "\ndata: [DONE]\n\n",
       }) {
    CAPTURE(body);
    for (const auto& client : {client_of(sse, body), client_of_bytes(sse, body)}) {
      const auto streamed = client.chat.stream(hello).collect();
      CHECK(streamed);
      CHECK(streamed.response.text() == "Ebb tide");
      CHECK(client.chat.create(hello).value() == streamed.response);
    }
  }
  // An event with many `data` lines is one event.
  const auto many = client_of(
      sse, "data: {\ndata: \"choices\":[" + last.substr(12, last.size() - 14) + "]}\n\ndata: [DONE]\n\n");
  CHECK(many.chat.stream(hello).collect().response.text() == "tide");
  // An event's name does not belong to the one before it.
  const auto named =
      client_of(sse, "event: chunk\ndata: " + first + "\nevent: error\ndata: {\"message\":\"boom\"}\n\n")
          .chat.stream(hello)
          .collect();
  REQUIRE(named.error);
  CHECK(named.error->detail == "boom");
  CHECK(named.response.text() == "Ebb ");
  // A line after a whole object belongs to the next event; the error is that this event breaks off.
  const auto cut = client_of(sse, "data: " + first + "\ndata: " + last + "\n").chat.stream(hello).collect();
  REQUIRE(cut.error);
  CHECK(cut.error->kind == ErrorKind::truncated);
  CHECK(cut.response.text() == "Ebb ");
}

TEST_CASE("a delta beside empty choices (Databricks agents) is that of choice 0") {  // Databricks
  const auto chunk = [](const std::string& members) {
    return R"(data: {"id":"a","choices":[],"custom_outputs":{"k":1},)" + members + "}\n\n";
  };
  auto stream = client_of({{"content-type", "text/event-stream"}},
                          chunk(R"("delta":{"role":"assistant","content":"Ebb "})") +
                              chunk(R"("delta":{"content":"tide"})") +
                              chunk(R"("delta":{},"finish_reason":"stop","usage":{"total_tokens":3})"))
                    .chat.stream(hello);
  std::string shown;
  std::vector<chat::Chunk> chunks;
  for (const auto& element : stream) {
    REQUIRE(element);
    shown += element->text();
    chunks.push_back(*element);
  }
  CHECK(shown == "Ebb tide");
  REQUIRE(chunks.size() == 3);
  CHECK(chunks[0].extra.find("custom_outputs")->text() == R"({"k":1})");
  CHECK(chunks[2].choices.at(0).finish_reason == "stop");
  CHECK(chunks[2].usage->total_tokens == 3);
}

TEST_CASE("an error document in place of a stream is read, whatever its media type") {
  const std::string error = R"({"error":{"message":"no credit is left","code":"insufficient_quota"}})";
  for (const std::string type : {"text/event-stream", "application/json", "text/html"}) {
    CAPTURE(type);
    const auto client = client_of({{"Content-Type", type}}, error);
    const auto streamed = client.chat.stream(hello).collect();
    REQUIRE(streamed.error);
    CHECK(streamed.error->kind == ErrorKind::quota);
    CHECK(streamed.error->detail == "no credit is left");
    CHECK(client.chat.create(hello).error().detail == "no credit is left");
  }
}

TEST_CASE("an event that is no JSON is Error{decode}, which says which event and byte, and not the text") {
  const std::string malformed = R"({"choices":[}sk-secret)";
  const auto error_after = [&malformed](std::size_t events) {
    std::string body;
    for (std::size_t i = 0; i < events; ++i) body += "data: " + first + "\n\n";
    const auto client =
        client_of({{"Content-Type", "text/event-stream"}}, body + "data: " + malformed + "\n\n" + chunk("x"));
    const auto streamed = client.chat.stream(hello).collect();
    REQUIRE(streamed.error);
    CHECK(streamed.response.text() == (events > 0 ? "Ebb Ebb " : ""));
    const auto folded = client.chat.create(hello);
    REQUIRE_FALSE(folded);
    CHECK(folded.error().detail == streamed.error->detail);
    return *streamed.error;
  };
  for (const std::size_t events : {0u, 2u}) {
    CAPTURE(events);
    const auto error = error_after(events);
    CHECK(error.kind == ErrorKind::decode);
    CHECK_FALSE(error.retryable);
    CHECK(error.detail ==
          "unexpected character at byte 12 in event " + std::to_string(events + 1) + " of the stream");
    CHECK(error.message().find("sk-secret") == std::string::npos);
    CHECK(error.body == R"({"choices":[}***)");  // a beginning of the client's key
  }
  // A whole answer in place of a stream has no events.
  const auto client = client_of({{"Content-Type", "application/json"}}, malformed);
  const auto unstreamed = client.chat.stream(hello).collect();
  REQUIRE(unstreamed.error);
  CHECK(unstreamed.error->kind == ErrorKind::decode);
  CHECK(unstreamed.error->detail == "unexpected character at byte 12");
  CHECK(unstreamed.error->body.find("sk-secret") == std::string::npos);
  CHECK(client.chat.create(hello).error().detail == unstreamed.error->detail);
}

TEST_CASE("an SSE field 'error:' is an error") {  // as from llama.cpp, until 2025
  const std::string error =
      R"(error: {"code":400,"message":"the request exceeds the available context size","type":"bad"})"
      "\n\n";
  const std::vector<Header> headers{{"Content-Type", "text/event-stream"}};
  for (const std::string& before : {std::string(), "data: " + first + "\n\n"}) {
    const auto streamed =
        client_of(headers, before + error + "data: [DONE]\n\n").chat.stream(hello).collect();
    REQUIRE(streamed.error);
    CHECK(streamed.error->kind == ErrorKind::stream_error);
    CHECK_THAT(streamed.error->detail, contains("available context size"));
    CHECK(streamed.response.text() == (before.empty() ? "" : "Ebb "));
  }
}

TEST_CASE("an event 'error' is an error even if its data is null") {
  const auto body = "data: " + first + "\n\ndata: null\n\nevent: error\ndata: null\n\ndata: " + last + "\n\n";
  const auto streamed = client_of({{"Content-Type", "text/event-stream"}}, body).chat.stream(hello).collect();
  REQUIRE(streamed.error);
  CHECK(streamed.error->kind == ErrorKind::stream_error);
  CHECK(streamed.response.text() == "Ebb ");
}

TEST_CASE("the delta beside an error in a chunk comes before the error") {  // OpenRouter
  const std::string error = R"("error":{"code":400,"message":"Token limit reached"})";
  const auto streamed = [&error](const std::string& before, const std::string& beside) {
    return client_of({{"Content-Type", "text/event-stream"}},
                     before + "data: {" + error + beside + "}\n\ndata: [DONE]\n\n")
        .chat.stream(hello);
  };
  const auto begun = "data: " + first + "\n\n";
  const std::string rest =
      R"(,"choices":[{"index":0,"delta":{"content":"tide"}}],"usage":{"total_tokens":9})";
  const auto both = streamed(begun, rest).collect();
  REQUIRE(both.error);
  CHECK(both.error->kind == ErrorKind::stream_error);
  CHECK(both.error->detail == "Token limit reached");
  CHECK_FALSE(both.error->retryable);
  CHECK(both.response.text() == "Ebb tide");
  REQUIRE(both.response.usage);
  CHECK(both.response.usage->total() == 9);

  const auto elements = [](auto stream) {
    int count = 0;
    while (const auto* const element = stream.next()) count += *element ? 1 : 0;
    return count;
  };
  CHECK(elements(streamed(begun, R"(,"usage":{"total_tokens":9})")) == 2);
  CHECK(streamed(begun, rest + R"(,"request_id":"r-1")").collect().error->request_id == "r-1");

  // The finish reason next to an error is the failure's: the arguments of a call may be cut there.
  const auto cut =
      streamed(R"(data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function")"
               R"(:{"name":"f","arguments":"{\"x\":1"}}]}}]})"
               "\n\n",
               R"(,"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}])")
          .collect();
  REQUIRE(cut.error);
  CHECK(cut.response.choices.at(0).message.tool_calls.at(0).is_incomplete());

  // The error may be in the choice that it ends, as in a whole answer.
  const std::string broken =
      R"({"choices":[{"index":0,"delta":{"content":"tide"},"finish_reason":"error",)" + error + "}]}";
  const auto inside = client_of({{"Content-Type", "text/event-stream"}}, begun + "data: " + broken + "\n\n")
                          .chat.stream(hello)
                          .collect();
  REQUIRE(inside.error);
  CHECK(inside.error->detail == "Token limit reached");
  CHECK(inside.response.text() == "Ebb tide");

  // No element is added if there is only an error, or if a retry could give everything that came.
  CHECK(elements(streamed(begun, "")) == 1);
  CHECK(elements(streamed("", rest)) == 0);
}

TEST_CASE("x_groq.error is the error of a stream") {
  // https://github.com/groq/groq-python/blob/main/src/groq/types/chat/chat_completion_chunk.py, XGroq
  const auto ended = [](const std::string& finish, const std::string& x_groq) {
    return client_of({{"Content-Type", "text/event-stream"}},
                     "data: " + first +
                         "\n\ndata: "
                         R"({"choices":[{"index":0,"delta":{"content":"tide"},"finish_reason":)" +
                         finish + R"(}],"x_groq":)" + x_groq + "}\n\ndata: [DONE]\n\n")
        .chat.stream(hello)
        .collect();
  };
  for (const std::string finish : {"null", "\"stop\""}) {
    const auto stopped = ended(finish, R"({"id":"req_1","error":"over capacity"})");
    REQUIRE(stopped.error);
    CHECK(stopped.error->kind == ErrorKind::stream_error);
    CHECK(stopped.error->detail == "over capacity");
    CHECK(stopped.response.text() == "Ebb tide");
  }
  CHECK_FALSE(ended("\"stop\"", R"({"id":"req_1","error":null,"usage":{"total_tokens":9}})").error);
}

TEST_CASE("choices of a whole answer that share an index are numbered anew") {
  const std::string choice = R"({"message":{"content":"a"},"finish_reason":"stop"})";
  const auto answer = "{\"choices\":[" + choice + "," + choice + "]}";
  auto two = hello;
  two.n = 2;
  const auto streamed = client_of({{"Content-Type", "application/json"}}, answer).chat.stream(two).collect();
  REQUIRE(streamed.response.choices.size() == 2);
  CHECK(streamed.response.choices[1].index == 1);
  CHECK(streamed.response.choices[1].message.text() == "a");
}

TEST_CASE("an empty stream is truncated, whatever its media type") {
  for (const std::string type :
       {"text/event-stream", "application/json", "application/jsonlines", "text/html", ""}) {
    for (const std::string body : {"", " \r\n\t\n", "\xEF\xBB\xBF"}) {
      CAPTURE(type, body);
      const Header plain{"Content-Encoding", body.empty() ? "" : "Identity"};
      const auto got = client_of({{"Content-Type", type}, plain}, body).chat.stream(hello).collect();
      REQUIRE(got.error);
      CHECK(got.error->kind == ErrorKind::truncated);
      CHECK(got.error->detail == "the stream ended before its first event");
      CHECK(got.error->retryable);
    }
  }
}

TEST_CASE("a stream that ends after nothing but unknown fields is retried") {
  for (const std::string line : {"x-trace: 1", "heartbeat"}) {
    for (const auto& body : {line, line + "\n\n", ": ping\n" + line + "\r\n" + line + "\n"}) {
      CAPTURE(body);
      const ScriptedClient service({Reply::stream({body}), Reply::stream({as_events})});
      const auto got = service.client.chat.stream(hello).collect();
      CHECK_FALSE(got.error);
      CHECK(got.response.text() == "Ebb tide");
      CHECK(service.requests() == 2);
    }
    const auto lost = answering(Reply::stream({line + "\n\n"})).chat.stream(hello).collect();
    REQUIRE(lost.error);
    CHECK(lost.error->kind == ErrorKind::truncated);
    CHECK(lost.error->retryable);
    CHECK(lost.error->detail == "the stream ended before its first event; it says: " + line);
    CHECK(lost.error->body == line);
    const auto text =
        answering(Reply::stream({line + "\nno healthy upstream\n"})).chat.stream(hello).collect();
    REQUIRE(text.error);
    CHECK(text.error->kind == ErrorKind::decode);
    CHECK_FALSE(text.error->retryable);
  }
}

TEST_CASE("a stream with status 204 or gzip is not retried") {
  const Reply empty{.status = 204};
  const auto zipped = Reply::stream({"\x1F\x8B\b"}).with("Content-Encoding", "gzip");
  for (const auto& [reply, told] :
       {std::pair(empty, "body is empty"), std::pair(zipped, "the body is encoded (gzip)")}) {
    const ScriptedClient service({reply});
    const auto got = service.client.chat.stream(hello).collect();
    REQUIRE(got.error);
    CHECK(got.error->kind == ErrorKind::decode);
    CHECK_THAT(got.error->detail, contains(told));
    CHECK_FALSE(got.error->retryable);
    CHECK(got.error->attempts.size() == 1);
  }
}

TEST_CASE("an end marker without a choice before it is truncated") {
  const auto empty =
      client_of({{"Content-Type", "text/event-stream"}}, "data: {\"detail\":\"nope\"}\n\ndata: [DONE]\n\n");
  CHECK(empty.chat.stream(hello).collect().error->kind == ErrorKind::truncated);
  const auto client = client_of({{"Content-Type", "text/event-stream"}}, "data: [DONE]\n\n");
  CHECK(client.chat.stream(hello).collect().error->kind == ErrorKind::truncated);
  CHECK(client.chat.create(hello).error().kind == ErrorKind::truncated);
  CHECK_FALSE(client.stream("/events").collect().error);
}

TEST_CASE("a first piece of 3 MiB without a media type is read whole") {
  const std::string comment = "\n:" + std::string(3u << 20, '-') + "\n\n";
  const auto all = client_of({}, comment + as_events).chat.stream(hello).collect();
  CHECK_FALSE(all.error);
  CHECK(all.response.text() == "Ebb tide");
}

TEST_CASE("a JSON line with an error ends the stream, with or without a line end") {
  const std::string error = R"({"code":424,"error":"exception occurred"})";
  for (const std::string& body :
       {first + "\n" + error + "\n", first + "\n" + error, "data: " + first + "\ndata: " + error,
        "data: " + first + "\nerror: " + error,
        "data: " + first +
            "\nevent: error\ndata: "
            R"({"code":424,"message":"exception occurred"})"}) {
    CAPTURE(body);
    const auto got =
        client_of({{"Content-Type", "application/jsonlines"}}, body).chat.stream(hello).collect();
    REQUIRE(got.error);
    CHECK(got.error->kind == ErrorKind::stream_error);
    CHECK(got.error->detail == "exception occurred");
    CHECK(got.error->code == "424");
    CHECK_FALSE(got.error->retryable);
    CHECK(got.response.text() == "Ebb ");
  }
}

TEST_CASE("a whole answer instead of a stream may be as long as max_event_bytes") {
  const std::string text(3u << 19, 'x');
  const auto body =
      R"({"choices":[{"index":0,"message":{"content":")" + text + R"("},"finish_reason":"stop"}]})";
  const auto collected = [&body](std::size_t most) {
    const Reply reply{.headers = {{"Content-Type", "application/json"}}, .body = {{.bytes = body}}};
    return answering(reply, {.api_key = key, .max_event_bytes = most}).chat.stream(hello).collect();
  };
  CHECK(collected(body.size()).response.text() == text);
  const auto longer = collected(body.size() - 1);
  REQUIRE(longer.error);
  CHECK(longer.error->kind == ErrorKind::too_large);
}

TEST_CASE("an AWS event stream that is cut gives what came before") {
  const std::vector<Header> parts{{"Content-Type", "application/vnd.amazon.eventstream"},
                                  {"X-Amzn-SageMaker-Content-Type", "application/jsonlines"}};
  const Reply broken{.headers = parts,
                     .body = {{.bytes = in_parts(first + "\n")}},
                     .ending = testing::Ending::cut,
                     .framing = testing::BodyFraming::chunked};
  const auto got = answering(broken).chat.stream(hello).collect();
  CHECK(got.error);
  CHECK(got.response.text() == "Ebb ");

  auto inside = in_parts(as_lines) + in_parts("\n");  // of a message that says nothing
  inside.pop_back();
  const auto elements = client_of(parts, inside).stream("/events").collect();
  REQUIRE(elements.error);
  CHECK(elements.error->kind == ErrorKind::truncated);
}

TEST_CASE("a line of a field for errors ends a stream of lines, though it is not JSON") {
  for (const std::string error : {"error: out of memory", "event: error\ndata: out of memory"}) {
    CAPTURE(error);
    const auto got =
        client_of({{"Content-Type", "application/jsonlines"}}, "data: " + first + "\n" + error + "\n")
            .chat.stream(hello)
            .collect();
    REQUIRE(got.error);
    CHECK(got.error->kind == ErrorKind::stream_error);
    CHECK(got.error->detail == "out of memory");
  }
}

TEST_CASE("an SSE error without its blank line is the error of a stream that breaks off") {
  const std::string error = R"(data: {"error":{"message":"prohibited content","code":400}})";
  const std::vector<Header> headers{{"Content-Type", "text/event-stream"}};
  for (const std::string& before : {std::string(": hi\n\n"), "data: " + first + "\n\n"}) {
    for (const std::string end : {"\n", "\r\n", ""}) {
      CAPTURE(before, end);
      const auto got = client_of(headers, before + error + end).chat.stream(hello).collect();
      REQUIRE(got.error);
      CHECK(got.error->kind == ErrorKind::stream_error);
      CHECK(got.error->detail == "prohibited content");
      CHECK(got.error->code == "400");
      CHECK_FALSE(got.error->retryable);
      CHECK(got.response.text() == (before.front() == ':' ? "" : "Ebb "));
    }
  }
  // A complete answer stays complete, and part of an error is not an error.
  const auto whole_one = client_of(headers, "data: " + last + "\n\n" + error + "\n");
  CHECK_FALSE(whole_one.chat.stream(hello).collect().error);
  const auto cut = client_of(headers, error.substr(0, error.size() - 1)).chat.stream(hello).collect();
  REQUIRE(cut.error);
  CHECK(cut.error->kind == ErrorKind::truncated);
}

TEST_CASE("an error behind an event that breaks off is the error of the stream") {
  // https://github.com/Wei-Shaw/sub2api/issues/1471
  const std::string error =
      R"({"type":"error","error":{"type":"upstream_error","message":"stream_read_error"}})";
  const std::string broken = "data: " + first + "\n\ndata: " + last.substr(0, last.size() / 2) + "\n";
  for (const std::string name : {"", "event: error\n"}) {
    for (const std::string end : {"\n\n", "\n\ndata: [DONE]\n\n", "\n", ""}) {
      CAPTURE(name, end);
      const auto got =
          client_of({{"Content-Type", "text/event-stream"}}, broken + name + "data: " + error + end)
              .chat.stream(hello)
              .collect();
      REQUIRE(got.error);
      CHECK(got.error->kind == (end.empty() ? ErrorKind::truncated : ErrorKind::stream_error));
      if (!end.empty()) CHECK(got.error->detail == "stream_read_error");
      CHECK(got.response.text() == "Ebb ");
    }
  }
}

TEST_CASE("JSON lines are read whatever the media type") {
  for (const std::string type : {"text/plain", "text/event-stream", "application/json", ""}) {
    CAPTURE(type);
    const auto client = client_of({{"Content-Type", type}}, as_lines + "data: [DONE]\n");
    CHECK(client.chat.stream(hello).collect().response.text() == "Ebb tide");
  }
}

TEST_CASE("a last JSON line that was cut is truncated, one that is no JSON is Error{decode}") {
  const auto outcome = [](const std::string& tail) {
    return client_of({{"Content-Type", "application/jsonlines"}}, first + "\n" + tail)
        .chat.stream(hello)
        .collect();
  };
  for (const auto* tail : {"{", R"({"choices":[{"ind)", R"({"choices":[{"index":0})", R"({"a":"}{)",
                           R"({"a":"\")", "{{}", "[[]", "dat"}) {
    CAPTURE(tail);
    const auto got = outcome(tail);
    REQUIRE(got.error);
    CHECK(got.error->kind == ErrorKind::truncated);
    CHECK(got.error->retryable);
    CHECK_THAT(got.error->detail, contains("after 1 event,"));
  }
  for (const auto* tail : {"{}}", "{]", "{}{\"a\":1}", "{\"a\":\"b\"}}"}) {
    CAPTURE(tail);
    const auto got = outcome(tail);
    REQUIRE(got.error);
    CHECK(got.error->kind == ErrorKind::decode);
  }
}

TEST_CASE("an exception frame of SageMaker ends even a complete stream with its error") {
  std::string body = in_parts(as_lines);
  protocol::append_exception(body, "ModelStreamError",
                             R"({"Message":"too slow","ErrorCode":"ModelInvocationTimeExceeded"})");
  body += in_parts(as_lines);
  const auto got = client_of({{"Content-Type", "application/vnd.amazon.eventstream"},
                              {"X-Amzn-SageMaker-Content-Type", "application/jsonlines"}},
                             body)
                       .chat.stream(hello)
                       .collect();
  REQUIRE(got.error);
  CHECK(got.error->kind == ErrorKind::stream_error);
  CHECK(got.error->type == "ModelStreamError");
  CHECK(got.error->code == "ModelInvocationTimeExceeded");
  CHECK(got.error->detail == "too slow");
  CHECK_FALSE(got.error->retryable);
  CHECK(got.response.text() == "Ebb tide");

  // A failure of the service itself is a message that has no body.
  auto failing = in_parts(as_lines);
  const std::array<protocol::EventStreamHeader, 3> headers{
      {{.name = ":message-type", .text = "error"},
       {.name = ":error-code", .text = "InternalFailure"},
       {.name = ":error-message", .text = "try later"}}};
  protocol::append_message(failing, headers, "");
  const auto failed = client_of({{"Content-Type", "application/vnd.amazon.eventstream"}}, failing)
                          .chat.stream(hello)
                          .collect();
  REQUIRE(failed.error);
  CHECK(failed.error->kind == ErrorKind::stream_error);
  CHECK(failed.error->type == "InternalFailure");
  CHECK_THAT(failed.error->detail, contains("try later"));
}

TEST_CASE("a broken AWS event stream is a decode error, a cut one is truncated") {
  const auto outcome = [](std::string body) {
    return client_of({{"Content-Type", "application/vnd.amazon.eventstream"},
                      {"X-Amzn-SageMaker-Content-Type", "application/jsonlines"}},
                     std::move(body))
        .chat.stream(hello)
        .collect();
  };
  auto damaged = in_parts(first + "\n") + in_parts(last + "\n");
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  const auto broken = outcome(damaged);
  REQUIRE(broken.error);
  CHECK(broken.error->kind == ErrorKind::decode);
  CHECK_THAT(broken.error->detail, contains("checksum"));
  CHECK(broken.response.text() == "Ebb ");
  const auto cut = outcome(in_parts(first + "\n") + in_parts("more").substr(0, 20));
  REQUIRE(cut.error);
  CHECK(cut.error->kind == ErrorKind::truncated);
  CHECK(cut.error->retryable);
  CHECK(cut.response.text() == "Ebb ");
  const auto complete = in_parts(as_lines);
  CHECK(outcome(complete));
  CHECK(outcome(complete + in_parts("more").substr(0, 20)));  // as when the connection breaks there
}

TEST_CASE("max_event_bytes limits a message of an AWS event stream, to no less than 1 MiB") {
  const auto outcome = [](const std::string& body) {
    const Reply reply{.headers = {{"Content-Type", "application/vnd.amazon.eventstream"},
                                  {"X-Amzn-SageMaker-Content-Type", "text/event-stream"}},
                      .body = {{.bytes = body}}};
    return answering(reply, {.api_key = key, .max_event_bytes = 4096}).chat.stream(hello).collect();
  };
  std::string many;
  while (many.size() < 1'000'000) many += ": a comment of usual length\n\n";
  std::string in_one;
  protocol::append_payload_part(in_one, many + as_events);
  CHECK(outcome(in_one).response.text() == "Ebb tide");
  std::string huge;
  protocol::append_payload_part(huge, many + many + as_events);
  const auto refused = outcome(huge);
  REQUIRE(refused.error);
  CHECK(refused.error->kind == ErrorKind::too_large);
  CHECK_THAT(refused.error->detail, contains("max_event_bytes"));
  const auto cut = outcome(in_one.substr(0, 1000));
  REQUIRE(cut.error);
  CHECK(cut.error->kind == ErrorKind::truncated);
}

TEST_CASE("the error for a compressed answer names its Content-Encoding") {
  const std::string zipped("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\xab\x56\x4a", 13);
  const std::string told = "the body is encoded (gzip), which this client does not decode";
  for (const auto* const media : {"application/json", "text/event-stream"}) {
    CAPTURE(media);
    const auto client = client_of({{"content-type", media}, {"content-encoding", "gzip"}}, zipped);
    const auto whole_answer = client.chat.create(hello);
    REQUIRE_FALSE(whole_answer);
    CHECK_THAT(whole_answer.error().detail, contains(told));
    const auto streamed = client.chat.stream(hello).collect();
    REQUIRE(streamed.error);
    CHECK_THAT(streamed.error->detail, contains(told));
    CHECK(streamed.error->detail.find("encoded") == streamed.error->detail.rfind("encoded"));
  }
  // A body is read if it is not encoded, despite its header, or if the header says so.
  for (const auto* const coding : {"gzip", "identity"}) {
    CHECK(client_of({{"content-type", "application/json"}, {"content-encoding", coding}}, whole)
              .chat.create(hello)
              ->text() == "Ebb tide");
  }
  CHECK_THAT(client_of({{"content-encoding", "identity"}}, "{").chat.create(hello).error().detail,
             !contains("encoded"));
  // A connection that breaks off does so whatever the encoding.
  const std::string event = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Ebb\"}}]}\n\n";
  const ScriptedClient service({Reply::stream({event, event})
                                    .with("Content-Encoding", "gzip")
                                    .cut_after(event.size(), inferwire::testing::Ending::reset)});
  const auto broken = service.client.chat.stream(hello).collect();
  REQUIRE(broken.error);
  CHECK(broken.error->kind == ErrorKind::connection);
  CHECK_THAT(broken.error->detail, !contains("encoded"));
}
