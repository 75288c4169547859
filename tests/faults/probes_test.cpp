// The probes: each breaks at least one C++ client of this kind, over real sockets. Two more are elsewhere:
// probe 22, an empty project that uses an installed tree, is tests/package; probe 16 is fully effective only
// in the build with ThreadSanitizer.
#include "faults/chat_service.hpp"
#include "inferwire/models.hpp"
#include "inferwire/testing/manual_clock.hpp"
#include "support/answering_server.hpp"
#include "support/catch.hpp"
#include "support/shortest.hpp"

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire_test;
using namespace inferwire;
using namespace inferwire::testing;

namespace {

using SteadyClock = std::chrono::steady_clock;

chat::Request saying(std::string text) { return {.model = "m", .messages = {chat::user(std::move(text))}}; }

/// The collected result of a stream with this reply.
inferwire::Collected<chat::Response> collect(const Reply& reply, const chat::Request& request = hello) {
  MockServer server;
  server.push(reply);
  return strict_client_of(server).chat.stream(request).collect();
}

/// The errors of a whole answer and of a stream, both of which have to fail.
std::vector<Error> both_errors(const MockServer& server) {
  const auto client = strict_client_of(server);
  const auto whole = client.chat.create(hello);
  REQUIRE_FALSE(whole);
  const auto streamed = client.chat.stream(hello).collect();
  REQUIRE_FALSE(streamed);
  return {whole.error(), *streamed.error};
}

std::string with_line_ends(std::string text, const std::string& line_end) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos; at += line_end.size()) {
    text.replace(at, 1, line_end);
  }
  return text;
}

}  // namespace

TEST_CASE("probe 1: a stream cut into pieces at any byte, in any spelling, is the same stream") {
  const std::string plain = chunk("\xC3\xBC\xF0\x9F\xA6\x99") + chunk(" two", R"("stop")") + done;
  auto without_space = plain;
  for (std::size_t at = 0; (at = without_space.find("data: ", at)) != without_space.npos; ++at) {
    without_space.erase(at + 5, 1);
  }
  auto two_lines = plain;
  two_lines.insert(two_lines.find(R"("choices")"), "\ndata: ");
  const std::string spellings[] = {plain,
                                   with_line_ends(plain, "\r\n"),
                                   with_line_ends(plain, "\r"),
                                   "\xEF\xBB\xBF" + plain,
                                   ": keep-alive\n\n" + plain,
                                   "event: message\nid: 1\nretry: 5\n" + plain,
                                   without_space,
                                   two_lines};
  MockServer server;
  const auto client = strict_client_of(server);
  for (const auto& spelling : spellings) {
    CAPTURE(spelling);
    for (std::size_t at = 1; at < spelling.size(); ++at) {
      server.push(Reply::stream({spelling.substr(0, at), spelling.substr(at)}));
      const auto collected = client.chat.stream(hello).collect();
      if (!collected || collected.response.text() != "\xC3\xBC\xF0\x9F\xA6\x99 two") FAIL("cut at " << at);
    }
    server.push(Reply::stream({spelling}).in_pieces_of(1));
    CHECK(client.chat.stream(hello).collect());
  }
}

TEST_CASE("probe 2: an error as the third event ends the stream as that error, with what came before it") {
  const auto collected = collect(
      Reply::stream({chunk("one "), chunk("two "),
                     "data: {\"error\":{\"message\":\"boom\",\"code\":\"server_error\"}}\n\n", done}));
  REQUIRE_FALSE(collected);
  CHECK(collected.error->kind == ErrorKind::stream_error);
  CHECK(collected.error->code == "server_error");
  CHECK(collected.error->detail == "boom");
  CHECK(collected.response.text() == "one two ");
}

TEST_CASE("probe 3: a stream that ends without finish reason and end mark is truncated") {
  const auto collected = collect(Reply::stream({chunk("one "), chunk("two ")}));
  REQUIRE_FALSE(collected);
  CHECK(collected.error->kind == ErrorKind::truncated);
  CHECK(collected.response.text() == "one two ");
}

TEST_CASE(
    "probe 4: a stream that is reset in the middle is not asked for again, and nothing is heard twice") {
  Gate heard;
  MockServer server;
  auto reply = unfinished_stream({chunk("one "), chunk("two ")}, Ending::reset);
  reply.body[1].gate = heard;
  server.push(reply);
  auto options = options_for(server);
  options.retry = {};
  auto stream = Client(options).chat.stream(hello);
  std::vector<std::string> texts;
  ErrorKind kind{};
  while (auto* element = stream.next()) {
    if (*element) texts.push_back((*element)->text());
    if (!*element) kind = element->error().kind;
    heard.open();
  }
  CHECK(kind == ErrorKind::connection);
  REQUIRE_FALSE(texts.empty());
  CHECK(texts[0] == "one ");
  if (texts.size() == 2) CHECK(texts[1] == "two ");  // the reset may overtake this event
  CHECK(texts.size() <= 2);
  CHECK(server.requests().size() == 1);
}

TEST_CASE(
    "probe 5: a 429 that asks for a wait, then a good stream, is a good stream from its first event on") {
  MockServer server;
  server.push(
      Reply::json(R"({"error":{"message":"slow down","type":"requests","code":"rate_limit_exceeded"}})", 429)
          .with("retry-after-ms", "1"));
  server.set_handler(&good_answer);
  auto options = options_for(server);
  options.retry = {};
  auto stream = Client(options).chat.stream(hello);
  auto* first = stream.next();
  REQUIRE(first != nullptr);
  REQUIRE(*first);
  CHECK((*first)->text() == "one ");
  while (const auto* element = stream.next()) CHECK(*element);
  CHECK(stream.info().attempts == 2);
  CHECK(server.requests().size() == 2);
}

TEST_CASE(
    "probe 6: what the reader of a stream throws, of whatever type, passes through and closes the socket") {
  MockServer server;
  const auto reply = unfinished_stream({chunk("one ")});
  const auto client = strict_client_of(server);
  const auto read_and_throw = [&](auto thrown) {
    server.push(reply);
    for (auto& element : client.chat.stream(hello)) {
      if (element) throw thrown;
    }
  };
  CHECK_THROWS_AS(read_and_throw(std::runtime_error("no more")), std::runtime_error);
  CHECK_THROWS_AS(read_and_throw(7), int);
  CHECK(server.wait_until_all_closed());
  server.set_handler(&good_answer);
  CHECK(client.chat.create(hello));
}

TEST_CASE("probe 7: leaving a stream after one token closes its socket at once") {
  MockServer server;
  auto reply = Reply::stream({}).in_pieces_of(1);
  for (int i = 0; i < 10'000; ++i) reply.body.push_back({.bytes = chunk("x"), .delay = 1ms});
  const auto client = strict_client_of(server);
  const auto took = shortest(50ms, [&] {
    server.push(reply);
    auto before = SteadyClock::now();
    for (auto& element : client.chat.stream(hello)) {
      REQUIRE(element);
      before = SteadyClock::now();
      break;
    }
    return SteadyClock::now() - before;
  });
  CHECK(took < 50ms);
  CHECK(server.wait_until_all_closed());
}

TEST_CASE("probe 8: destroying a stream while its server is silent takes no time") {
  MockServer server;
  const auto reply = unfinished_stream({chunk("one ")});
  const auto client = strict_client_of(server);
  const auto took = shortest(50ms, [&] {
    server.push(reply);
    std::optional stream(client.chat.stream(hello));
    REQUIRE(stream->next() != nullptr);
    return time_of([&] { stream.reset(); });
  });
  CHECK(took < 50ms);
  CHECK(server.wait_until_all_closed());
}

namespace {

/// A server whose answers take `time` on the client's clock, and its client.
struct SlowService {
  explicit SlowService(std::chrono::seconds time) {
    server.set_handler([this, time](const HttpRequest& request) {
      clock->advance(time);
      return good_answer(request);
    });
    auto options = options_for(server);
    options.clock = clock;
    client = Client(options);
  }
  std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>(ManualClock::Mode::by_hand);
  MockServer server;
  Client client{{.api_key = "k"}};
};

}  // namespace

TEST_CASE("probe 9: 31 s to the first token are no failure by default") {
  SlowService service(31s);
  CHECK(service.client.chat.stream(hello).collect());
  CHECK(service.client.chat.create(hello));
  // A client with a shorter timer gives up sooner.
  MockServer silent;
  silent.push(Reply::silence());
  auto options = options_for(silent);
  options.timeouts = {.first_byte = 30ms};
  const auto given_up = Client(options).chat.stream(hello).collect();
  REQUIRE_FALSE(given_up);
  CHECK(given_up.error->timer == "first_byte");
}

TEST_CASE("probe 10: a generation of 65 s is no failure by default") {
  CHECK(SlowService(65s).client.chat.create(hello));
  // Tokens arrive a second apart, at a waiting reader.
  MockServer server;
  std::vector<Gate> gates(65);
  auto reply = Reply::stream({});
  for (const auto& gate : gates) reply.body.push_back({.bytes = chunk("x"), .gate = gate});
  reply.body.push_back({.bytes = chunk("", R"("stop")") + done});
  server.push(reply);
  auto clock = std::make_shared<ManualClock>(ManualClock::Mode::by_hand);
  auto options = options_for(server);
  options.clock = clock;
  const Client client(options);
  std::thread model([&] {
    server.wait_for_requests(1);
    for (auto& gate : gates) {
      clock->advance(1s);
      gate.open();
    }
  });
  const auto collected = client.chat.stream(hello).collect();
  model.join();
  CHECK(collected);
  CHECK(collected.response.text() == std::string(65, 'x'));
}

TEST_CASE("probes 9 and 10, in real time", "[.slow]") {
  MockServer server;
  auto late = Reply::stream({chunk("x"), chunk("x"), chunk("x", R"("stop")"), done});
  late.head_delay = 31s;
  for (auto& piece : late.body) piece.delay = 10s;
  server.push(late);
  auto stream = Client({.base_url = server.url(), .api_key = "k"}).chat.stream(hello);
  CHECK(stream.collect());
  CHECK(*stream.info().timings.end > 65s);
}

TEST_CASE("probe 11: nulls, parts, huge numbers and unknown members harm nothing") {
  MockServer server;
  server.push(Reply::json(
      R"({"id":null,"created":9007199254740993,"model":null,"new":{"a":[1,null]},"usage":null,"choices":[{"index":0,)"
      R"("new":1,"message":{"role":"assistant","content":[{"type":"text","text":"Hi"},{"type":"hologram","x":1}],)"
      R"("tool_calls":null,"refusal":null,"new":{}},"logprobs":null,"finish_reason":"stop"}]})"));
  server.push(Reply::stream(
      {R"(data: {"id":null,"created":9007199254740993,"usage":null,"choices":[{"index":0,"delta":{"role":"assistant",)"
       R"("content":null,"tool_calls":null,"new":1},"finish_reason":null}]})"
       "\n\n",
       R"(data: {"new":1,"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"Hi"}]},)"
       R"("finish_reason":"stop","new":[]}],"usage":null})"
       "\n\n",
       done}));
  const auto client = strict_client_of(server);
  const auto whole = client.chat.create(hello);
  REQUIRE(whole);
  CHECK(whole->text() == "Hi");
  CHECK(whole->created == 9007199254740993);
  CHECK_FALSE(whole->usage);
  const auto streamed = client.chat.stream(hello).collect();
  CHECK(streamed);
  CHECK(streamed.response.text() == "Hi");
}

TEST_CASE("probe 12: every service's form of an error is told by its facts") {
  struct Row {
    int status;
    const char* type;
    const char* body;
    ErrorKind kind;
    const char* code;
    const char* detail;
  };
  const Row rows[] = {
      {400, "application/json", R"({"error_code":"BAD_REQUEST","message":"bad thing"})",
       ErrorKind::invalid_request, "BAD_REQUEST", "bad thing"},
      {422, "application/json", R"({"detail":"too odd"})", ErrorKind::unprocessable, "", "too odd"},
      {502, "text/html", "<html><head><title>502 Bad Gateway</title></head></html>", ErrorKind::server, "",
       "502 Bad Gateway"},
  };
  for (const auto& row : rows) {
    MockServer server;
    server.set_handler([&row](const auto&) {
      return Reply{
          .status = row.status, .headers = {{"Content-Type", row.type}}, .body = {{.bytes = row.body}}};
    });
    for (const auto& error : both_errors(server)) {
      CHECK(error.kind == row.kind);
      CHECK(error.status == row.status);
      CHECK(error.code == row.code);
      CHECK_THAT(error.detail, contains(row.detail));
    }
  }
}

TEST_CASE("probe 12: an error that says nothing else is told by its reason phrase") {
  AnsweringServer server(Reply{.raw = "HTTP/1.1 503 Gone Fishing\r\nContent-Length: 0\r\n\r\n"});
  for (const auto& error : both_errors(server)) {
    CHECK(error.kind == ErrorKind::overloaded);
    CHECK_THAT(error.detail, contains("Gone Fishing"));
  }
}

TEST_CASE("probe 13: tool calls that come interleaved, byte by byte, of two choices, are put together") {
  const auto call = [](int choice, const std::string& delta) {
    return R"(data: {"choices":[{"index":)" + std::to_string(choice) + R"(,"delta":{"tool_calls":[)" + delta +
           "]},\"finish_reason\":null}]}\n\n";
  };
  std::string body;
  for (const int choice : {0, 1}) {
    body += call(choice, R"({"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}})");
    body += call(choice, R"({"index":1,"id":"b","type":"function","function":{"name":"g","arguments":""}})");
  }
  const std::string arguments = R"({"x": "y"})";
  for (const char c : arguments) {
    const std::string piece = c == '"' ? "\\\"" : std::string(1, c);
    for (const int choice : {1, 0}) {
      for (const auto* index : {"1", "0"}) {
        body += call(choice,
                     R"({"index":)" + std::string(index) + R"(,"function":{"arguments":")" + piece + "\"}}");
      }
    }
  }
  for (const int choice : {0, 1}) {
    body += R"(data: {"choices":[{"index":)" + std::to_string(choice) +
            ",\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n";
  }
  auto request = hello;
  request.n = 2;
  const auto collected = collect(Reply::stream({body + done}), request);
  REQUIRE(collected);
  REQUIRE(collected.response.choices.size() == 2);
  for (const auto& choice : collected.response.choices) {
    const auto& calls = choice.message.tool_calls;
    REQUIRE(calls.size() == 2);
    CHECK(calls[0].id == "a");
    CHECK(calls[0].function->name == "f");
    CHECK(calls[1].function->name == "g");
    for (const auto& each : calls) CHECK(each.function->arguments == arguments);
  }
}

TEST_CASE("probe 13: a tool call without an index is found by its id, or is the latest") {
  const auto call = [](const std::string& delta) {
    return R"(data: {"choices":[{"index":0,"delta":{"tool_calls":[)" + delta +
           "]},\"finish_reason\":null}]}\n\n";
  };
  const auto collected = collect(Reply::stream(
      {call(R"({"id":"a","function":{"name":"f","arguments":"{\"x\""}})"),
       call(R"({"function":{"arguments":": 1}"}})"),
       call(R"({"id":"b","function":{"name":"g","arguments":"{}"}})"), chunk("", R"("tool_calls")"), done}));
  REQUIRE(collected);
  const auto& calls = collected.response.choices.at(0).message.tool_calls;
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].function->arguments == R"({"x": 1})");
  CHECK(calls[1].function->name == "g");
}

TEST_CASE("probe 14: content that looks like SSE stays content") {
  const auto collected =
      collect(Reply::stream({chunk(R"(data: {\"error\":1}\n\n)"), chunk(R"(data: [DONE]\n\n)"),
                             chunk("[DONE]", R"("stop")"), done}));
  CHECK(collected);
  CHECK(collected.response.text() == "data: {\"error\":1}\n\ndata: [DONE]\n\n[DONE]");
}

TEST_CASE("probe 15: a hundred calls take one connection") {
  MockServer server;
  server.set_handler(&good_answer);
  const auto client = strict_client_of(server);
  for (int i = 0; i < 100; ++i) CHECK(client.chat.create(hello));
  CHECK(server.connections() == 1);
}

TEST_CASE("probe 16: threads share one client") {
  MockServer server;
  server.set_handler(&good_answer);
  const auto client = strict_client_of(server);
  std::vector<int> good(2);
  std::vector<std::thread> threads;
  for (auto& count : good) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        count += client.chat.create(hello) ? 1 : 0;
        count += client.chat.stream(hello).collect() ? 1 : 0;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(good == std::vector{100, 100});
}

TEST_CASE("probe 17: a client may be moved, and one that was moved from gives an error") {
  MockServer server;
  server.set_handler(&good_answer);
  auto first = strict_client_of(server);
  auto stream = first.chat.stream(hello);
  const Client second = std::move(first);
  CHECK(stream.collect());  // this stream began before the move
  CHECK(second.chat.create(hello));
  const auto reply = first.chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::config);
}

TEST_CASE("probe 18: a prompt that is not UTF-8 is refused, and nothing is sent") {
  MockServer server;
  const auto reply = strict_client_of(server).chat.create(saying("a\xC3(b"));
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::invalid_request);
  CHECK(server.connections() == 0);
}

TEST_CASE("probe 19: text that is not ASCII arrives and comes back unchanged") {
  const std::string text = "Grüße, 世界 🦙 \u2028 \x01 \" \\ ";
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    const auto begin = request.body.text().find(R"("content":")") + 11;
    const auto end = request.body.text().find(R"("}],)", begin);
    return Reply::stream({chunk(request.body.text().substr(begin, end - begin), R"("stop")"), done})
        .in_pieces_of(1);
  });
  const auto collected = strict_client_of(server).chat.stream(saying(text)).collect();
  CHECK(collected);
  CHECK(collected.response.text() == text);
}

TEST_CASE("probe 20: a certificate that nobody vouches for is refused before the key is shown") {
  const auto certificate = inferwire::testing::make_certificate();
  if (!certificate) return;  // this build has no TLS for tests
  MockServer server({.certificate = *certificate});
  auto options = options_for(server);
  options.retry = {};
  options.timeouts.connect = 60s;
  const auto reply = Client(options).chat.create(hello);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::tls);
  CHECK(reply.error().attempts.size() == 1);
  CHECK(server.requests().empty());
}

TEST_CASE("probe 21: requests of different methods in turn do not disturb each other") {
  MockServer server;
  server.set_handler([](const HttpRequest& request) {
    return request.method == "POST" ? good_answer(request) : Reply::json(R"({"data": []})");
  });
  const auto client = strict_client_of(server);
  for (int i = 0; i < 2; ++i) {
    CHECK(client.request("DELETE", "/responses/r1"));
    CHECK(client.chat.create(hello));
    CHECK(client.models.list());
    CHECK(client.request("PUT", "/x", Json::parse("{}").value()));
  }
  std::string methods;
  for (const auto& request : server.requests()) methods += request.method + " ";
  CHECK(methods == "DELETE POST GET PUT DELETE POST GET PUT ");
  CHECK(server.requests().at(0).body.empty());
}

TEST_CASE("probe 23: a slow reader bounds what is held of a stream") {
  MockServer server;
  constexpr std::size_t events = 64 * 1024;
  auto reply = Reply::stream({});
  const auto event = chunk(std::string(1000, 'x'));
  for (std::size_t i = 0; i < events; ++i) reply.body.push_back({.bytes = event});
  server.set_handler([&](const auto&) { return reply; });
  const auto client = strict_client_of(server);
  auto stream = client.chat.stream(hello);
  for (std::size_t read = 0; read < 1000; ++read) {
    REQUIRE(stream.next() != nullptr);
    // The number of bytes received but not yet read is bounded.
    REQUIRE(stream.info().bytes - (read + 1) * event.size() < 256u << 10);
  }
}
