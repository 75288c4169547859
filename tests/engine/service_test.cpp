// The engine as its clients see it: HTTP requests in, HTTP answers out.
#include "inferwire/engine/engine.hpp"
#include "shared_engine.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"
#include "wrapped_model.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>
#include <set>
#include <utility>

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;

namespace {

const std::string llama = "/serving-endpoints/databricks-meta-llama-3-3-70b-instruct/invocations";
const std::string preview = "/serving-endpoints/databricks-llama-2-70b-chat/invocations";
const std::string provisioned = "/serving-endpoints/pt-chat/invocations";
const std::string openai = "/v1/chat/completions";

/// The body of a chat request. The path or `members` name the model.
std::string body(const std::string& members = "", const std::string& prompt = "Tell me about the weather.") {
  return json{{"messages", json::array({{{"role", "user"}, {"content", prompt}}})}}
      .dump()
      .substr(1, std::string::npos)
      .insert(0, std::string("{") + (members.empty() ? "" : members + ","));
}
std::string toy(const std::string& members = "") {
  return body(R"("model":"inferwire-toy")" + std::string(members.empty() ? "" : ",") + members);
}

std::string text_of(const json& response, std::size_t choice = 0) {
  return response["choices"][choice]["message"]["content"];
}

std::string seventeen_pairs() {
  json pairs;
  for (int i = 0; i < 17; ++i) pairs[std::to_string(i)] = "a";
  return pairs.dump();
}

}  // namespace

TEST_CASE("a chat completion has everything that the documents name") {
  const auto answer = ask(shared_engine(), llama, body(R"("max_tokens":16)"));
  CHECK(answer.head.status == 200);
  CHECK(find_header(answer.head.headers, "content-type") == "application/json");
  CHECK(find_header(answer.head.headers, "x-request-id"));
  const auto response = parsed(answer);
  CHECK(response["id"].get<std::string>().starts_with("chatcmpl-"));
  CHECK(response["object"] == "chat.completion");
  CHECK(response["created"] == 1'700'000'000);
  CHECK(response["model"] == "meta-llama-3.3-70b-instruct-121024");
  REQUIRE(response["choices"].size() == 1);
  CHECK(response["choices"][0]["index"] == 0);
  CHECK(response["choices"][0]["message"]["role"] == "assistant");
  CHECK_FALSE(text_of(response).empty());
  const auto usage = response["usage"];
  CHECK(usage["completion_tokens"] > 0);
  CHECK(usage["completion_tokens"] <= 16);
  CHECK(usage["total_tokens"] == usage["prompt_tokens"].get<int>() + usage["completion_tokens"].get<int>());
}

TEST_CASE("an answer that reaches max_tokens says so and has as many") {
  const auto response = parsed(ask(shared_engine(), openai, toy(R"("max_tokens":3,"ignore_eos":true)")));
  CHECK(response["choices"][0]["finish_reason"] == "length");
  CHECK(response["usage"]["completion_tokens"] == 3);
}

TEST_CASE("an answer without max_tokens ends by itself") {
  for (const int seed : {1, 2, 3, 4, 5}) {
    const auto response = parsed(ask(shared_engine(), openai, toy(R"("seed":)" + std::to_string(seed))));
    CHECK(response["choices"][0]["finish_reason"] == "stop");
    CHECK(response["usage"]["completion_tokens"] < 2000);
  }
}

TEST_CASE("the same engine seed gives the same bytes, every request an id of its own") {
  engine::Engine one({.created = 1}), two({.created = 1});
  std::set<std::string> ids;
  std::string first_text;
  for (int i = 0; i < 5; ++i) {
    const auto a = ask(one, openai, toy());
    CHECK(a.body == ask(two, openai, toy()).body);
    CHECK(ids.insert(parsed(a)["id"]).second);
    if (i == 0) first_text = text_of(parsed(a));
    CHECK(text_of(parsed(a)) == first_text);
  }
}

TEST_CASE("a seed repeats an answer and another one gives another") {
  const auto with_seed = [](int seed) {
    return text_of(
        parsed(ask(shared_engine(), openai, toy(R"("max_tokens":40,"seed":)" + std::to_string(seed)))));
  };
  CHECK(with_seed(7) == with_seed(7));
  CHECK(with_seed(7) != with_seed(8));
}

TEST_CASE("temperature 0 and top_k 1 do not depend on the seed") {
  const auto fixed = GENERATE(std::string(R"("temperature":0)"), R"("top_k":1,"temperature":2)");
  const auto with_seed = [&](int seed) {
    return text_of(parsed(
        ask(shared_engine(), openai, toy(fixed + R"(,"max_tokens":30,"seed":)" + std::to_string(seed)))));
  };
  CHECK(with_seed(1) == with_seed(2));
}

TEST_CASE("a stream is role, text, finish and the end mark, under one id") {
  const auto answer = ask(shared_engine(), openai, toy(R"("stream":true,"max_tokens":20)"));
  CHECK(answer.head.status == 200);
  CHECK(answer.streamed);
  CHECK(find_header(answer.head.headers, "content-type") == "text/event-stream");
  const auto events = answer.events();
  REQUIRE(events.size() > 3);
  CHECK(events.back() == "[DONE]");
  const auto first = json::parse(events.front());
  CHECK(first["choices"][0]["delta"]["role"] == "assistant");
  for (std::size_t i = 0; i + 1 < events.size(); ++i) {
    const auto chunk = json::parse(events[i]);
    CHECK(chunk["object"] == "chat.completion.chunk");
    CHECK(chunk["id"] == first["id"]);
    CHECK(chunk["created"] == first["created"]);
    CHECK(chunk["model"] == "inferwire-toy-1");
    CHECK_FALSE(chunk.contains("usage"));
    CHECK(chunk["choices"][0]["delta"].contains("role") == (i == 0));
    CHECK(chunk["choices"][0]["finish_reason"].is_null() == (i + 2 < events.size()));
  }
}

TEST_CASE("streamed pieces join to the text of the whole answer") {
  const auto members =
      GENERATE(std::string(R"("max_tokens":200,"seed":3)"), R"("seed":4,"stop":["e","the "])",
               R"("seed":5,"temperature":2,"max_tokens":300)", R"("seed":6,"stop":". ","logprobs":true)");
  const auto whole = parsed(ask(shared_engine(), openai, toy(members)));
  const auto answer = ask(shared_engine(), openai, toy(members + R"(,"stream":true)"));
  CHECK(streamed_text(answer) == text_of(whole));
  const auto events = answer.events();
  CHECK(json::parse(events[events.size() - 2])["choices"][0]["finish_reason"] ==
        whole["choices"][0]["finish_reason"]);
}

TEST_CASE("a stop string across tokens ends the text before it, and its tokens are counted") {
  const auto members = std::string(R"("max_tokens":60,"temperature":0)");
  const auto full = parsed(ask(shared_engine(), openai, toy(members)));
  const auto text = text_of(full);
  REQUIRE(text.size() > 12);
  const auto stop = text.substr(text.size() / 2, 5);
  const auto cut = parsed(ask(shared_engine(), openai, toy(members + R"(,"stop":)" + json(stop).dump())));
  CHECK(text_of(cut) == text.substr(0, text.find(stop)));
  CHECK(cut["choices"][0]["finish_reason"] == "stop");
  CHECK(cut["usage"]["completion_tokens"] <= full["usage"]["completion_tokens"]);
  CHECK(cut["usage"]["completion_tokens"] > 0);
}

TEST_CASE("the first of several choices is the one that comes alone, and the prompt is counted once") {
  const auto one = parsed(ask(shared_engine(), openai, toy(R"("max_tokens":20,"seed":9)")));
  const auto three = parsed(ask(shared_engine(), openai, toy(R"("max_tokens":20,"seed":9,"n":3)")));
  REQUIRE(three["choices"].size() == 3);
  CHECK(text_of(three, 0) == text_of(one));
  CHECK(text_of(three, 1) != text_of(three, 0));
  CHECK(three["usage"]["prompt_tokens"] == one["usage"]["prompt_tokens"]);
  CHECK(three["usage"]["completion_tokens"] >= one["usage"]["completion_tokens"]);

  const auto streamed = ask(shared_engine(), openai, toy(R"("max_tokens":20,"seed":9,"n":3,"stream":true)"));
  for (int i = 0; i < 3; ++i)
    CHECK(streamed_text(streamed, i) == text_of(three, static_cast<std::size_t>(i)));
}

TEST_CASE("several choices on Databricks are for provisioned throughput") {
  CHECK(parsed(ask(shared_engine(), provisioned, body(R"("n":2,"max_tokens":5)")))["choices"].size() == 2);
  CHECK(ask(shared_engine(), llama, body(R"("n":1,"max_tokens":5)")).head.status == 200);
  const auto refused = ask(shared_engine(), llama, body(R"("n":2)"));
  CHECK(refused.head.status == 400);
  CHECK_THAT(refused.body, contains("'n' is only available for provisioned throughput endpoints"));
}

TEST_CASE("the template and the system prompt are counted in the prompt") {
  const auto count = [](const std::string& path, const std::string& messages) {
    return parsed(ask(shared_engine(), path,
                      R"({"max_tokens":1,"messages":)" + messages + "}"))["usage"]["prompt_tokens"]
        .get<int>();
  };
  const std::string user = R"({"role":"user","content":"hi"})";
  const int with_default = count(llama, "[" + user + "]");
  const int without = count(provisioned, "[" + user + "]");
  const int with_short = count(llama, R"([{"role":"system","content":"x"},)" + user + "]");
  CHECK(without > 1);
  CHECK(with_default > with_short);
  CHECK(with_short > without);
}

TEST_CASE("usage of a stream comes") {
  const auto chunks = [](const std::string& path, const std::string& request) {
    std::vector<json> out;
    for (const auto& event : ask(shared_engine(), path, request).events()) {
      if (event != "[DONE]") out.push_back(json::parse(event));
    }
    return out;
  };
  SECTION("in every chunk on Databricks' Llama and Claude, as a running total") {
    const auto path =
        GENERATE(as<std::string>(), llama, "/serving-endpoints/databricks-claude-sonnet-4/invocations");
    int last = -1;
    for (const auto& chunk : chunks(path, body(R"("stream":true,"max_tokens":5)"))) {
      REQUIRE(chunk.contains("usage"));
      CHECK(chunk["usage"]["completion_tokens"] >= last);
      last = chunk["usage"]["completion_tokens"];
    }
    CHECK(last > 0);
  }
  SECTION("on the finish chunk in the preview era") {
    const auto all = chunks(preview, body(R"("stream":true,"max_tokens":5)"));
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i].contains("usage") == (i + 1 == all.size()));
    CHECK(all.back()["choices"][0]["finish_reason"].is_string());
  }
  SECTION("in a last chunk without choices when it was asked for") {
    const auto all =
        chunks(openai, toy(R"("stream":true,"max_tokens":5,"stream_options":{"include_usage":true})"));
    for (std::size_t i = 0; i + 1 < all.size(); ++i) CHECK(all[i]["usage"].is_null());
    CHECK(all.back()["choices"].empty());
    CHECK(all.back()["usage"]["total_tokens"] > 0);
  }
  SECTION("in every chunk below /v1 when continuous_usage_stats was asked for") {
    const auto options = R"("stream":true,"max_tokens":5,"stream_options":{"continuous_usage_stats":true})";
    for (const auto& chunk : chunks(openai, toy(options))) {
      REQUIRE(chunk.value("usage", json()).is_object());
      CHECK(chunk.at("usage").at("prompt_tokens") > 0);
    }
  }
}

TEST_CASE("logprobs are the model's distribution, one entry for each token") {
  const auto response = parsed(ask(
      shared_engine(), openai, toy(R"("max_tokens":12,"logprobs":true,"top_logprobs":4,"temperature":0)")));
  const auto content = response["choices"][0]["logprobs"]["content"];
  CHECK(content.size() == response["usage"]["completion_tokens"]);
  std::string text;
  for (const auto& entry : content) {
    CHECK(entry["logprob"] <= 0.0);
    REQUIRE(entry["top_logprobs"].size() == 4);
    CHECK(entry["top_logprobs"][0]["token"] == entry["token"]);  // greedy choice takes the likeliest
    double sum = 0;
    double before = 0;
    for (const auto& top : entry["top_logprobs"]) {
      CHECK(top["logprob"].get<double>() <= before);
      before = top["logprob"];
      sum += std::exp(before);
    }
    CHECK(sum <= 1.00001);
    for (const int byte : entry["bytes"]) text += static_cast<char>(byte);
  }
  CHECK(text == text_of(response));
}

TEST_CASE("logit_bias of -100 bans a token") {
  const auto members = std::string(R"("max_tokens":1,"temperature":0,"logprobs":true)");
  const auto first = parsed(ask(shared_engine(), openai, toy(members)));
  const auto id = first["choices"][0]["logprobs"]["content"][0]["id"].get<int>();
  const auto other = parsed(
      ask(shared_engine(), openai, toy(members + R"(,"logit_bias":{")" + std::to_string(id) + R"(":-100})")));
  CHECK(other["choices"][0]["logprobs"]["content"][0]["id"] != id);
}

TEST_CASE("the pace of an answer is kept, streamed or not") {
  engine::Engine engine({.pacing = {.first_token = Duration(500), .per_token = Duration(10)}});
  for (const std::string stream : {"true", "false"}) {
    const auto answer = ask(engine, openai, toy(R"("max_tokens":11,"ignore_eos":true,"stream":)" + stream));
    CHECK(answer.waited == Duration(600));
    const auto empty =
        ask(engine, "/v1/completions",
            R"({"model":"inferwire-toy","prompt":"x","max_tokens":0,"stream":)" + stream + "}");
    CHECK(empty.waited == Duration(500));
  }
}

TEST_CASE("an unknown model is refused in its provider's form") {
  const auto unknown = ask(shared_engine(), openai, body(R"("model":"gpt-99")"));
  CHECK(unknown.head.status == 404);
  CHECK(parsed(unknown)["error"]["code"] == "model_not_found");
  CHECK(parsed(unknown)["error"]["param"] == "model");
  const auto databricks = ask(shared_engine(), "/serving-endpoints/nobody/invocations", body());
  CHECK(databricks.head.status == 404);
  CHECK(parsed(databricks)["error_code"] == "ENDPOINT_NOT_FOUND");
  CHECK(
      ask(shared_engine(), "/serving-endpoints/chat/completions", body(R"("model":"nobody")")).head.status ==
      404);
  CHECK(parsed(ask(shared_engine(), openai, body()))["error"]["code"] == "missing_required_parameter");
  CHECK(parsed(ask(shared_engine(), openai, body(R"("model":5)")))["error"]["code"] == "invalid_type");
}

TEST_CASE("invalid requests are refused with status, parameter and form") {
  struct Case {
    std::string path, request;
    int status;
    std::string says;
  };
  const auto bad = GENERATE(values<Case>({
      {"/v1/nothing", "{}", 404, R"("code":"unknown_url")"},
      {"/serving-endpoints/nothing", "{}", 404,
       R"("error_code":"ENDPOINT_NOT_FOUND","message":"No API found for 'POST )"},
      {"/v1/responses/compact", "{}", 404, "No API found for 'POST /v1/responses/compact'"},
      {openai, "{", 400, R"("code":"invalid_json")"},
      {llama, "[]", 400, R"({"error_code":"BAD_REQUEST","message":"The request body is not valid JSON)"},
      {openai, toy(R"("temperature":3)"), 400, R"("param":"temperature","code":"invalid_value")"},
      {llama, body(R"("temperature":3)"), 400,
       R"({"error_code":"INVALID_PARAMETER_VALUE","message":"Invalid value for 'temperature')"},
      {llama, body(R"("seed":1)"), 400,
       R"({"error_code":"BAD_REQUEST","message":"Bad request: json: unknown field \"seed\""})"},
      {llama, body(R"("stream_options":{})"), 400, R"(unknown field \"stream_options\")"},
      {preview, body(R"("n":1)"), 400, R"(unknown field \"n\")"},
      {preview, R"({"messages":[{"role":"tool","content":"x"}]})", 400, "'messages[0].role'"},
      {openai, toy(R"("stream_options":{"include_usage":true})"), 400, R"("param":"stream_options")"},
      {openai, toy(R"("top_logprobs":2)"), 400, R"("param":"top_logprobs")"},
      {openai, toy(R"("logprobs":false,"top_logprobs":2)"), 400, R"("param":"top_logprobs")"},
      {openai, toy(R"("max_tokens":5,"max_completion_tokens":5)"), 400, R"("param":"max_completion_tokens")"},
      {openai, toy(R"("logit_bias":{"x":1})"), 400, R"("param":"logit_bias")"},
      {openai, toy(R"("logit_bias":{"99999999":1})"), 400, R"("param":"logit_bias")"},
      {openai, toy(R"("logit_bias":{"1":101})"), 400, R"("param":"logit_bias.1")"},
      {openai, toy(R"("tool_choice":"required")"), 400, R"("param":"tool_choice")"},
      {openai, toy(R"("tool_choice":"maybe")"), 400, R"("param":"tool_choice")"},
      {openai,
       toy(R"("tool_choice":{"type":"function","function":{"name":"g"}},"tools":[{"type":"function","function":{"name":"f"}}])"),
       400, R"("param":"tool_choice.function.name")"},
      {openai, toy(R"("response_format":{"type":"json_schema"})"), 400,
       R"("param":"response_format.json_schema")"},
      {openai, toy(R"("tools":[{"type":"function","function":{"name":"f","parameters":{"type":"array"}}}])"),
       400, R"("param":"tools[0].function.parameters","code":"invalid_function_parameters")"},
      {openai,
       toy(R"("response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"float"}}})"),
       400, R"("param":"response_format","code":"invalid_json_schema")"},
      {openai, toy(R"("reasoning_effort":"low")"), 400,
       R"("param":"reasoning_effort","code":"unsupported_parameter")"},
      {llama, body(R"("thinking":{"type":"enabled"})"), 400,
       "'thinking' is only accepted by models that think on request"},
      {llama, body(R"("extra_params":{"a":1})"), 400, "'extra_params' is not supported"},
      {openai, toy(R"("metadata":{"a":1})"), 400, R"("param":"metadata.a")"},
      {openai, toy(R"("metadata":)" + seventeen_pairs()), 400, "at most 16 pairs are supported, but got 17"},
      {openai, toy(R"("max_tokens":32768)"), 400, R"("param":"messages","code":"context_length_exceeded")"},
      {openai, toy(R"("max_tokens":9223372036854775807)"), 400, "maximum context length is 32768 tokens"},
      {openai, toy(R"("n":128,"logprobs":true,"top_logprobs":20,"max_tokens":2000)"), 400,
       R"("param":"max_tokens")"},
      {openai, toy(R"("n":128,"logprobs":true,"top_logprobs":20,"max_completion_tokens":2000)"), 400,
       R"("param":"max_completion_tokens")"},
      {preview, body(R"("max_tokens":4096)"), 400,
       "maximum context length is 4096 tokens, however the request needs"},
      {preview, body("", std::string(40'000, 'x')), 400, "maximum context length is 4096"},
  }));
  INFO(bad.path << " " << bad.request.substr(0, 300));
  const auto answer = ask(shared_engine(), bad.path, bad.request);
  CHECK(answer.head.status == bad.status);
  CHECK_FALSE(answer.streamed);
  CHECK(find_header(answer.head.headers, "content-type") == "application/json");
  CHECK_THAT(answer.body, contains(bad.says));
}

TEST_CASE("modalities, audio and web_search_options are refused") {
  for (const auto& [members, name] : {std::pair(R"("modalities":["text","audio"])", "modalities"),
                                      {R"("audio":{"voice":"coral","format":"wav"})", "audio"},
                                      {R"("web_search_options":{})", "web_search_options"}}) {
    const auto answer = ask(shared_engine(), openai, toy(members));
    CHECK(answer.head.status == 400);
    CHECK(parsed(answer)["error"]["param"] == name);
  }
  CHECK(ask(shared_engine(), openai, toy(R"("modalities":["text"],"max_tokens":1)")).head.status == 200);
}

TEST_CASE("null, empty and default values are taken") {
  const auto members = GENERATE(
      std::string(R"("tools":null)"), R"("tools":[])", R"("tool_choice":"none")", R"("tool_choice":"auto")",
      R"("response_format":{"type":"text"})", R"("stop":null)", R"("stop":[])", R"("stream":false)",
      R"("user":"u")", R"("metadata":{"a":"b"})", R"("nobody_knows":1)", R"("max_completion_tokens":2)");
  INFO(members);
  const auto answer = ask(shared_engine(), openai, toy(members));
  INFO(answer.body);
  CHECK(answer.head.status == 200);
}

TEST_CASE("more than 1,000 stop strings are refused where no document sets a limit") {
  const auto with = [](int stops) {
    return R"("max_tokens":2,"stop":)" +
           json(std::vector<std::string>(static_cast<std::size_t>(stops), "~~")).dump();
  };
  const std::string lmi = "/lmi/v1/chat/completions";
  CHECK(ask(shared_engine(), lmi, toy(R"("n":3,)" + with(1'000))).head.status == 200);
  for (const auto& [path, request] :
       {std::pair(lmi, toy(with(1'025))),
        std::pair(std::string("/serving-endpoints/databricks-mpt-7b-instruct/invocations"),
                  R"({"prompt":"x",)" + with(1'025) + "}")}) {
    const auto answer = ask(shared_engine(), path, request);
    CHECK(answer.head.status == 400);
    CHECK_THAT(answer.body, contains("'stop': at most 1024 strings are supported, but got 1025"));
  }
}

TEST_CASE("a request is checked for route, method, key, media type, size, then JSON") {
  engine::Engine engine({.api_key = Secret("k"), .max_request_bytes = 10});
  HttpRequest request{.method = "GET",
                      .url = "http://e/v1/chat",
                      .headers = {{"content-type", "text/plain"}},
                      .body = "{not json, and long}"};
  CHECK(ask(engine, request).head.status == 404);
  request.url = "http://e/v1/chat/completions";
  const auto wrong_method = ask(engine, request);
  CHECK(wrong_method.head.status == 405);
  CHECK(find_header(wrong_method.head.headers, "allow") == "POST");
  request.method = "POST";
  const auto no_key = ask(engine, request);
  CHECK(no_key.head.status == 401);
  CHECK(find_header(no_key.head.headers, "www-authenticate"));
  request.headers.push_back({"authorization", "Bearer k"});
  CHECK(ask(engine, request).head.status == 415);
  request.headers[0].value = "application/json";
  CHECK(ask(engine, request).head.status == 413);
  request.body = "{not";
  CHECK(ask(engine, request).head.status == 400);
}

TEST_CASE("max_request_bytes is the provider's by default") {
  constexpr std::size_t mib = 1U << 20;
  const std::string sagemaker = "/endpoints/inferwire-toy/invocations";
  const std::pair<std::string, std::size_t> longest[] = {
      {llama, 4 * mib}, {sagemaker, 6 * mib}, {"/invocations", 64 * mib}, {openai, 64 * mib}};
  engine::Engine engine;
  CHECK(engine.max_request_bytes() == 64 * mib);
  for (const auto& [path, most] : longest) {
    INFO(path);
    std::string blanks(most, ' ');  // not a document, but not too long
    CHECK_THAT(ask(engine, path, blanks).body, contains("it is empty"));
    const auto refused = ask(engine, path, blanks += ' ');
    CHECK(refused.head.status == 413);
    CHECK_THAT(refused.body, contains(std::to_string(most)));
  }
  engine::Engine limited({.max_request_bytes = 5 * mib});
  CHECK(limited.max_request_bytes() == 5 * mib);
  for (const auto& [path, most] : longest) {
    INFO(path);
    std::string blanks(5 * mib, ' ');
    CHECK_THAT(ask(limited, path, blanks).body, contains("it is empty"));
    CHECK(ask(limited, path, blanks += ' ').head.status == 413);
  }
}

TEST_CASE("a wrong key is not repeated in the error") {
  engine::Engine engine({.api_key = Secret("right")});
  for (const std::string url : {"http://e/v1/models", "http://e/serving-endpoints/pt-chat/invocations"}) {
    const auto answer = ask(engine, {.method = url.ends_with("s/pt-chat/invocations") ? "POST" : "GET",
                                     .url = url,
                                     .headers = {{"Authorization", "Bearer w-r-o-n-g"}}});
    CHECK(answer.head.status == (url.ends_with("s/pt-chat/invocations") ? 403 : 401));
    CHECK(answer.body.find("w-r-o-n-g") == std::string::npos);
    CHECK(answer.body.find("right") == std::string::npos);
  }
}

TEST_CASE("models are listed and found") {
  const auto list = parsed(ask(shared_engine(), {.method = "GET", .url = "http://e/v1/models"}));
  CHECK(list["object"] == "list");
  CHECK(list["data"].size() == shared_engine().endpoint_names().size());
  const auto one = parsed(ask(shared_engine(), {.method = "GET", .url = "http://e/v1/models/inferwire-toy"}));
  CHECK(one["id"] == "inferwire-toy");
  CHECK(one["object"] == "model");
  CHECK(ask(shared_engine(), {.method = "GET", .url = "http://e/v1/models/none"}).head.status == 404);
  CHECK(ask(shared_engine(), {.method = "GET", .url = "http://e/health"}).head.status == 200);
}

TEST_CASE("EngineOptions::endpoints replace bundled ones of the same name") {
  engine::Engine engine(
      {.endpoints = {{.name = "inferwire-toy", .served_model = "mine", .context_window = 64},
                     {.name = "other", .served_model = ""}}});
  CHECK(parsed(ask(engine, openai, toy(R"("max_tokens":2)")))["model"] == "mine");
  CHECK(parsed(ask(engine, openai, body(R"("model":"other","max_tokens":2)")))["model"] == "other");
  CHECK(engine.endpoint_names().back() == "other");
}

TEST_CASE("the path /.well-known/databricks-config is answered without a key") {
  engine::Engine engine({.api_key = Secret("sekret")});
  const auto answer = ask(engine, {.method = "GET", .url = "http://e/.well-known/databricks-config"});
  CHECK(answer.head.status == 200);
  CHECK(parsed(answer)["workspace_id"].is_string());
}

TEST_CASE("bundled_endpoints() may be offered under another name") {
  auto copy = engine::bundled_endpoints().back();
  REQUIRE(copy.name == "inferwire-embed");
  copy.name = "text-embedding-3-small";
  engine::Engine engine({.endpoints = {copy}});
  CHECK(engine.endpoint_names().back() == copy.name);
  const auto embed = [&](const std::string& model) {
    return ask(engine, "/v1/embeddings", R"({"model":")" + model + R"(","input":"rivers"})").body;
  };
  CHECK(embed(copy.name) == embed("inferwire-embed"));
}

TEST_CASE("role developer, name and content parts are taken where the provider has them") {
  CHECK(ask(shared_engine(), openai,
            R"({"model":"inferwire-toy","max_tokens":2,"messages":[{"role":"developer","content":"x"},
    {"role":"user","name":"ann","content":[{"type":"text","text":"hi"}]}]})")
            .head.status == 200);
  CHECK(ask(shared_engine(), llama,
            R"({"max_tokens":2,"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[
    {"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"42"}]})")
            .head.status == 200);
}

TEST_CASE("file, input_audio and refusal parts are taken") {
  const auto tokens = [](const std::string& messages) {
    const auto request = R"({"model":"inferwire-toy","max_tokens":2,"messages":[)" + messages + "]}";
    return good(ask(shared_engine(), openai, request))["usage"]["prompt_tokens"].get<int>();
  };
  const auto part = [&](const std::string& one) {
    return tokens(R"({"role":"user","content":[{"type":"text","text":"See "},)" + one + "]}");
  };
  const auto file = [&](const std::string& members) {
    return part(R"({"type":"file","file":{)" + members + "}}");
  };
  const auto said = [&](const std::string& text) {
    return tokens(R"({"role":"user","content":")" + text + R"("})");
  };
  CHECK(file(R"("file_id":"f-1")") == said("See [file f-1]"));
  CHECK(file(R"("filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA")") ==
        said("See [file a.pdf]"));
  CHECK(file(R"("filename":"a.txt","file_data":"data:text/plain;base64,cml2ZXJz")") ==
        said(R"(See [file a.txt]\nrivers)"));
  CHECK(part(R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}})") ==
        said("See [audio]"));
  const std::string user = R"({"role":"user","content":"x"},)";
  CHECK(tokens(user + R"({"role":"assistant","content":null,"refusal":"I will not."},)" + user +
               R"({"role":"user","content":"y"})") ==
        tokens(user + R"({"role":"assistant","content":"I will not."},)" + user +
               R"({"role":"user","content":"y"})"));
}

TEST_CASE("a body that is nested too deep is refused at every path") {
  const auto nested = [](int levels) {
    return R"("x":)" + std::string(static_cast<std::size_t>(levels), '[') +
           std::string(static_cast<std::size_t>(levels), ']') + "}";
  };
  engine::Engine directed({.script = {.rules = {{.when = {.last_user_contains = "nothing says this"}}}}});
  for (auto* engine : {&shared_engine(), &directed}) {
    for (const auto* path : {"/invocations", "/v1/embeddings", "/v1/chat/completions", "/v1/responses",
                             "/api/2.0/serving-endpoints"}) {
      const auto answer =
          ask(*engine, path, R"({"model":"inferwire-toy","inputs":"a","input":"a",)" + nested(200'000));
      CHECK(answer.head.status == 400);
      CHECK_THAT(answer.body, contains("nested deeper than 256 levels"));
    }
    const auto marked = ask(*engine, "/invocations", "\xEF\xBB\xBF{\"inputs\":\"a\"," + nested(200'000));
    CHECK(marked.head.status == 400);
  }
  CHECK(ask(shared_engine(), "/invocations", R"({"inputs":"a [[[[ \" [[[[",)" + nested(255)).head.status ==
        200);
}

TEST_CASE("a body of more than 400,000 values is refused") {
  const auto with = [](int count) {
    std::string ones = "1";
    for (int i = 1; i < count; ++i) ones += ",1";
    return ask(shared_engine(), openai, toy(R"("max_tokens":1,"nobody_knows":[)" + ones + "]"));
  };
  CHECK(with(390'000).head.status == 200);
  CHECK_THAT(with(400'000).body, contains("it has more than 400000 values"));
}

TEST_CASE("n is limited where no document sets a limit") {
  const auto* container = R"({"messages":[{"role":"user","content":"Hi"}],"max_tokens":1,"n":)";
  for (const auto& path : {std::string("/invocations"), provisioned}) {
    CHECK(ask(shared_engine(), path, container + std::string("128}")).head.status == 200);
    const auto refused = ask(shared_engine(), path, container + std::string("129}"));
    CHECK(refused.head.status == 400);
    CHECK_THAT(refused.body, contains("Invalid value for 'n'"));
    CHECK_THAT(refused.body,
               contains(path == provisioned ? "INVALID_PARAMETER_VALUE" : "BadRequestException"));
  }
}

TEST_CASE("a model that throws ends its answer, and its words are not sent") {
  const auto what = GENERATE(Thrown::exception, Thrown::number);
  engine::Engine engine(
      {.endpoints = {{.name = "throws", .model = std::make_shared<const ThrowingModel>(what)}}});
  const std::string chat = R"("messages":[{"role":"user","content":"Hi"}])", prompt = R"("prompt":"Hi")",
                    input = R"("input":"Hi")";
  for (const auto& [path, members] :
       {std::pair{"/v1/chat/completions", chat}, {"/v1/completions", prompt}, {"/v1/responses", input}}) {
    INFO(path);
    const auto whole = ask(engine, path, R"({"model":"throws",)" + members + "}");
    CHECK(whole.head.status == 500);
    CHECK_THAT(whole.body, contains(R"("code":"server_error")"));
    CHECK(whole.body.find("hunter2") == std::string::npos);
    const auto streamed = ask(engine, path, R"({"model":"throws","stream":true,)" + members + "}");
    CHECK(streamed.broken);
    CHECK(streamed.body.find("hunter2") == std::string::npos);
  }
  const auto framed =
      ask(engine, "/endpoints/throws/invocations-response-stream", "{\"stream\":true," + chat + "}");
  CHECK_FALSE(framed.broken);
  CHECK_THAT(framed.body, contains("StreamBroken"));
  CHECK(ask(engine, "/endpoints/throws/invocations", "{" + chat + "}").head.status == 424);
}

TEST_CASE("a model that throws before its answer begins is a 500 in the provider's form") {
  const auto what = GENERATE(Thrown::exception, Thrown::number);
  engine::Engine engine(
      {.endpoints = {{.name = "unready", .model = std::make_shared<const UnreadyModel>(what)}}});
  const std::string chat = R"("messages":[{"role":"user","content":"Hi"}])";
  const auto plain = ask(engine, "/v1/chat/completions", R"({"model":"unready",)" + chat + "}");
  CHECK(plain.head.status == 500);
  for (const auto* path :
       {"/endpoints/unready/invocations", "/endpoints/unready/invocations-response-stream"}) {
    INFO(path);
    const auto hosted = ask(engine, path, "{\"stream\":true," + chat + "}");
    CHECK(hosted.head.status == 424);
    CHECK(find_header(hosted.head.headers, "x-amzn-ErrorType") == "ModelError");
    CHECK_THAT(hosted.body, contains("\"OriginalStatusCode\":500"));
    CHECK(hosted.body.find("hunter2") == std::string::npos);
  }
}
