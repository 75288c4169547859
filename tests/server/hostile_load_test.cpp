// Requests that want too much, next to streams that must not notice. This test is a program of its own, since
// a process's peak memory never goes down.
#include "inferwire/engine/engine.hpp"
#include "inferwire/server/http_server.hpp"
#include "support/catch.hpp"
#include "support/most_held.hpp"
#include "support/raw_socket.hpp"
#include "support/sanitized.hpp"

#include <future>
#include <string>
#include <vector>

using namespace inferwire;
using namespace inferwire_test;
using server::HttpServer;

namespace {

constexpr long most_growth = 192 * 1024;  // in KiB: what the largest body may become as a document

std::string head_of(std::size_t length) {
  return "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
         "application/json\r\nContent-Length: " +
         std::to_string(length) + "\r\n\r\n";
}

std::string repeated(std::string_view piece, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += piece;
  return out;
}

std::string chat(const std::string& members) {
  return R"({"model":"inferwire-toy","max_tokens":4,)" + members + "}";
}
const std::string hello = R"("messages":[{"role":"user","content":"hello"}])";

/// Reads a stream that takes half a second; gives its body.
std::string stream(int port) {
  RawSocket client(port);
  const auto body =
      R"({"model":"inferwire-toy","stream":true,"max_tokens":100,"ignore_eos":true,)" + hello + "}";
  client.write(head_of(body.size()) + body);
  const auto answer = client.read_until("\r\n0\r\n\r\n");
  return answer.substr(answer.find("\r\n\r\n"));
}

/// The first line of the answer; empty if the server has closed the connection without one.
std::string answer_to(int port, const std::string& body) {
  RawSocket client(port);
  client.write(head_of(body.size()));
  client.write(body);
  const auto answer = client.read();
  return answer.substr(0, answer.find("\r\n"));
}

/// The first line of the answer to `piece`, sent `times` times as one body: for bodies too large to be held
/// here.
std::string answer_to_piece(int port, const std::string& piece, int times) {
  RawSocket client(port);
  client.write(head_of(piece.size() * static_cast<std::size_t>(times)));
  for (int i = 0; i < times && client.write(piece); ++i) {}
  const auto answer = client.read();
  return answer.substr(0, answer.find("\r\n"));
}

}  // namespace

TEST_CASE("requests that want too much are refused, in bounded memory, and disturb no stream") {
  auto server = HttpServer::start(std::make_shared<engine::Engine>(engine::EngineOptions{
                                      .pacing = {.per_token = Duration(5)}, .created = 1}))
                    .value();
  const int port = server.port();
  static const auto undisturbed = stream(port);  // once for all sections
  REQUIRE_THAT(undisturbed, contains("data: [DONE]"));
  const auto before = most_held();
  std::vector<std::future<std::string>> others;
  const auto begin_others = [&] {
    for (int i = 0; i < 4; ++i) others.push_back(std::async(std::launch::async, stream, port));
  };

  SECTION("a body of 100 MB") {
    begin_others();
    const auto status = answer_to_piece(port, std::string(1 << 20, 'x'), 100);
    CHECK((status.empty() || status.starts_with("HTTP/1.1 413")));
  }
  SECTION("1,000,000 messages") {
    begin_others();
    const auto begin = chat(R"("messages":[)" + repeated(R"({"role":"user","content":"x"},)", 1'000'000));
    CHECK(answer_to(port, begin).starts_with("HTTP/1.1 400"));
  }
  SECTION("as many messages as a document may hold") {
    begin_others();
    const auto messages = repeated(R"({"role":"user","content":"x"},)", 130'000);
    CHECK(answer_to(port, chat(R"("messages":[)" + messages + R"({"role":"user","content":"x"}])"))
              .starts_with("HTTP/1.1 400"));
  }
  SECTION("a call whose arguments have 4,000,000 elements") {
    begin_others();
    const auto calls =
        R"({"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":)"
        R"("{\"a\":[)" +
        repeated("[],", 4'000'000) + R"([]]}"}}]},)";
    CHECK(answer_to(port,
                    chat(R"("messages":[)" + calls + R"({"role":"tool","tool_call_id":"d","content":"x"}])"))
              .starts_with("HTTP/1.1 400"));
  }
  SECTION("a schema nested 1,000 deep") {
    begin_others();
    const auto schema =
        repeated(R"({"type":"array","items":)", 1000) + R"({"type":"null"})" + std::string(1000, '}');
    const auto format =
        R"("response_format":{"type":"json_schema","json_schema":{"name":"deep","strict":true,"schema":)" +
        schema + "}},";
    CHECK(answer_to(port, chat(format + hello)).starts_with("HTTP/1.1 400"));
  }
  SECTION("a document nested 1,000,000 deep") {
    begin_others();
    CHECK(answer_to(port, std::string(1'000'000, '[')).starts_with("HTTP/1.1 400"));
    CHECK(answer_to(port, chat(R"("tools":)" + std::string(1'000'000, '[') + std::string(1'000'000, ']') +
                               "," + hello))
              .starts_with("HTTP/1.1 400"));
  }
  SECTION("a list of 10,000 stop strings") {
    begin_others();
    const auto stops = R"("stop":[)" + repeated(R"("no such text",)", 9'999) + R"("~"],)";
    CHECK(answer_to(port, chat(stops + hello)).starts_with("HTTP/1.1 400"));
  }
  SECTION("more choices of more tokens with more logprobs than could be held") {
    begin_others();
    const auto wanted =
        R"({"model":"inferwire-toy","n":128,"ignore_eos":true,"logprobs":true,"top_logprobs":20,)";
    CHECK(answer_to(port, wanted + (R"("max_tokens":2000,)" + hello) + "}").starts_with("HTTP/1.1 400"));
  }
  SECTION("long stop strings for as many choices as there may be") {
    begin_others();
    const auto stops =
        R"("stop":[)" + repeated("\"" + std::string(1'200'000, 'x') + "\",", 3) + R"("~"],"n":128,)";
    CHECK(answer_to(port, chat(stops + hello)).starts_with("HTTP/1.1 200"));
  }

  // The streams are compared by their texts, since their ids count requests.
  const auto text_of = [](const std::string& body) {
    std::string text;
    constexpr std::string_view mark = R"("content":")";
    for (std::size_t at = 0; (at = body.find(mark, at)) != body.npos;) {
      at += mark.size();
      text += body.substr(at, body.find('"', at) - at);
    }
    return text;
  };
  for (auto& other : others) CHECK(text_of(other.get()) == text_of(undisturbed));
  if (!sanitized) CHECK(most_held() - before < most_growth);
}
