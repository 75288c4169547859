// AI21's mount: what AI21's documents say about Jamba.
#include "inferwire/engine/engine.hpp"
#include "shared_engine.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"
#include "support/shortest.hpp"

#include <nlohmann/json.hpp>

#include <chrono>

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

const std::string studio = "/studio/v1/chat/completions";

Answered ask_jamba(const std::string& members, const std::string& path = studio,
                   engine::Engine& engine = shared_engine()) {
  return ask(engine,
             {.url = "http://engine" + path,
              .headers = {{"content-type", "application/json"}, {"authorization", "Bearer k"}},
              .body = R"({"model":"jamba-1.5-mini","messages":[{"role":"user","content":"Rivers?"}])" +
                      (members.empty() ? "" : "," + members) + "}"});
}

}  // namespace

TEST_CASE("a Jamba answer has the documented members and no others") {
  const auto path = GENERATE(std::string("/studio/v1/chat/completions"), "/ai21/v1/chat/completions");
  const auto response = json::parse(ask_jamba(R"("max_tokens":8)", path).body);
  CHECK(response["id"].get<std::string>().starts_with("chat-"));
  CHECK(response["model"] == "jamba-1.5-mini");
  CHECK_FALSE(response.contains("object"));
  CHECK_FALSE(response.contains("created"));
  CHECK_FALSE(response.contains("system_fingerprint"));
  CHECK(response["choices"][0]["message"]["role"] == "assistant");
  CHECK(response["usage"]["completion_tokens"] <= 8);
}

TEST_CASE("a Jamba stream is the role alone, a token per chunk, and usage with the finish reason") {
  const auto events = ask_jamba(R"("max_tokens":8,"stream":true)").events();
  REQUIRE(events.size() > 3);
  CHECK(events.back() == "[DONE]");
  const auto first = json::parse(events.front());
  CHECK(first["choices"][0]["delta"] == json{{"role", "assistant"}});
  for (std::size_t i = 0; i + 1 < events.size(); ++i) {
    const auto chunk = json::parse(events[i]);
    const bool last = i + 2 == events.size();
    CHECK(chunk["id"] == first["id"]);
    CHECK(chunk.contains("usage") == last);
    CHECK(chunk["choices"][0]["finish_reason"].is_null() == !last);
    CHECK_FALSE(chunk.contains("object"));
    CHECK_FALSE(chunk.contains("model"));
  }
}

struct Refused {
  std::string members, param;
};
void check_refused(const Refused& bad) {
  INFO(bad.members);
  const auto answer = ask_jamba(bad.members);
  CHECK(answer.head.status == 400);
  CHECK(json::parse(answer.body)["error"]["param"] == bad.param);
}

TEST_CASE("Jamba refuses what its documents rule out") {
  const auto bad = GENERATE(values<Refused>({
      {R"("n":2,"temperature":0)", "n"},
      {R"("n":17)", "n"},
      {R"("n":2,"stream":true)", "n"},
      {R"("stream":true,"tools":[{"type":"function","function":{"name":"f","description":"d"}}])", "stream"},
      {R"("tools":[{"type":"function","function":{"name":"f"}}])", "tools[0].function.description"},
      {R"("tools":[{"type":"web","function":{"name":"f"}}])", "tools[0].type"},
      {R"("max_tokens":4097)", "max_tokens"},
      {R"("temperature":2.1)", "temperature"},
      {R"("top_p":1.1)", "top_p"},
      {R"("documents":[{"metadata":[]}])", "documents[0].content"},
      {R"("documents":[{"content":"a","metadata":5}])", "documents[0].metadata"},
      {R"("response_format":{"type":"json_schema"})", "response_format.type"},
  }));
  check_refused(bad);
}

TEST_CASE("Jamba holds parameters it does not document to the ranges of other providers") {
  const auto bad = GENERATE(values<Refused>({
      {R"("max_completion_tokens":-5)", "max_completion_tokens"},
      {R"("max_tokens":4,"max_completion_tokens":0)", "max_completion_tokens"},
      {R"("frequency_penalty":-1e300,"top_p":0.9)", "frequency_penalty"},
      {R"("presence_penalty":2.1)", "presence_penalty"},
      {R"("presence_penalty":"1")", "presence_penalty"},
      {R"("logprobs":true,"top_logprobs":21)", "top_logprobs"},
      {R"("logprobs":1,"top_logprobs":1)", "logprobs"},
  }));
  check_refused(bad);
  CHECK(ask_jamba(R"("max_tokens":4,"frequency_penalty":-2,"presence_penalty":2)").head.status == 200);
  CHECK(ask_jamba(R"("max_tokens":4,"top_logprobs":0,"stream_options":{})").head.status == 200);
  CHECK_THAT(ask_jamba(R"("tool_choice":true)").body,
             contains("Invalid type for 'tool_choice': expected a string or an object, but got a boolean"));
  CHECK_THAT(ask_jamba(R"("logit_bias":[1])").body,
             contains("Invalid type for 'logit_bias': expected an object, but got a list"));
}

TEST_CASE("a mount that does not document max_completion_tokens prefers max_tokens") {
  const auto path = GENERATE(std::string(studio), "/invocations");
  const auto answer = ask_jamba(R"("max_tokens":2,"max_completion_tokens":99999)", path);
  REQUIRE(answer.head.status == 200);
  CHECK(json::parse(answer.body)["usage"]["completion_tokens"] == 2);
}

TEST_CASE("'documents' that is no list of objects is refused at every mount") {
  const auto* const documents = GENERATE(R"("x")", "5", R"({"0":{"content":"x"}})", "[1]");
  INFO(documents);
  const auto answer =
      ask(shared_engine(), "/v1/chat/completions",
          R"({"model":"inferwire-toy","messages":[{"role":"user","content":"x"}],"documents":)" +
              std::string(documents) + "}");
  CHECK(answer.head.status == 400);
  CHECK_THAT(answer.body, contains("documents"));
}

TEST_CASE("a chat of tens of thousands of messages and documents is planned in linear time") {
  const auto many = [](std::string_view element) {
    std::string list;
    for (int i = 0; i < 20'000; ++i) (list += element) += ',';
    list.back() = ']';
    return "[" + list;
  };
  const auto body = R"({"model":"jamba-1.5-mini","max_tokens":1,"messages":)" +
                    many(R"({"role":"user","content":"x"})") + R"(,"documents":)" +
                    many(R"({"content":"a"})") + "}";
  const auto work =
      work_of([&] { CHECK(ask(shared_engine(), "/v1/chat/completions", body).head.status == 200); });
  CHECK(work < 4s);
}

TEST_CASE("max_tokens of 0 gives an empty answer with finish_reason length") {
  const auto whole = json::parse(ask_jamba(R"("max_tokens":0)").body);
  CHECK(whole["choices"][0]["message"]["content"] == "");
  CHECK(whole["choices"][0]["finish_reason"] == "length");
  CHECK(whole["usage"]["completion_tokens"] == 0);
  const auto events = ask_jamba(R"("max_tokens":0,"stream":true)").events();
  REQUIRE(events.size() == 3);
  CHECK(json::parse(events[1])["choices"][0]["finish_reason"] == "length");
}

TEST_CASE("top_p of 0 leaves only the likeliest token") {
  const auto text = [](const std::string& members) {
    return json::parse(ask_jamba(R"("max_tokens":12,)" + members).body)["choices"][0]["message"]["content"];
  };
  CHECK(text(R"("top_p":0,"temperature":2)") == text(R"("temperature":0)"));
}

TEST_CASE("documents are part of the prompt, whichever form their metadata has") {
  const auto tokens = [](const std::string& members) {
    return json::parse(ask_jamba(R"("max_tokens":1)" + members).body)["usage"]["prompt_tokens"].get<int>();
  };
  const auto without = tokens("");
  const auto with = tokens(R"(,"documents":[{"content":"The Nile flows north."}])");
  CHECK(with > without);
  CHECK(tokens(R"(,"documents":[{"content":"The Nile flows north.","metadata":[{"key":"a","value":"b"}]}])") >
        with);
  CHECK(tokens(R"(,"documents":[{"content":"The Nile flows north.","metadata":{"a":"b"}}])") > with);
}

TEST_CASE("Jamba refuses tool calls that are not followed by their results") {
  const std::string call =
      R"({"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]})";
  const auto ask_with = [&](const std::string& after) {
    return ask(shared_engine(),
               {.url = "http://engine" + studio,
                .headers = {{"authorization", "Bearer k"}},
                .body =
                    R"({"model":"jamba-1.5-mini","max_tokens":2,"messages":[{"role":"user","content":"x"},)" +
                    call + after + "]}"})
        .head.status;
  };
  CHECK(ask_with(R"(,{"role":"tool","tool_call_id":"c","content":"1"})") == 200);
  CHECK(ask_with(R"(,{"role":"user","content":"1"})") == 400);
  CHECK(ask_with("") == 400);
}

TEST_CASE("Jamba's mount wants a bearer token and serves AI21's models only") {
  const std::string body =
      R"({"model":"jamba-1.5-large","messages":[{"role":"user","content":"x"}],"max_tokens":1})";
  CHECK(ask(shared_engine(), studio, body).head.status == 401);
  const auto other = ask(shared_engine(), {.url = "http://e" + studio,
                                           .headers = {{"authorization", "Bearer k"}},
                                           .body = R"({"model":"inferwire-toy","messages":[]})"});
  CHECK(other.head.status == 404);
}

TEST_CASE("EngineOptions::v1 chooses the API of chats below /v1 alone, by default that of the model") {
  const auto jamba = json::parse(ask_jamba(R"("max_tokens":2)", "/v1/chat/completions").body);
  CHECK_FALSE(jamba.contains("object"));
  engine::Engine all_ai21({.v1 = engine::Api::ai21});
  const auto toy = [&all_ai21](const std::string& path) {
    return json::parse(
        ask(all_ai21, path,
            R"({"model":"inferwire-toy","max_tokens":2,"messages":[{"role":"user","content":"x"}]})")
            .body);
  };
  CHECK_FALSE(toy("/v1/chat/completions").contains("object"));
  CHECK(toy("/serving-endpoints/inferwire-toy/invocations")["object"] == "chat.completion");
  engine::Engine all_openai({.v1 = engine::Api::openai});
  CHECK(json::parse(ask_jamba(R"("max_tokens":2)", "/v1/chat/completions", all_openai).body)["object"] ==
        "chat.completion");
}

TEST_CASE("ai21_422 gives refusals in the form of AI21's live service") {
  engine::Engine engine({.ai21_422 = true});
  const auto answer = ask_jamba(R"("n":99)", studio, engine);
  CHECK(answer.head.status == 422);
  CHECK(json::parse(answer.body)["detail"][0]["loc"] == json{"body", "n"});
}

TEST_CASE("a conversation that fills the context window is refused, with max_tokens or without") {
  engine::Engine engine(
      {.endpoints = {{.name = "jamba-1.5-mini", .context_window = 2, .api = engine::Api::ai21}}});
  for (const auto* members : {"", R"("max_tokens":1)"}) {
    const auto answer = ask_jamba(members, studio, engine);
    CHECK(answer.head.status == 400);
    CHECK(json::parse(answer.body)["error"]["code"] == "context_length_exceeded");
  }
}
