// Text completions as callers see them.
#include "inferwire/completions.hpp"

#include "inferwire/client.hpp"
#include "support/answered_client.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace {

using namespace inferwire;
using namespace inferwire_test;
using inferwire::testing::Reply;
using nlohmann::json;

const std::string whole =
    R"({"id":"c1","object":"text_completion","model":"m1","choices":[{"index":0,"text":" a rock",)"
    R"("finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}})";

std::string event(const std::string& data) { return "data: " + data + "\n\n"; }
std::string piece(int index, const std::string& text, const std::string& finish = "null") {
  return event(R"({"id":"c1","choices":[{"index":)" + std::to_string(index) + R"(,"text":")" + text +
               R"(","finish_reason":)" + finish + "}]}");
}

TEST_CASE("completions.create sends the request and decodes the answer") {
  const AnsweredClient service(Reply::json(whole));
  const auto reply =
      service.client.completions.create({.model = "m", .prompt = "Basalt is", .max_tokens = 5});
  REQUIRE(reply);
  CHECK(reply->text() == " a rock");
  CHECK(reply->finish() == Finish::stop);
  CHECK(service.sent().url == "https://api.openai.com/v1/completions");
  CHECK(json::parse(service.sent().body) ==
        json{{"model", "m"}, {"prompt", "Basalt is"}, {"max_tokens", 5}, {"stream", false}});
}

TEST_CASE("a completion on an invocations path leaves the model out of the body") {
  const AnsweredClient service(Reply::json(whole), {.provider = Provider::databricks(), .api_key = key});
  REQUIRE(service.client.completions.create({.model = "databricks-mpt-7b-instruct", .prompt = "x"}));
  CHECK(service.sent().url ==
        "https://in-process.invalid/serving-endpoints/databricks-mpt-7b-instruct/invocations");
  CHECK(json::parse(service.sent().body) == json{{"prompt", "x"}, {"stream", false}});
}

TEST_CASE("a stream of completions folds into the answer") {
  const AnsweredClient service(
      Reply::stream({piece(0, " a"), piece(1, " b"), piece(0, "a", "\"stop\""), piece(1, "", "\"length\""),
                     event(R"({"choices":[],"usage":{"prompt_tokens":2}})"), "data: [DONE]\n\n"}));
  auto collected = service.client.completions.stream({.model = "m", .prompt = {"x", "y"}}).collect();
  REQUIRE(collected);
  REQUIRE(collected.response.choices.size() == 2);
  CHECK(collected.response.choices[0].text == " aa");
  CHECK(collected.response.choices[1].text == " b");
  CHECK(collected.response.choices[1].finish() == Finish::length);
  CHECK(collected.response.usage->prompt() == 2);
  CHECK(json::parse(service.sent().body)["stream"] == true);
}

TEST_CASE("a stream without an end marker is whole when every choice of every prompt has finished") {
  const completions::Request two_by_two{.model = "m", .prompt = {"x", "y"}, .n = 2};
  std::vector<std::string> pieces;
  for (int i = 0; i < 4; ++i) {
    auto collected = answering(Reply::stream(pieces)).completions.stream(two_by_two).collect();
    REQUIRE(collected.error);
    CHECK(collected.error->kind == ErrorKind::truncated);
    CHECK(collected.response.choices.size() == pieces.size());
    pieces.push_back(piece(i, "t", "\"stop\""));
  }
  CHECK(answering(Reply::stream(pieces)).completions.stream(two_by_two).collect());
}

TEST_CASE("a stream of completions keeps the choices of thousands of prompts") {
  const completions::Request many{.model = "m", .prompt = std::vector<std::string>(20'000, "x")};
  std::string pieces;
  for (int i = 0; i < 20'000; ++i) pieces += piece(i, "t", "\"stop\"");
  const auto collected = answering(Reply::stream({pieces})).completions.stream(many).collect();
  CHECK_FALSE(collected.error);
  CHECK(collected.response.choices.size() == 20'000);
}

TEST_CASE("completions read a whole answer as a stream, and a stream as an answer") {
  auto streamed = answering(Reply::json(whole)).completions.stream({.prompt = "x"}).collect();
  REQUIRE(streamed);
  CHECK(streamed.response.text() == " a rock");
  CHECK(streamed.response.usage->total() == 5);
  const auto gathered = answering(Reply::stream({piece(7, " a rock", "\"stop\""), "data: [DONE]\n\n"}))
                            .completions.create({.prompt = "x"});
  REQUIRE(gathered);
  CHECK(gathered->text() == " a rock");
  CHECK(gathered->choices.at(0).index == 0);  // one choice was asked for
}

TEST_CASE("completions that the server does not number are numbered by position, whole and streamed") {
  const auto client = answering(Reply::json(R"({"choices":[{"text":"a","finish_reason":"stop"},)"
                                            R"({"text":"b","finish_reason":"stop"}]})"));
  const completions::Request two{.model = "m", .prompt = {"x", "y"}};
  const auto created = client.completions.create(two);
  REQUIRE(created);
  CHECK(created->prompt_index(two, 0) == 0U);
  CHECK(created->prompt_index(two, 1) == 1U);
  CHECK(client.completions.stream(two).collect().response == *created);
}

TEST_CASE("completions that the server numbers by prompt keep their numbers, except as a stream") {
  const auto client = answering(
      Reply::json(R"({"choices":[{"index":0,"text":"a"},{"index":1,"text":"b"},{"index":0,"text":"c"},)"
                  R"({"index":1,"text":"d"}]})"));
  const completions::Request two_by_two{.model = "m", .prompt = {"x", "y"}, .n = 2};
  const auto created = client.completions.create(two_by_two);
  REQUIRE(created);
  CHECK(created->prompt_index(two_by_two, 2) == 0U);
  CHECK(created->choice_index(two_by_two, 3) == 1U);
  const auto collected = client.completions.stream(two_by_two).collect().response;
  std::string texts;
  for (const auto& choice : collected.choices) texts += choice.text;
  CHECK(texts == "acbd");  // those for x, then those for y
  CHECK(collected.prompt_index(two_by_two, 1) == 0U);
  CHECK(collected.prompt_index(two_by_two, 2) == 1U);
}

TEST_CASE("completions in the form of chat have its text") {
  const std::string middle = R"("message":{"role":"assistant","content":" SDK docs","tool_calls":null})";
  const auto fim = answering(  // Mistral
      Reply::json(R"({"id":"x","object":"chat.completion","choices":[{"index":0,)" + middle +
                  R"(,"finish_reason":"stop"}],"usage":{"prompt_tokens":1}})"));
  const auto created = fim.completions.create({.prompt = "x"});
  REQUIRE(created);
  CHECK(created->text() == " SDK docs");
  CHECK(fim.completions.stream({.prompt = "x"}).collect().response == *created);

  const auto delta = [](const std::string& members, const std::string& finish = "null") {
    return event(R"({"id":"cmpl-1","object":"text_completion.chunk","choices":[{"index":0,"delta":{)" +
                 members + R"(},"logprobs":null,"finish_reason":)" + finish + "}]}");
  };
  // https://github.com/qualcomm/GenieX/pull/66
  const auto pieces = answering(Reply::stream({delta(R"("content":" SDK")"), delta(R"("content":" SDK")"),
                                               delta(R"("content":" docs")"), delta("", "\"stop\"")}));
  const auto collected = pieces.completions.stream({.prompt = "x"}).collect();
  REQUIRE(collected);
  CHECK(collected.response.text() == " SDK SDK docs");
  CHECK(collected.response.choices.at(0).extra.empty());

  const std::string twice =
      R"({"choices":[{"index":0,"text":" a","finish_reason":"stop","delta":)";  // Together
  const auto both = answering(Reply::stream({event(twice + R"({"token_id":5,"content":" a"}}]})")}))
                        .completions.stream({.prompt = "x"})
                        .collect();
  CHECK(both.response.text() == " a");
  CHECK(both.response.choices.at(0).extra.find("delta") != nullptr);
}

}  // namespace
