// Answers of agents on Databricks with the interface of chat (agent/v2/chat), which call their tools
// themselves: https://github.com/databricks/databricks-ai-bridge,
// integrations/ai-sdk-provider/tests/__fixtures__.
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/tools.hpp"
#include "support/answered_client.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"

#include <string>
#include <vector>

using namespace inferwire;
using namespace inferwire_test;
using inferwire::testing::Reply;

namespace {

const std::string agent_begins = R"({"role":"assistant","content":"I look. ","id":"m1"})";
const std::string agent_calls =
    R"({"role":"assistant","content":"","id":"m1","tool_calls":[{"type":"function","id":"c1",)"
    R"("function":{"name":"tides","arguments":"{\"place\":\"Brest\"}"}}]})";
const std::string tool_says =
    R"({"role":"tool","name":"tides","content":"{\"ebb\":7}","tool_call_id":"c1","id":"t1"})";
const std::string agent_ends = R"({"role":"assistant","content":"Ebb at 7.","id":"m2","tool_calls":null})";

const std::string agent_text = "I look. Ebb at 7.";

/// The answer without streaming.
std::string agent_document(const std::string& members = "") {
  return R"({"id":"a1","messages":[)" + agent_begins + "," + agent_calls + "," + tool_says + "," +
         agent_ends + R"(],"finish_reason":null,"custom_outputs":{"k":1},"usage":{"total_tokens":3})" +
         members + "}";
}

Client agent(Reply reply) {
  return answering(std::move(reply), {.provider = Provider::databricks(), .api_key = key});
}

Client streaming_chat_agent() {
  std::vector<std::string> events;
  for (const auto& delta : {agent_begins, agent_calls, tool_says, agent_ends}) {
    events.push_back(R"(data: {"id":"a1","delta":)" + delta + R"(,"finish_reason":null,"usage":null})" +
                     "\n\n");
  }
  events.push_back("data: [DONE]\n\n");
  return agent(Reply::stream(std::move(events)));
}

/// What the answer holds besides its text.
void check_agent_answer(const chat::Response& answer) {
  CHECK(answer.text() == agent_text);
  CHECK(answer.id == "a1");
  CHECK(answer.message()->role == chat::Role::assistant);
  CHECK(answer.tool_calls().empty());
  const auto* const steps = answer.extra.find("messages");
  REQUIRE(steps != nullptr);
  CHECK(steps->text() == "[" + agent_calls + "," + tool_says + "]");
}

}  // namespace

TEST_CASE("an agent's answer has the text of all its messages, and no calls") {
  for (const std::string choices : {"", R"(,"choices":[])", R"(,"choices":null)"}) {
    CAPTURE(choices);
    const auto reply = agent(Reply::json(agent_document(choices))).chat.create(hello);
    REQUIRE(reply);
    check_agent_answer(*reply);
    CHECK(reply->finish() == Finish::none);
    CHECK(reply->usage->total_tokens == 3);
    CHECK(reply->extra.find("custom_outputs")->text() == R"({"k":1})");
  }
}

TEST_CASE("a stream of an agent has the text of the whole answer, and no calls") {
  auto stream = streaming_chat_agent().chat.stream(hello);
  std::string shown;
  std::vector<std::string> steps;
  const auto collected = stream.collect([&](const chat::Chunk& chunk) {
    shown += chunk.text();
    REQUIRE(chunk.choices.size() == 1);
    CHECK(chunk.choices[0].delta.tool_calls.empty());
    if (const auto* const step = chunk.extra.find("messages")) steps.push_back(step->text());
  });
  REQUIRE_FALSE(collected.error);
  CHECK(shown == agent_text);
  check_agent_answer(collected.response);
  CHECK(steps == std::vector<std::string>{"[" + agent_calls + "]", "[" + tool_says + "]"});
}

TEST_CASE("an agent's whole answer in place of a stream is one chunk") {
  auto stream = agent(Reply::json(agent_document())).chat.stream(hello);
  const auto collected = stream.collect();
  REQUIRE_FALSE(collected.error);
  check_agent_answer(collected.response);
}

TEST_CASE("chat::ToolLoop runs no call of an agent") {
  Toolbox tools;
  int runs = 0;
  tools.add("tides", "The tides", [&runs] { return ++runs; });
  chat::ToolLoop loop(hello, tools);
  const auto reply = loop.run(agent(Reply::json(agent_document())));
  REQUIRE(reply);
  CHECK(reply->text() == agent_text);
  CHECK(runs == 0);
}

TEST_CASE("an error beside an agent's messages is an error") {
  const auto client = agent(Reply::json(agent_document(R"(,"error":{"message":"the tool broke"})")));
  CHECK(client.chat.create(hello).error().detail == "the tool broke");
  CHECK(client.chat.stream(hello).collect().error->detail == "the tool broke");
}

TEST_CASE("an agent's content may be a list of parts") {
  const std::string message = R"({"role":"assistant","content":[{"type":"text","text":"Ebb at 7."}]})";
  const auto reply = agent(Reply::json(R"({"messages":[)" + message + "]}")).chat.create(hello);
  REQUIRE(reply);
  CHECK(reply->text() == "Ebb at 7.");
  CHECK(reply->extra.find("messages") == nullptr);
}

TEST_CASE("messages in place of choices are no answer without roles, or without one of the agent") {
  for (const std::string messages : {"[]", R"(["a"])", R"([{"content":"a"}])", R"({"role":"assistant"})",
                                     R"([{"role":"user","content":"a"}])"}) {
    CAPTURE(messages);
    const auto client = agent(Reply::json(R"({"messages":)" + messages + "}"));
    CHECK(client.chat.create(hello).error().kind == ErrorKind::decode);
    CHECK(client.chat.stream(hello).collect().error->kind == ErrorKind::decode);
  }
}
