// The engine's text completions over HTTP.
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/language_model.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;

namespace {

const std::string provisioned = "/serving-endpoints/pt-completion/invocations";
const std::string preview = "/serving-endpoints/databricks-mpt-7b-instruct/invocations";
const std::string openai = "/v1/completions";

engine::Engine& shared_engine() {
  static engine::Engine engine(
      {.endpoints = {{.name = "small", .context_window = 64, .task = engine::EndpointTask::completions}},
       .created = 1'700'000'000});
  return engine;
}

json toy(json members = json::object()) {
  json body = {{"model", "inferwire-toy"}, {"prompt", "The weather in the"}, {"max_tokens", 12}};
  body.update(members);
  return body;
}

Answered complete(const json& body, const std::string& path = openai) {
  return ask(shared_engine(), path, body.dump());
}
json answered(const json& body, const std::string& path = openai) { return good(complete(body, path)); }
std::string text_of(const json& response, std::size_t choice = 0) {
  return response["choices"][choice]["text"];
}
std::string refusal(const json& body, const std::string& path = openai) {
  const auto answer = complete(body, path);
  CHECK(answer.head.status == 400);
  return answer.body;
}

/// Folds the chunks of a stream, choice by choice.
json folded(const Answered& answer) {
  json out = json::object();
  for (const auto& chunk : chunks_of(answer)) {
    for (const auto& part : chunk["choices"]) {
      auto& choice = out[part["index"].dump()];
      if (choice.is_null()) choice = {{"text", ""}, {"tokens", json::array()}, {"offsets", json::array()}};
      choice["text"] = choice["text"].get<std::string>() + part["text"].get<std::string>();
      if (part.contains("logprobs")) {
        for (const auto& token : part["logprobs"]["tokens"]) choice["tokens"].push_back(token);
        for (const auto& offset : part["logprobs"]["text_offset"]) choice["offsets"].push_back(offset);
      }
      if (!part["finish_reason"].is_null()) choice["finish_reason"] = part["finish_reason"];
    }
  }
  return out;
}

}  // namespace

TEST_CASE("a completion has everything that the documents name") {
  const auto response = answered({{"prompt", "Granite is"}, {"max_tokens", 8}}, provisioned);
  CHECK(response["id"].get<std::string>().starts_with("cmpl-"));
  CHECK(response["object"] == "text_completion");
  CHECK(response["created"] == 1'700'000'000);
  CHECK(response["model"] == "pt-completion-1");
  REQUIRE(response["choices"].size() == 1);
  CHECK(response["choices"][0]["index"] == 0);
  CHECK_FALSE(text_of(response).empty());
  const auto& usage = response["usage"];
  CHECK(usage["completion_tokens"] <= 8);
  CHECK(usage["total_tokens"] == usage["prompt_tokens"].get<int>() + usage["completion_tokens"].get<int>());
}

TEST_CASE("the documents' example of a completion works as it is") {
  const auto answer = ask(
      shared_engine(),
      HttpRequest{
          .url = "http://engine" + preview,
          .headers = {{"Content-Type", "application/json"}, {"Authorization", "Basic dG9rZW46ZGFwaQ=="}},
          .body =
              R"({"prompt": "Write 3 reasons why you should train an AI model on domain specific data sets"})"});
  CHECK(answer.head.status == 200);
  CHECK_FALSE(text_of(json::parse(answer.body)).empty());
}

TEST_CASE("several prompts are answered in order, each as it would be alone") {
  const json prompts = {"The weather in the", "Bread is", "My name"};
  const auto batch = answered(toy({{"prompt", prompts}, {"n", 2}, {"seed", 5}}));
  REQUIRE(batch["choices"].size() == 6);
  int tokens = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto alone = answered(toy({{"prompt", prompts[i]}, {"n", 2}, {"seed", 5}}));
    tokens += alone["usage"]["prompt_tokens"].get<int>();
    for (std::size_t k = 0; k < 2; ++k) {
      CHECK(batch["choices"][2 * i + k]["index"] == 2 * i + k);
      CHECK(text_of(batch, 2 * i + k) == text_of(alone, k));
    }
  }
  CHECK(batch["usage"]["prompt_tokens"] == tokens);
}

TEST_CASE("a prompt that leaves little room shortens the answers to no other prompt") {
  const std::string path = "/serving-endpoints/small/invocations";
  const std::string question = "Tell me about rivers.";
  std::string fits, too_long;
  for (int i = 0; i < 24; ++i) fits += " stone";
  for (int i = 0; i < 80; ++i) too_long += " stone";
  const auto alone = answered({{"prompt", question}}, path);
  REQUIRE(alone["usage"]["completion_tokens"] > 20);
  for (const auto& [long_one, behavior] : {std::pair{fits, "error"}, {too_long, "truncate"}}) {
    INFO(behavior);
    json body = {{"prompt", {long_one, question, long_one}}, {"error_behavior", behavior}};
    const auto batch = answered(body, path);
    CHECK(text_of(batch, 1) == text_of(alone));
    CHECK(batch["choices"][1]["finish_reason"] == alone["choices"][0]["finish_reason"]);
    auto by_itself = body;
    by_itself["prompt"] = long_one;
    CHECK(text_of(batch, 0) == text_of(answered(by_itself, path)));
    CHECK(text_of(batch, 2) == text_of(batch, 0));
    body["stream"] = true;
    CHECK(folded(complete(body, path))["1"]["text"] == text_of(alone));
  }
}

TEST_CASE("a prompt may be token numbers") {
  const auto tokens = engine::toy_model()->tokenize("The weather in the", false);
  const auto by_text = answered(toy({{"seed", 3}, {"echo", true}}));
  const auto by_tokens = answered(toy({{"seed", 3}, {"echo", true}, {"prompt", tokens}}));
  CHECK(text_of(by_tokens) == text_of(by_text));
  CHECK(by_tokens["usage"] == by_text["usage"]);
  const auto two = answered(toy({{"seed", 3}, {"echo", true}, {"prompt", {tokens, tokens}}}));
  REQUIRE(two["choices"].size() == 2);
  CHECK(text_of(two, 1) == text_of(by_text));
  CHECK_THAT(refusal(toy({{"prompt", {1, 99999}}})), contains("prompt[1]"));
  CHECK_THAT(refusal(toy({{"prompt", {{1}, {-1}}}})), contains("prompt[1][0]"));
}

TEST_CASE("echo puts the prompt before and suffix text after a completion") {
  const auto plain = answered({{"prompt", "Granite is"}, {"max_tokens", 5}}, provisioned);
  const auto dressed = answered(
      {{"prompt", "Granite is"}, {"max_tokens", 5}, {"echo", true}, {"suffix", " (end)"}}, provisioned);
  CHECK(text_of(dressed) == "Granite is" + text_of(plain) + " (end)");
  CHECK(dressed["usage"] == plain["usage"]);
  CHECK_THAT(refusal(toy({{"suffix", "x"}})), contains("'suffix'"));
  CHECK(complete(toy({{"suffix", ""}})).head.status == 200);
}

TEST_CASE("use_raw_prompt leaves the template out") {
  const auto tokens = [](bool raw) {
    return answered({{"prompt", "Granite is"}, {"max_tokens", 1}, {"use_raw_prompt", raw}},
                    provisioned)["usage"]["prompt_tokens"]
        .get<int>();
  };
  CHECK(tokens(true) == static_cast<int>(engine::toy_model()->tokenize("Granite is", false).size()));
  CHECK(tokens(false) > tokens(true));
}

TEST_CASE("a prompt that is too long is an error, or is cut where that was asked for") {
  std::string longest;
  for (int i = 0; i < 80; ++i) longest += " stone";
  const json body = {{"prompt", longest}, {"max_tokens", 8}};
  const std::string path = "/serving-endpoints/small/invocations";
  CHECK_THAT(refusal(body, path), contains("context length"));
  auto cut = body;
  cut["error_behavior"] = "error";
  CHECK_THAT(refusal(cut, path), contains("context length"));
  cut["error_behavior"] = "truncate";
  const auto response = answered(cut, path);
  CHECK(response["usage"]["prompt_tokens"] == 64 - 8);
  CHECK(response["usage"]["completion_tokens"] <= 8);
  cut["max_tokens"] = 65;
  CHECK(answered(cut, path)["usage"]["prompt_tokens"] == 1);
  cut.erase("max_tokens");
  CHECK(answered(cut, path)["usage"]["prompt_tokens"] == 63);
  CHECK_THAT(refusal({{"prompt", "x"}, {"error_behavior", "truncate"}}, provisioned),
             contains("pay-per-token"));
}

TEST_CASE("error_behavior truncate cuts the answer, not a prompt that fits") {
  const std::string path = "/serving-endpoints/small/invocations";
  std::string fits;
  for (int i = 0; i < 24; ++i) fits += " stone";
  for (const auto& prompt : {std::string("Tell me about rivers."), fits}) {
    const auto whole = answered({{"prompt", prompt}}, path);
    for (const std::int64_t most : {std::int64_t{63}, std::int64_t{64}, std::int64_t{1} << 40}) {
      CAPTURE(prompt, most);
      const auto response =
          answered({{"prompt", prompt}, {"error_behavior", "truncate"}, {"max_tokens", most}}, path);
      CHECK(response["usage"] == whole["usage"]);
      CHECK(text_of(response) == text_of(whole));
    }
  }
}

TEST_CASE("OpenAI's default limit is 16 tokens, Databricks has none") {
  const auto response = answered({{"model", "inferwire-toy"}, {"prompt", "The"}, {"ignore_eos", true}});
  CHECK(response["usage"]["completion_tokens"] == 16);
  CHECK(response["choices"][0]["finish_reason"] == "length");
  const auto free = answered({{"prompt", "Tell me about rivers."}}, provisioned);
  CHECK(free["choices"][0]["finish_reason"] == "stop");
}

TEST_CASE("logprobs are the model's for each token") {
  const auto response = answered(toy({{"logprobs", 3}, {"seed", 2}}));
  const auto& choice = response["choices"][0];
  const auto& log = choice["logprobs"];
  std::string text;
  for (std::size_t i = 0; i < log["tokens"].size(); ++i) {
    CHECK(log["text_offset"][i] == text.size());
    text += log["tokens"][i].get<std::string>();
    CHECK(log["token_logprobs"][i] <= 0.0);
    const auto& top = log["top_logprobs"][i];
    CHECK(top.at(log["tokens"][i].get<std::string>()) == log["token_logprobs"][i]);
    CHECK((top.size() == 3 || top.size() == 4));
    for (const auto& logprob : top) CHECK(logprob <= 0.0);
  }
  CHECK(text == text_of(response));
  CHECK(log["tokens"].size() == response["usage"]["completion_tokens"]);
  CHECK(answered(toy({{"logprobs", 0}}))["choices"][0]["logprobs"]["top_logprobs"][0].size() == 1);
  CHECK_FALSE(answered(toy())["choices"][0].contains("logprobs"));
}

TEST_CASE("an echo with logprobs scores the prompt, and the first token has no score") {
  const auto response = answered(toy({{"logprobs", 1}, {"echo", true}, {"max_tokens", 0}}));
  const auto& choice = response["choices"][0];
  CHECK(choice["text"] == "The weather in the");
  CHECK(choice["finish_reason"] == "length");
  CHECK(response["usage"]["completion_tokens"] == 0);
  const auto& log = choice["logprobs"];
  REQUIRE(log["tokens"].size() == response["usage"]["prompt_tokens"].get<std::size_t>());
  CHECK(log["token_logprobs"][0].is_null());
  CHECK(log["top_logprobs"][0].is_null());
  for (std::size_t i = 1; i < log["tokens"].size(); ++i) {
    CHECK(log["token_logprobs"][i] < 0.0);
    CHECK(log["top_logprobs"][i].begin().value() >= log["token_logprobs"][i].get<double>());
  }
}

TEST_CASE("a token that is part of a character is shown as bytes in logprobs") {
  const auto response =
      answered(toy({{"prompt", "a \xC3\xA9"}, {"logprobs", 5}, {"echo", true}, {"max_tokens", 0}}));
  const auto& log = response["choices"][0]["logprobs"];
  const auto& tokens = log["tokens"];
  CHECK(tokens[tokens.size() - 2] == "bytes:\\xc3");
  CHECK(tokens.back() == "bytes:\\xa9");
  CHECK_THAT(log.dump(), !contains("\xEF\xBF\xBD"));
}

TEST_CASE("best_of keeps the likeliest attempts") {
  const auto mean = [](const json& choice) {
    double sum = 0;
    for (const auto& logprob : choice["logprobs"]["token_logprobs"]) sum += logprob.get<double>();
    return sum / static_cast<double>(choice["logprobs"]["token_logprobs"].size());
  };
  const auto all = answered(toy({{"n", 5}, {"seed", 1}, {"logprobs", 0}}));
  const auto best = answered(toy({{"n", 2}, {"best_of", 5}, {"seed", 1}, {"logprobs", 0}}));
  REQUIRE(best["choices"].size() == 2);
  double highest = -1e9;
  for (const auto& choice : all["choices"]) highest = std::max(highest, mean(choice));
  CHECK(mean(best["choices"][0]) == highest);
  CHECK(mean(best["choices"][1]) <= highest);
  CHECK(best["choices"][1]["index"] == 1);
  CHECK(best["usage"] == all["usage"]);
  CHECK_THAT(refusal(toy({{"n", 3}, {"best_of", 2}})), contains("'best_of'"));
  CHECK_THAT(refusal(toy({{"best_of", 2}, {"stream", true}})), contains("'best_of'"));
}

TEST_CASE("streamed completions add up to the whole ones") {
  const json members = GENERATE(
      json::parse(R"({"seed":3})"), json::parse(R"({"seed":4,"n":2,"prompt":["The weather","Bread"]})"),
      json::parse(R"({"seed":5,"stop":["e "],"max_tokens":40})"),
      json::parse(R"({"seed":6,"echo":true,"logprobs":2})"),
      json::parse(R"({"seed":7,"echo":true,"max_tokens":0})"), json::parse(R"({"seed":8,"max_tokens":0})"));
  INFO(members.dump());
  const auto whole = answered(toy(members));
  auto request = toy(members);
  request["stream"] = true;
  const auto answer = complete(request);
  CHECK(answer.streamed);
  CHECK(answer.events().back() == "[DONE]");
  const auto streamed = folded(answer);
  REQUIRE(streamed.size() == whole["choices"].size());
  for (const auto& choice : whole["choices"]) {
    const auto& other = streamed[choice["index"].dump()];
    CHECK(other["text"] == choice["text"]);
    CHECK(other["finish_reason"] == choice["finish_reason"]);
    if (!choice.contains("logprobs")) continue;
    CHECK(other["tokens"] == choice["logprobs"]["tokens"]);
    CHECK(other["offsets"] == choice["logprobs"]["text_offset"]);
  }
}

TEST_CASE("a streamed completion ends in its suffix, and its usage comes when asked for") {
  const json body = {{"prompt", "Granite is"}, {"max_tokens", 4}, {"suffix", "!"}, {"stream", true}};
  const auto text = folded(complete(body, provisioned))["0"]["text"].get<std::string>();
  CHECK(text.ends_with("!"));
  const auto counted =
      complete(toy({{"stream", true}, {"stream_options", {{"include_usage", true}}}})).events();
  CHECK(json::parse(counted[counted.size() - 2])["usage"]["prompt_tokens"] > 0);
  CHECK(json::parse(counted[0])["usage"].is_null());
}

TEST_CASE("Databricks' preview streams one prompt only, and refuses n and logprobs") {
  const json several = {{"prompt", {"a", "b"}}, {"max_tokens", 2}};
  CHECK(answered(several, preview)["choices"].size() == 2);
  auto streamed = several;
  streamed["stream"] = true;
  CHECK_THAT(refusal(streamed, preview), contains("'prompt'"));
  CHECK(complete(streamed, provisioned).head.status == 200);
  streamed["model"] = "databricks-mpt-7b-instruct";
  CHECK_THAT(refusal(streamed), contains("'prompt'"));
  streamed["prompt"] = {1, 2, 3};  // one prompt, as token ids
  CHECK(complete(streamed).head.status == 200);
  CHECK_THAT(refusal({{"prompt", "a"}, {"n", 1}}, preview), contains("n"));
  CHECK_THAT(refusal({{"prompt", "a"}, {"logprobs", 1}}, provisioned), contains("logprobs"));
}

TEST_CASE("a completion request that breaks a rule is refused with the parameter") {
  const std::pair<const char*, const char*> cases[] = {{R"({"prompt":null})", "'prompt'"},
                                                       {R"({"prompt":[]})", "'prompt'"},
                                                       {R"({"prompt":7})", "'prompt'"},
                                                       {R"({"prompt":["a",1]})", "prompt[1]"},
                                                       {R"({"prompt":[[]]})", "at least 1 token"},
                                                       {R"({"prompt":[[1,"a"]]})", "prompt[0][1]"},
                                                       {R"({"prompt":[[1],"a"]})", "a list, but got"},
                                                       {R"({"prompt":[1,"a"]})", "prompt[1]"},
                                                       {R"({"max_tokens":-1})", "'max_tokens'"},
                                                       {R"({"logprobs":6})", "'logprobs'"},
                                                       {R"({"n":0})", "'n'"},
                                                       {R"({"temperature":3})", "'temperature'"},
                                                       {R"({"stop":[""]})", "stop[0]"},
                                                       {R"({"stream_options":{}})", "'stream_options'"},
                                                       {R"({"logit_bias":{"x":1}})", "logit_bias"},
                                                       {R"({"best_of":21})", "'best_of'"}};
  for (const auto& [members, param] : cases) {
    INFO(members);
    CHECK_THAT(refusal(toy(json::parse(members))), contains(param));
  }
  CHECK_THAT(refusal({{"prompt", "a"}, {"max_tokens", 0}}, provisioned), contains("'max_tokens'"));
  CHECK_THAT(refusal({{"prompt", "a"}, {"error_behavior", "ignore"}}, provisioned),
             contains("'error_behavior'"));
  CHECK_THAT(refusal({{"prompt", {{1, 2}}}}, provisioned), contains("prompt[0]"));
}

TEST_CASE("a completion is refused by endpoints of another task, below /v1 by embedding models only") {
  CHECK_THAT(refusal({{"model", "pt-chat"}, {"prompt", "a"}}, "/serving-endpoints/completions"),
             contains("llm/v1/chat"));
  CHECK_THAT(refusal({{"messages", json::array()}}, provisioned), contains("messages"));
  CHECK_THAT(refusal(toy({{"model", "inferwire-embed"}})), contains("llm/v1/embeddings"));
  CHECK(complete(toy({{"model", "pt-completion"}})).head.status == 200);
  CHECK(answered({{"model", "pt-completion"}, {"prompt", "a"}}, "/serving-endpoints/completions")["model"] ==
        "pt-completion-1");
}

TEST_CASE("prompts are limited in number, and so are all answers to them together") {
  const auto many = [](std::size_t count, int n) {
    return json{{"model", "inferwire-toy"},
                {"prompt", std::vector<std::string>(count, "a")},
                {"n", n},
                {"max_tokens", 1}};
  };
  CHECK(complete(many(130, 2)).head.status == 200);
  const auto too_long = complete(many(2049, 1));
  CHECK(too_long.head.status == 400);
  CHECK_THAT(too_long.body, contains("at most 2048 elements"));
  const auto too_many = complete(many(33, 128));
  CHECK(too_many.head.status == 400);
  CHECK_THAT(too_many.body, contains("at most 4096 answers"));
  const auto tokens = complete(toy({{"prompt", std::vector<std::vector<int>>(2049, {1})}}));
  CHECK(tokens.head.status == 400);
  auto too_much = many(32, 128);
  too_much.update({{"logprobs", 5}, {"max_tokens", 100}});
  CHECK_THAT(refusal(too_much), contains("'max_tokens'"));
  too_much.update(
      {{"logprobs", 0}, {"echo", true}, {"prompt", std::vector<std::string>(32, std::string(8'000, 'a'))}});
  CHECK_THAT(refusal(too_much), contains("in all choices together"));
  const auto theirs = complete({{"prompt", "a"}, {"n", 129}, {"max_tokens", 1}}, provisioned);
  CHECK(theirs.head.status == 400);
  CHECK_THAT(theirs.body, contains("INVALID_PARAMETER_VALUE"));
}
