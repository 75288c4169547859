// LMI's mounts: what LMI's documents say about a container.
#include "engine/utf8.hpp"
#include "inferwire/engine/engine.hpp"
#include "shared_engine.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;

namespace {

std::string chat(const std::string& members) {
  return R"({"messages":[{"role":"user","content":"Rivers?"}])" + (members.empty() ? "" : "," + members) +
         "}";
}

std::vector<json> lines(const Answered& answer) {
  std::vector<json> out;
  std::istringstream text(answer.body);
  for (std::string line; std::getline(text, line);) out.push_back(json::parse(line));
  return out;
}

}  // namespace

TEST_CASE("LMI answers chats as its documents show") {
  const auto path =
      GENERATE(std::string("/invocations"), "/lmi/v1/chat/completions", "/predictions/inferwire-toy");
  engine::Engine engine({.created = 1'700'000'000});
  const auto response = json::parse(ask(engine, path, chat(R"("max_tokens":3,"ignore_eos":true)")).body);
  CHECK(response["id"] == "chatcmpl-0");
  CHECK(response["object"] == "chat.completion");
  CHECK(response["created"] == 1'700'000'000);
  CHECK_FALSE(response.contains("model"));
  CHECK(response["choices"][0]["logprobs"].is_null());
  CHECK(response["choices"][0].contains("logprobs"));
  CHECK(response["choices"][0]["finish_reason"] == "length");
  CHECK(response["usage"]["completion_tokens"] == 3);
  CHECK(json::parse(ask(engine, path, chat(R"("max_tokens":1)")).body)["id"] == "chatcmpl-1");
}

TEST_CASE("LMI tells finish_reason eos_token from stop_sequence") {
  const auto ended =
      json::parse(ask(shared_engine(), "/invocations", chat(R"("temperature":0)")).body)["choices"][0];
  CHECK(ended["finish_reason"] == "eos_token");
  const std::string text = ended["message"]["content"];
  REQUIRE(text.size() > 8);
  const auto stop = json(text.substr(4, 3)).dump();
  const auto stopped = json::parse(
      ask(shared_engine(), "/invocations", chat(R"("temperature":0,"stop":)" + stop)).body)["choices"][0];
  CHECK(stopped["finish_reason"] == "stop_sequence");
}

TEST_CASE("LMI streams JSON lines, the role with the first token, the finish with the last") {
  const auto members = std::string(R"("max_tokens":20,"seed":5)");
  const auto answer = ask(shared_engine(), "/invocations", chat(members + R"(,"stream":true)"));
  CHECK(find_header(answer.head.headers, "content-type") == "application/jsonlines");
  CHECK(answer.streamed);
  const auto all = lines(answer);
  REQUIRE(all.size() > 2);
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& choice = all[i]["choices"][0];
    CHECK(all[i]["object"] == "chat.completion.chunk");
    CHECK(all[i]["id"] == all[0]["id"]);
    CHECK_FALSE(all[i].contains("model"));
    CHECK_FALSE(all[i].contains("usage"));
    CHECK(choice["delta"].contains("role") == (i == 0));
    CHECK(choice["delta"].contains("content"));
    CHECK(choice["finish_reason"].is_null() == (i + 1 < all.size()));
    text += choice["delta"]["content"].get<std::string>();
  }
  CHECK(text ==
        json::parse(
            ask(shared_engine(), "/invocations", chat(members)).body)["choices"][0]["message"]["content"]
            .get<std::string>());
}

TEST_CASE("LMI's first line has a role and its last one content, though no text came") {
  for (const auto* const members : {R"("max_tokens":2)", R"("max_tokens":64,"tool_choice":"required","tools":[
           {"type":"function","function":{"name":"f","parameters":{"type":"object"}}}])"}) {
    INFO(members);
    const auto all = lines(ask(shared_engine(), "/predictions/databricks-gpt-oss-120b",
                               chat(members + std::string(R"(,"stream":true)"))));
    REQUIRE_FALSE(all.empty());
    CHECK(all.front()["choices"][0]["delta"]["role"] == "assistant");
    CHECK(all.back()["choices"][0]["delta"]["content"] == "");
    CHECK(all.back()["choices"][0]["finish_reason"].is_string());
  }
}

TEST_CASE("LMI gives logprobs only with logprobs and top_logprobs") {
  const auto logprobs = [](const std::string& members) {
    return json::parse(ask(shared_engine(), "/invocations", chat(R"("max_tokens":2)" + members))
                           .body)["choices"][0]["logprobs"];
  };
  CHECK(logprobs(R"(,"logprobs":true)").is_null());
  CHECK(logprobs(R"(,"logprobs":true,"top_logprobs":0)").is_null());
  CHECK(logprobs(R"(,"top_logprobs":2)").is_null());
  CHECK(logprobs(R"(,"logprobs":false,"top_logprobs":2)").is_null());
  CHECK(logprobs(R"(,"logprobs":true,"top_logprobs":2)")["content"][0]["top_logprobs"].size() == 2);
}

TEST_CASE("every line of LMI's streams has logprobs, if only null") {
  for (const bool defects : {false, true}) {
    engine::Engine engine({.lmi_0_29 = defects});
    for (const std::string members :
         {R"("temperature":0)", R"("temperature":0,"logprobs":true,"top_logprobs":1)",
          R"("logprobs":true,"top_logprobs":1,"tool_choice":"required","tools":[
           {"type":"function","function":{"name":"f","parameters":{"type":"object"}}}])"}) {
      INFO(members);
      const auto all = lines(ask(engine, "/invocations", chat(members + R"(,"stream":true)")));
      REQUIRE(all.size() > 1);
      for (const auto& line : all) CHECK(line["choices"][0].contains("logprobs"));
      CHECK(all.back()["choices"][0]["finish_reason"] != "length");
      CHECK(all.back()["choices"][0]["logprobs"].is_null());
    }
  }
}

TEST_CASE("LMI streams several choices") {
  std::string texts[2];
  for (const auto& line :
       lines(ask(shared_engine(), "/invocations", chat(R"("max_tokens":4,"n":2,"stream":true)")))) {
    const auto& choice = line["choices"][0];
    texts[choice["index"].get<std::size_t>()] += choice["delta"]["content"].get<std::string>();
  }
  CHECK_FALSE(texts[0].empty());
  CHECK_FALSE(texts[1].empty());
}

TEST_CASE("LMI 0.29 has one choice, and defects in streamed logprobs") {
  engine::Engine engine({.lmi_0_29 = true});
  CHECK(json::parse(ask(engine, "/invocations", chat(R"("n":3,"max_tokens":1)")).body)["choices"].size() ==
        1);
  const auto all = lines(
      ask(engine, "/invocations", chat(R"("max_tokens":2,"stream":true,"logprobs":true,"top_logprobs":1)")));
  const auto& entry = all[0]["choices"][0]["logprobs"][0]["content"][0];
  CHECK(entry["top_logprobs"][0]["token"].is_number());
  CHECK(entry["top_logprobs"][0]["token"] == entry["top_logprobs"][0]["logprob"]);
  CHECK(entry["token"].is_string());
}

TEST_CASE("bytes of logprobs are bytes, for LMI 0.29 the token's code points") {
  for (const bool old : {false, true}) {
    engine::Engine engine(
        {.lmi_0_29 = old, .script = {.rules = {{.replies = {engine::reply::Text{"caf\u00E9"}}}}}});
    const auto members = std::string(R"("logprobs":true,"top_logprobs":1)");
    const auto whole =
        json::parse(ask(engine, "/invocations", chat(members)).body)["choices"][0]["logprobs"]["content"];
    std::vector<json> streamed;
    for (const auto& line : lines(ask(engine, "/invocations", chat(members + R"(,"stream":true)")))) {
      const auto& logprobs = line["choices"][0]["logprobs"];
      if (logprobs.is_null()) continue;
      for (const auto& entry : (old ? logprobs[0] : logprobs)["content"]) streamed.push_back(entry);
    }
    REQUIRE(streamed.size() == whole.size());
    std::size_t most = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      CHECK(streamed[i]["bytes"] == whole[i]["bytes"]);
      CHECK(streamed[i]["top_logprobs"][0]["bytes"] == whole[i]["top_logprobs"][0]["bytes"]);
      for (const auto& byte : whole[i]["bytes"]) most = std::max(most, byte.get<std::size_t>());
      if (old)
        CHECK(engine::to_code_points(whole[i]["token"].get<std::string>()).size() ==
              whole[i]["bytes"].size());
    }
    CHECK((most > 255) == old);
  }
}

TEST_CASE("LMI's /invocations embeds or completes as the body asks") {
  const auto one = json::parse(ask(shared_engine(), "/invocations", R"({"inputs":"hello"})").body);
  CHECK(one.size() == 1024);
  double norm = 0;
  for (const double value : one) norm += value * value;
  CHECK(std::sqrt(norm) == Approx(1).epsilon(1e-4));
  const auto two = json::parse(ask(shared_engine(), "/invocations", R"({"inputs":["hello","there"]})").body);
  REQUIRE(two.size() == 2);
  CHECK(two[0] == one);
  const auto completion =
      json::parse(ask(shared_engine(), "/invocations", R"({"prompt":"The river","max_tokens":3})").body);
  CHECK(completion["object"] == "text_completion");
}

TEST_CASE("LMI ignores the bias of tokens that the model does not have") {
  const auto answer = [](const std::string& members) {
    return ask(shared_engine(), "/invocations", chat(R"("seed":1,"max_tokens":8)" + members));
  };
  const auto biased = answer(R"(,"logit_bias":{"2435":-100.0,"2147483647":100})");
  CHECK(biased.head.status == 200);
  CHECK(json::parse(biased.body)["choices"] == json::parse(answer("").body)["choices"]);
  CHECK_THAT(answer(R"(,"logit_bias":{"-1":1})").body, contains("expected numbers of tokens as keys"));
  CHECK_THAT(answer(R"(,"logit_bias":{"2435":101})").body, contains("logit_bias.2435"));
}

TEST_CASE("LMI takes unknown members, and refuses in its own form") {
  CHECK(ask(shared_engine(), "/lmi/v1/chat/completions", chat(R"("model":"gpt2","max_tokens":1,"nobody":1)"))
            .head.status == 200);
  struct Case {
    std::string path, request;
    int status;
    std::string says;
  };
  const auto bad = GENERATE(values<Case>({
      {"/invocations", "{}", 400, R"({"code":400,"type":"BadRequestException","message":"Missing required)"},
      {"/invocations", chat(R"("temperature":3)"), 400, "'temperature'"},
      {"/invocations", chat(R"("top_p":0)"), 400, "'top_p'"},
      {"/invocations", R"({"inputs":5})", 400, "'inputs'"},
      {"/invocations", R"({"inputs":"Rivers","parameters":{"max_new_tokens":5}})", 400, "'parameters' is of"},
      {"/invocations", R"({"prompt":5})", 400, "'prompt'"},
      {"/predictions/nobody", chat(""), 404, "ModelNotFoundException"},
      {"/predictions/pt-completion", R"({"inputs":"x"})", 400, "'messages'"},
      {"/lmi/nothing", "{}", 404, "ResourceNotFoundException"},
  }));
  INFO(bad.path << " " << bad.request);
  const auto answer = ask(shared_engine(), bad.path, bad.request);
  CHECK(answer.head.status == bad.status);
  CHECK_THAT(answer.body, contains(bad.says));
}

TEST_CASE("EngineOptions::v1 = lmi needs no 'model' below /v1") {
  engine::Engine engine({.v1 = engine::Api::lmi});
  const auto answer = ask(engine, "/v1/chat/completions", chat(R"("max_tokens":2,"stream":true)"));
  CHECK(find_header(answer.head.headers, "content-type") == "application/jsonlines");
}

TEST_CASE("EngineOptions::v1 = lmi refuses in LMI's form below /v1") {
  engine::Engine engine({.api_key = "k", .v1 = engine::Api::lmi});
  CHECK_THAT(ask(engine, "/v1/chat/completions", chat("")).body, contains(R"("code":)"));
  engine::Engine open({.v1 = engine::Api::lmi});
  const auto bad = ask(open, "/v1/chat/completions", "{");
  CHECK_THAT(bad.body, contains(R"("type":)") && !contains(R"("error":{)"));
}

TEST_CASE("LMI's embeddings ignore dimensions and encoding_format") {
  const auto plain = ask(shared_engine(), "/invocations", R"({"inputs":"hello"})");
  CHECK(plain.head.status == 200);
  for (const auto* members :
       {R"("dimensions":0)", R"("dimensions":-1)", R"("dimensions":1)", R"("encoding_format":"base64")"}) {
    const auto answer =
        ask(shared_engine(), "/invocations", R"({"inputs":"hello",)" + std::string(members) + "}");
    CAPTURE(members);
    CHECK(answer.body == plain.body);
  }
}
