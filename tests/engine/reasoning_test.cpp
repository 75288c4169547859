// Models that think before they answer.
#include "both_ways.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "shared_engine.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"
#include "wire/documents.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace {

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;

std::string invocations(const std::string& endpoint) {
  return "/serving-endpoints/" + endpoint + "/invocations";
}
const std::string oss = invocations("databricks-gpt-oss-120b");
const std::string claude = invocations("databricks-claude-sonnet-4");
const std::string gpt = invocations("databricks-gpt-5");

std::string body(const std::string& members = "") {
  return R"({"messages":[{"role":"user","content":"Tell me about bread."}])" +
         (members.empty() ? "" : "," + members) + "}";
}
const std::string thinking = R"("thinking":{"type":"enabled","budget_tokens":1024})";

std::string response_body(const std::string& members = "") {
  return R"({"model":"databricks-gpt-5","input":"Tell me about bread.")" +
         (members.empty() ? "" : "," + members) + "}";
}
const std::string responses_path = "/serving-endpoints/responses";

TEST_CASE("gpt-oss shows its reasoning in a block before the text", "[reasoning]") {
  const auto answer = parsed(ask(shared_engine(), oss, body()));
  const auto& content = answer["choices"][0]["message"]["content"];
  REQUIRE(content.size() == 2);
  CHECK(content[0]["type"] == "reasoning");
  CHECK(content[0]["summary"][0]["type"] == "summary_text");
  CHECK_FALSE(content[0]["summary"][0]["text"].get<std::string>().empty());
  CHECK_FALSE(content[0]["summary"][0].contains("signature"));
  CHECK(content[1]["type"] == "text");
  const auto& usage = answer["usage"];
  CHECK(usage["reasoning_tokens"] > 0);
  CHECK(usage["reasoning_tokens"] < usage["completion_tokens"]);
  CHECK(usage["completion_tokens_details"]["reasoning_tokens"] == usage["reasoning_tokens"]);
}

TEST_CASE("reasoning_effort scales the reasoning tokens", "[reasoning]") {
  const auto tokens = [](const std::string& effort) {
    std::int64_t sum = 0;
    engine::Engine engine;
    for (int i = 0; i < 10; ++i) {
      sum += parsed(ask(
          engine, "/v1/chat/completions",
          R"({"model":"databricks-gpt-5","messages":[{"role":"user","content":"Bread?"}],"seed":)" +
              std::to_string(i) + R"(,"reasoning_effort":")" + effort + "\"}"))["usage"]
                 .value("reasoning_tokens", std::int64_t{0});
    }
    return sum;
  };
  CHECK(tokens("none") == 0);
  CHECK(tokens("low") > 0);
  CHECK(tokens("low") < tokens("high"));
}

TEST_CASE("Databricks takes every word for the effort, since its models differ", "[reasoning]") {
  for (const std::string effort : {"none", "minimal", "low", "medium", "high", "xhigh", "max"}) {
    CAPTURE(effort);
    const auto chat = body(R"("reasoning_effort":")" + effort + '"');
    CHECK(ask(shared_engine(), gpt, chat).head.status == 200);
    const auto response = response_body(R"("reasoning":{"effort":")" + effort + "\"}");
    CHECK(ask(shared_engine(), responses_path, response).head.status == 200);
  }
}

TEST_CASE("reasoning uses up tokens and may leave none for the text", "[reasoning]") {
  const auto answer = parsed(ask(shared_engine(), oss, body(R"("max_tokens":4)")));
  const auto& choice = answer["choices"][0];
  CHECK(choice["finish_reason"] == "length");
  REQUIRE(choice["message"]["content"].size() == 1);
  CHECK(choice["message"]["content"][0]["type"] == "reasoning");
  CHECK(answer["usage"]["reasoning_tokens"] == 4);
}

TEST_CASE("reasoning leaves the tokens that a schema needs", "[reasoning]") {
  const auto format = R"("response_format":{"type":"json_schema","json_schema":{"name":"n","schema":
      {"type":"object","properties":{"kind":{"enum":["rye","wheat"]}},"required":["kind"]}}})";
  const auto answer = parsed(ask(shared_engine(), oss, body(std::string(format) + R"(,"max_tokens":30)")));
  const auto& content = answer["choices"][0]["message"]["content"];
  CHECK(answer["choices"][0]["finish_reason"] == "stop");
  CHECK(json::parse(content.back()["text"].get<std::string>())["kind"].is_string());
}

TEST_CASE("Claude's `thinking` gives signed reasoning", "[reasoning]") {
  const auto silent = parsed(ask(shared_engine(), claude, body()));
  CHECK(silent["choices"][0]["message"]["content"].is_string());
  CHECK_FALSE(silent["usage"].contains("reasoning_tokens"));
  const auto answer = parsed(ask(shared_engine(), claude, body(thinking)));
  const auto content = answer["choices"][0]["message"]["content"];
  CHECK_FALSE(content[0]["summary"][0]["signature"].get<std::string>().empty());

  auto next = json::parse(body(thinking));
  next["messages"].push_back({{"role", "assistant"}, {"content", content}});
  next["messages"].push_back({{"role", "user"}, {"content", "And cake?"}});
  CHECK(ask(shared_engine(), claude, next.dump()).head.status == 200);
}

TEST_CASE("invalid `thinking` is refused", "[reasoning]") {
  struct Case {
    std::string path;
    std::string members;
    std::string message;
  };
  const auto bad = GENERATE(values<Case>({
      {claude, R"("thinking":{"type":"enabled"})", "'thinking.budget_tokens'"},
      {claude, R"("thinking":{"type":"enabled","budget_tokens":100})", "expected at least 1024"},
      {claude, R"("max_tokens":1024,"thinking":{"type":"enabled","budget_tokens":1024})",
       "less than 'max_tokens'"},
      {claude, R"("thinking":{"type":"sometimes"})", "'thinking.type'"},
      {claude, R"("reasoning_effort":"low")", "only accepted by reasoning models"},
      {oss, thinking, "only accepted by models that think on request"},
      {oss, R"("reasoning_effort":"huge")", "'reasoning_effort'"},
  }));
  const auto answer = ask(shared_engine(), bad.path, body(bad.members));
  CHECK(answer.head.status == 400);
  CHECK(answer.body.find(bad.message) != std::string::npos);
}

TEST_CASE("streamed and whole reasoning fold to equal objects", "[reasoning]") {
  const auto path = GENERATE(oss, claude, gpt);
  const auto request = body(path == claude ? thinking : R"("temperature":0.5)");
  const auto [whole, folded] = ask_both_ways(path, request);
  CHECK(folded == whole);
  CHECK(whole.choices[0].message.reasoning_text().empty() == (path == gpt));
}

TEST_CASE("a response has its reasoning as an item before the message", "[reasoning]") {
  const auto plain = parsed(ask(shared_engine(), responses_path, response_body()));
  REQUIRE(plain["output"].size() == 2);
  CHECK(plain["output"][0]["type"] == "reasoning");
  CHECK(plain["output"][0]["id"].get<std::string>().starts_with("rs_"));
  CHECK(plain["output"][0]["summary"] == json::array());
  CHECK_FALSE(plain["output"][0].contains("encrypted_content"));
  CHECK(plain["output"][1]["type"] == "message");
  CHECK(plain["usage"]["output_tokens_details"]["reasoning_tokens"] > 0);

  const auto asked = parsed(
      ask(shared_engine(), responses_path, response_body(R"("reasoning":{"effort":"high","summary":"auto"},
                                    "include":["reasoning.encrypted_content"])")));
  const auto& item = asked["output"][0];
  CHECK_FALSE(item["summary"][0]["text"].get<std::string>().empty());
  CHECK_FALSE(item["encrypted_content"].get<std::string>().empty());
  CHECK(asked["reasoning"]["effort"] == "high");

  json next = json::parse(response_body());
  next["input"] = {{{"role", "user"}, {"content", "Tell me about bread."}},
                   item,
                   {{"role", "user"}, {"content", "And cake?"}}};
  CHECK(ask(shared_engine(), responses_path, next.dump()).head.status == 200);
}

TEST_CASE("a streamed response of a reasoning model numbers its items and folds to the whole one",
          "[reasoning]") {
  const auto members = R"("stream":true,"reasoning":{"summary":"auto"})";
  responses::Accumulator all;
  std::vector<std::string> order;
  responses::Response whole;
  for (const auto& text : ask(shared_engine(), responses_path, response_body(members)).events()) {
    const auto event = json::parse(text);
    const auto type = event["type"].get<std::string>();
    if (order.empty() || order.back() != type) order.push_back(type);
    if (type.find("output_text") != std::string::npos) CHECK(event["output_index"] == 1);
    if (type.find("reasoning") != std::string::npos) CHECK(event["output_index"] == 0);
    const auto decoded = inferwire::json::decode<responses::Event>(text);
    REQUIRE(decoded);
    all.add(*decoded);
    const auto* const state = decoded->get_if<responses::LifecycleEvent>();
    if (state != nullptr && state->is_terminal()) whole = state->response;
  }
  CHECK(order == std::vector<std::string>{
                     "response.created", "response.in_progress", "response.output_item.added",
                     "response.reasoning_summary_part.added", "response.reasoning_summary_text.delta",
                     "response.reasoning_summary_text.done", "response.reasoning_summary_part.done",
                     "response.output_item.done", "response.output_item.added", "response.content_part.added",
                     "response.output_text.delta", "response.output_text.done", "response.content_part.done",
                     "response.output_item.done", "response.completed"});
  CHECK(all.take(true) == whole);
}

TEST_CASE("a response cut inside its reasoning is incomplete and has no message", "[reasoning]") {
  const auto cut = parsed(ask(shared_engine(), responses_path, response_body(R"("max_output_tokens":3)")));
  CHECK(cut["status"] == "incomplete");
  CHECK(cut["incomplete_details"]["reason"] == "max_output_tokens");
  REQUIRE(cut["output"].size() == 1);
  CHECK(cut["output"][0]["type"] == "reasoning");
}

}  // namespace
