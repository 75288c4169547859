// The deadline of an engine: what happens to an answer that takes longer.
#include "inferwire/engine/engine.hpp"
#include "scripted_engine.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <string>
#include <utility>

using namespace inferwire;
using namespace inferwire_test;
using Document = nlohmann::json;

TEST_CASE("an answer beyond EngineOptions::deadline is an error in its provider's form") {
  engine::Engine engine(
      {.pacing = {.first_token = Duration(100), .per_token = std::chrono::milliseconds(100)},
       .deadline = Duration(450)});
  const std::string long_chat = chat_body("x", R"("max_tokens":50,"ignore_eos":true)");
  const auto whole = ask(engine, chats, long_chat);
  CHECK(whole.head.status == 504);
  CHECK(whole.waited == Duration(450));
  CHECK(Document::parse(whole.body)["error"]["code"] == "timeout");
  const auto streamed =
      ask(engine, chats, chat_body("x", R"("max_tokens":50,"ignore_eos":true,"stream":true)"));
  CHECK(streamed.head.status == 200);
  const auto events = streamed.events();
  CHECK(Document::parse(events.back()).contains("error"));
  CHECK(events.size() > 3);
  CHECK(ask(engine, chats, chat_body("x", R"("max_tokens":2)")).head.status == 200);

  const std::string completions = "/serving-endpoints/databricks-mpt-7b-instruct/invocations";
  const auto refused = ask(engine, completions, R"({"prompt":"The river","max_tokens":50})");
  CHECK(refused.head.status == 504);
  CHECK(Document::parse(refused.body)["error_code"] == "DEADLINE_EXCEEDED");
  const auto cut = Document::parse(
      ask(engine, completions, R"({"prompt":"The river","max_tokens":50,"error_behavior":"truncate"})").body);
  CHECK(cut["choices"][0]["finish_reason"] == "length");
  CHECK(cut["usage"]["completion_tokens"] == 4);
}

TEST_CASE("a deadline beyond the end of the clock is none") {
  engine::Engine engine({.deadline = Duration::max()});
  CHECK(ask(engine, chats, chat_body("x")).head.status == 200);
  const std::string completions = "/serving-endpoints/databricks-mpt-7b-instruct/invocations";
  for (const auto* const behavior : {"error", "truncate"}) {
    const auto answer =
        ask(engine, completions,
            R"({"prompt":"The river","max_tokens":5,"error_behavior":")" + std::string(behavior) + "\"}");
    CHECK(answer.head.status == 200);
    CHECK(Document::parse(answer.body)["usage"]["completion_tokens"] == 5);
  }
}

TEST_CASE("a deadline after the last piece of a stream leaves it whole") {
  using Kind = engine::Step::Kind;
  engine::Engine engine({.deadline = Duration(1'000)});
  for (const auto& [path, last] : {std::pair{chats.c_str(), "[DONE]"},
                                   {chats.c_str(), R"("finish_reason":"length")"},
                                   {"/lmi/v1/chat/completions", R"("finish_reason":"length")"}}) {
    INFO(path << " " << last);
    TimePoint now{};
    const auto generation = engine.start({.method = "POST",
                                          .url = "http://engine" + std::string(path),
                                          .headers = {{"content-type", "application/json"}},
                                          .body = chat_body("x", R"("max_tokens":3,"stream":true)")},
                                         now);
    std::string body;
    for (auto step = generation->step(now); step.kind != Kind::done; step = generation->step(now)) {
      REQUIRE(step.kind == Kind::bytes);
      body += step.bytes;
      if (body.find(last) != body.npos) now = TimePoint{} + Duration(2'000);
    }
    CHECK_THAT(body, !contains("error"));
    CHECK_THAT(body, contains(path == chats ? "data: [DONE]" : R"("finish_reason":"length")"));
  }
}

TEST_CASE("a response whose last token is due at the deadline is whole") {
  using Kind = engine::Step::Kind;
  engine::Engine engine(
      {.pacing = {.first_token = Duration(100), .per_token = Duration(100)}, .deadline = Duration(1'600)});
  TimePoint now{};
  const auto generation = engine.start(
      {.method = "POST",
       .url = "http://engine/v1/responses",
       .headers = {{"content-type", "application/json"}},
       .body =
           R"({"model":"inferwire-toy","input":"Tell me about rivers.","max_output_tokens":16,"stream":true})"},
      now);
  std::string body;
  for (auto step = generation->step(now); step.kind != Kind::done; step = generation->step(now)) {
    if (step.kind == Kind::wait) now = step.until;
    body += step.bytes;
  }
  CHECK(now == TimePoint{} + Duration(1'600));
  CHECK_THAT(body, contains("event: response.incomplete"));
  CHECK_THAT(body, !contains("event: error"));
}

TEST_CASE("a stream that goes on after its deadline ends with the error") {
  using Kind = engine::Step::Kind;
  engine::Engine engine({.pacing = {.per_token = Duration(100)}, .deadline = Duration(1'000)});
  TimePoint now{};
  const auto generation = engine.start({.method = "POST",
                                        .url = "http://engine" + chats,
                                        .headers = {{"content-type", "application/json"}},
                                        .body = chat_body("x", R"("max_tokens":500,"stream":true)")},
                                       now);
  for (int i = 0; i < 3; ++i) generation->step(now);
  now += std::chrono::hours(1);
  const auto last = generation->step(now);
  REQUIRE(last.kind == Kind::bytes);
  CHECK_THAT(std::string(last.bytes), contains("error"));
  CHECK_THAT(std::string(last.bytes), !contains("[DONE]"));
  CHECK(generation->step(now).kind == Kind::done);
}

TEST_CASE("the deadline gives SageMaker's own error, whole or in frames") {
  engine::Engine engine(
      {.pacing = {.first_token = Duration(100), .per_token = std::chrono::milliseconds(100)},
       .deadline = Duration(450)});
  const std::string path = "/endpoints/inferwire-toy/invocations";
  const auto body = chat_body("x", R"("max_tokens":50,"ignore_eos":true)");
  const auto whole = ask(engine, path, body);
  CHECK(whole.head.status == 424);
  CHECK(find_header(whole.head.headers, "x-amzn-errortype") == "ModelError");
  CHECK(Document::parse(whole.body)["OriginalStatusCode"] == 504);
  const auto framed = ask(engine, path + "-response-stream", body);
  CHECK_THAT(framed.body, contains("ModelInvocationTimeExceeded"));
  CHECK(ask(engine, path, chat_body("x", R"("max_tokens":2)")).head.status == 200);
}

TEST_CASE("error_behavior truncate prevents the deadline's error for completions only") {
  engine::Engine engine(
      {.pacing = {.first_token = Duration(100), .per_token = std::chrono::milliseconds(100)},
       .deadline = Duration(450)});
  const auto asked = [&](const char* path, const std::string& members) {
    return ask(engine, path, R"({"error_behavior":"truncate",)" + members + "}").head.status;
  };
  CHECK(asked("/v1/responses", R"("model":"inferwire-toy","input":"Tell me about the weather.")") == 504);
  CHECK(asked("/v1/embeddings", R"("model":"inferwire-embed","input":["a","b"])") == 200);
  engine::Engine late({.pacing = {.first_token = Duration(100)}, .deadline = Duration(50)});
  CHECK(ask(late, "/v1/embeddings", R"({"error_behavior":"truncate","model":"inferwire-embed","input":"a"})")
            .head.status == 504);
}
