// Tool calls of a stream that broke off: their arguments may be cut off, and a call is marked accordingly.
#include "faults/room_service.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire_test;
using namespace inferwire;
using namespace inferwire::testing;

namespace {

/// A choice's tool call, with a part of its arguments.
std::string call_of(int choice, const std::string& part, const std::string& finish = "null") {
  return R"(data: {"choices":[{"index":)" + std::to_string(choice) +
         R"(,"delta":{"tool_calls":[{"index":0,"id":"call-)" + std::to_string(choice) +
         R"(","type":"function","function":{"name":"remove","arguments":")" + part +
         R"("}}]},"finish_reason":)" + finish + "}]}\n\n";
}

/// A way in which a stream ends too early, and its error.
struct End {
  const char* name;
  Ending ending;
  ErrorKind kind;
};
const End ends[] = {{"without its mark", Ending::whole, ErrorKind::truncated},
                    {"closed", Ending::cut, ErrorKind::connection},
                    {"silent", Ending::silence, ErrorKind::timeout}};

/// A client of a stream of these pieces that ends with `ending`.
struct Broken {
  Broken(std::vector<std::string> pieces, Ending ending) {
    server.push(unfinished_stream(std::move(pieces), ending));
    auto options = options_for(server);
    if (ending == Ending::silence) options.timeouts.idle = 150ms;
    client = Client(options);
  }
  MockServer server;
  Client client{{.api_key = "k"}};
};

}  // namespace

TEST_CASE("is_incomplete() flags the tool call of a stream that broke off, not of a finished choice") {
  for (const auto& [name, ending, kind] : ends) {
    CAPTURE(name);
    Broken broken(
        {call_of(0, R"({\"path\": \"/tmp/a\"})", R"("tool_calls")"), call_of(1, R"({\"path\": \"/)")},
        ending);
    auto request = hello;
    request.n = 2;
    const auto collected = broken.client.chat.stream(request).collect();
    REQUIRE(collected.error);
    CHECK(collected.error->kind == kind);
    REQUIRE(collected.response.choices.size() == 2);
    const auto& whole = collected.response.choices[0].message.tool_calls.at(0);
    CHECK(whole.function->arguments == R"({"path": "/tmp/a"})");
    CHECK_FALSE(whole.is_incomplete());
    const auto& cut = collected.response.choices[1].message.tool_calls.at(0);
    CHECK(cut.function->arguments == R"({"path": "/)");
    CHECK(cut.is_incomplete());
  }
}

TEST_CASE("a tool call of a whole stream is not incomplete") {
  Broken whole({call_of(0, R"({\"path\": )"), call_of(0, R"(\"/tmp/a\"})", R"("tool_calls")"), done},
               Ending::whole);
  const auto collected = whole.client.chat.stream(hello).collect();
  REQUIRE(collected);
  const auto& call = collected.response.choices.at(0).message.tool_calls.at(0);
  CHECK(call.function->arguments == R"({"path": "/tmp/a"})");
  CHECK_FALSE(call.is_incomplete());
}

TEST_CASE("a tool call of a response that broke off is incomplete") {
  for (const auto& [name, ending, kind] : ends) {
    CAPTURE(name);
    Broken broken(
        {R"(data: {"type":"response.created","response":{"id":"r1","status":"in_progress","output":[]}})"
         "\n\n",
         R"(data: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call",)"
         R"("id":"f1","call_id":"call-0","name":"remove","arguments":""}})"
         "\n\n",
         R"(data: {"type":"response.function_call_arguments.delta","item_id":"f1","output_index":0,)"
         R"("delta":"{\"path\": \"/"})"
         "\n\n"},
        ending);
    const auto collected = broken.client.responses.stream({.model = "m", .input = "Remove /tmp/a"}).collect();
    REQUIRE(collected.error);
    CHECK(collected.error->kind == kind);
    const auto calls = collected.response.tool_calls();
    REQUIRE(calls.size() == 1);
    CHECK(calls[0]->arguments == R"({"path": "/)");
    CHECK(calls[0]->is_incomplete());
  }
}
