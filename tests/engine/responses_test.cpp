// The engine's Responses API as its clients see it.
#include "inferwire/responses.hpp"

#include "inferwire/engine/engine.hpp"
#include "inferwire/response_events.hpp"
#include "shared_engine.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"
#include "wire/documents.hpp"
#include "wrapped_model.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <memory>

namespace {

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;

const std::string openai = "/v1/responses";
const std::string databricks = "/serving-endpoints/responses";
const std::string open_responses = "/serving-endpoints/open-responses";

std::string body(const std::string& members = "", const std::string& model = "inferwire-toy") {
  return R"({"model":")" + model + R"(","input":"Tell me about the weather.")" +
         (members.empty() ? "" : "," + members) + "}";
}

std::string text_of(const json& response) { return response["output"][0]["content"][0]["text"]; }

TEST_CASE("a response has everything that the documents name") {
  const auto answer =
      ask(shared_engine(), openai,
          body(R"("max_output_tokens":16,"instructions":"Be brief.","metadata":{"a":"b"},"user":"u",)"
               R"("prompt_cache_options":{"mode":"explicit"})"));
  CHECK(answer.head.status == 200);
  CHECK(find_header(answer.head.headers, "content-type") == "application/json");
  const auto response = parsed(answer);
  CHECK(response["id"].get<std::string>().starts_with("resp_"));
  CHECK(response["object"] == "response");
  CHECK(answer.body.find("\"created_at\":1700000000,") != std::string::npos);  // an integer
  CHECK(response["model"] == "inferwire-toy-1");
  CHECK(response["instructions"] == "Be brief.");
  CHECK(response["max_output_tokens"] == 16);
  CHECK(response["metadata"] == json{{"a", "b"}});
  CHECK(response["user"] == "u");
  CHECK(response["prompt_cache_options"] == json{{"mode", "explicit"}});
  CHECK(response["temperature"] == 1);
  CHECK(response["top_p"] == 1);
  CHECK(response["tools"] == json::array());
  CHECK(response["tool_choice"] == "auto");
  CHECK(response["parallel_tool_calls"] == true);
  CHECK(response["store"] == true);
  CHECK(response["text"]["format"]["type"] == "text");
  CHECK(response["error"].is_null());
  REQUIRE(response["output"].size() == 1);
  const auto& message = response["output"][0];
  CHECK(message["type"] == "message");
  CHECK(message["role"] == "assistant");
  CHECK(message["id"].get<std::string>().starts_with("msg_"));
  CHECK(message["content"][0]["type"] == "output_text");
  CHECK(message["content"][0]["annotations"] == json::array());
  CHECK(message["content"][0]["logprobs"] == json::array());
  CHECK_FALSE(text_of(response).empty());
}

TEST_CASE("usage is counted under both names") {
  const auto usage = parsed(ask(shared_engine(), openai, body(R"("max_output_tokens":16)")))["usage"];
  CHECK(usage["input_tokens"] > 0);
  CHECK(usage["output_tokens"] > 0);
  CHECK(usage["total_tokens"] == usage["input_tokens"].get<int>() + usage["output_tokens"].get<int>());
  CHECK(usage["prompt_tokens"] == usage["input_tokens"]);
  CHECK(usage["completion_tokens"] == usage["output_tokens"]);
  CHECK(usage["input_tokens_details"]["cached_tokens"] == 0);
  CHECK(usage["output_tokens_details"]["reasoning_tokens"] == 0);
}

TEST_CASE("a response that reaches its limit is incomplete and says why") {
  const auto cut = parsed(ask(shared_engine(), open_responses,
                              body(R"("max_output_tokens":2)", "databricks-meta-llama-3-3-70b-instruct")));
  CHECK(cut["status"] == "incomplete");
  CHECK(cut["incomplete_details"]["reason"] == "max_output_tokens");
  CHECK(cut["output"][0]["status"] == "incomplete");
  CHECK(cut["usage"]["output_tokens"] == 2);
  CHECK(cut["completed_at"].is_null());
  const auto whole = parsed(ask(shared_engine(), databricks, body("", "databricks-gpt-5")));
  CHECK(whole["status"] == "completed");
  CHECK(whole["incomplete_details"].is_null());
  CHECK(whole["model"] == "gpt-5-2025-08-07");
}

TEST_CASE("completed_at is the time of the last token") {
  using std::chrono::milliseconds;
  engine::Engine engine({.pacing = {.first_token = milliseconds(2'500)}, .created = 1'000});
  const auto asked = body(R"("temperature":0)");
  const auto whole = parsed(ask(engine, openai, asked));
  REQUIRE(whole["status"] == "completed");
  CHECK(whole["created_at"] == 1'000);
  CHECK(whole["completed_at"] == 1'002);
  const auto streamed = ask(engine, openai, body(R"("temperature":0,"stream":true)")).events();
  CHECK(json::parse(streamed.back())["response"]["completed_at"] == 1'002);
}

TEST_CASE("a stream has all its events in their order, numbered without gaps") {
  const auto answer = ask(shared_engine(), openai, body(R"("stream":true,"max_output_tokens":20)"));
  CHECK(answer.streamed);
  CHECK(find_header(answer.head.headers, "content-type") == "text/event-stream");
  CHECK(answer.body.starts_with("event: response.created\ndata: "));
  CHECK(answer.body.find("[DONE]") == std::string::npos);
  const auto events = answer.events();
  REQUIRE(events.size() > 9);
  std::vector<std::string> order;
  std::string text;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto event = json::parse(events[i]);
    CHECK(event["sequence_number"] == i);
    if (event.contains("item_id")) CHECK(event["output_index"] == 0);
    if (event["type"] == "response.output_text.delta") text += event["delta"].get<std::string>();
    const auto type = event["type"].get<std::string>();
    if (order.empty() || order.back() != type) order.push_back(type);
  }
  const auto end = json::parse(events.back());
  CHECK(order == std::vector<std::string>{"response.created", "response.in_progress",
                                          "response.output_item.added", "response.content_part.added",
                                          "response.output_text.delta", "response.output_text.done",
                                          "response.content_part.done", "response.output_item.done",
                                          end["type"].get<std::string>()});
  CHECK(end["type"] == "response." + end["response"]["status"].get<std::string>());
  CHECK(text == text_of(end["response"]));
  const auto created = json::parse(events.front())["response"];
  CHECK(created["status"] == "in_progress");
  CHECK(created["output"] == json::array());
  CHECK(created["usage"].is_null());
}

TEST_CASE("the streamed and the whole answer fold to equal objects") {
  const auto members =
      GENERATE(std::string(R"("max_output_tokens":24)"), R"("temperature":0,"max_output_tokens":200)",
               R"("include":["message.output_text.logprobs"],"top_logprobs":2,"max_output_tokens":16)");
  engine::Engine one({.created = 1}), two({.created = 1});
  const auto whole = inferwire::json::decode<responses::Response>(ask(one, openai, body(members)).body);
  REQUIRE(whole);
  responses::Accumulator all;
  responses::Accumulator without_last;
  for (const auto& text : ask(two, openai, body(members + R"(,"stream":true)")).events()) {
    const auto event = inferwire::json::decode<responses::Event>(text);
    REQUIRE(event);
    CHECK(event->get_if<responses::UnknownEvent>() == nullptr);
    all.add(*event);
    const auto* const state = event->get_if<responses::LifecycleEvent>();
    if (state == nullptr || !state->is_terminal()) without_last.add(*event);
  }
  CHECK(all.take(true) == *whole);
  CHECK(without_last.take(true).output == whole->output);
}

TEST_CASE("input items are read as a conversation") {
  const auto answer =
      ask(shared_engine(), openai, R"({"model":"inferwire-toy","max_output_tokens":16,"input":[
    {"role":"developer","content":"Be brief."},
    {"role":"user","content":[{"type":"input_text","text":"When is high tide?"}]},
    {"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gA"},
    {"type":"function_call","id":"fc_1","call_id":"c","name":"tide","arguments":"{\"day\":\"today\"}"},
    {"type":"function_call_output","call_id":"c","output":"18:42"},
    {"type":"message","role":"assistant","content":[{"type":"output_text","text":"At 18:42.","annotations":[]}]},
    {"role":"user","content":"Thanks."}]})");
  INFO(answer.body);
  CHECK(answer.head.status == 200);
  const auto longer = parsed(answer)["usage"]["input_tokens"].get<int>();
  CHECK(longer > parsed(ask(shared_engine(), openai, body()))["usage"]["input_tokens"].get<int>());
}

TEST_CASE("logprobs come when they are asked for, with every delta its own") {
  const auto answer = ask(shared_engine(), openai,
                          body(R"("stream":true,"include":["message.output_text.logprobs"],"top_logprobs":3,)"
                               R"("max_output_tokens":16)"));
  std::size_t gathered = 0;
  for (const auto& text : answer.events()) {
    const auto event = json::parse(text);
    if (event["type"] != "response.output_text.delta") continue;
    gathered += event["logprobs"].size();
    for (const auto& entry : event["logprobs"]) CHECK(entry["top_logprobs"].size() == 3);
  }
  CHECK(gathered > 0);
  const auto last = json::parse(answer.events().back());
  CHECK(last["response"]["output"][0]["content"][0]["logprobs"].size() >= gathered);
}

TEST_CASE("truncation auto leaves out the oldest turns instead of refusing") {
  std::string input;
  for (int i = 0; i < 400; ++i) {
    input += R"({"role":"user","content":"The harbour master wrote of the tide, and nobody doubted it."},)";
  }
  engine::Engine small({.endpoints = {{.name = "small", .context_window = 512}}});
  const auto request = [&](const std::string& members) {
    return R"({"model":"small","max_output_tokens":16,)" + members + R"("input":[)" + input +
           R"({"role":"user","content":"And?"}]})";
  };
  const auto refused = ask(small, openai, request(""));
  CHECK(refused.head.status == 400);
  CHECK(parsed(refused)["error"]["code"] == "context_length_exceeded");
  CHECK(parsed(refused)["error"]["param"] == "input");
  const auto answer = ask(small, openai, request(R"("truncation":"auto",)"));
  REQUIRE(answer.head.status == 200);
  CHECK(parsed(answer)["usage"]["input_tokens"] <= 496);
}

TEST_CASE("each mount of the Responses API answers for its own models") {
  struct Case {
    std::string path, model;
    int status;
  };
  const auto row = GENERATE(values<Case>({
      {databricks, "databricks-gpt-5", 200},
      {databricks, "databricks-meta-llama-3-3-70b-instruct", 400},
      {open_responses, "databricks-meta-llama-3-3-70b-instruct", 200},
      {openai, "databricks-meta-llama-3-3-70b-instruct", 200},
      {openai, "inferwire-toy", 200},
      {openai, "inferwire-embed", 400},
      {databricks, "inferwire-embed", 400},
      {databricks, "nobody", 404},
  }));
  INFO(row.path << ' ' << row.model);
  const auto answer = ask(shared_engine(), row.path, body(R"("max_output_tokens":16)", row.model));
  CHECK(answer.head.status == row.status);
  if (row.status != 200)
    CHECK(parsed(answer)["error"].contains("message"));  // every mount uses OpenAI's envelope
}

TEST_CASE("'input' may be missing beside 'prompt' only") {
  engine::Engine engine({.prompts = {{.id = "p", .version = "1", .instructions = "Say hello."}}});
  const auto status = [&](const char* member) {
    return ask(engine, openai,
               R"({"model":"inferwire-toy","max_output_tokens":16)" + std::string(member) + "}")
        .head.status;
  };
  CHECK(status(R"(,"prompt":{"id":"p"})") == 200);
  CHECK(status("") == 400);
}

TEST_CASE("every invalid parameter is refused by name") {
  struct Case {
    std::string path, members, param;
  };
  const auto bad = GENERATE(values<Case>({
      {openai, R"("max_output_tokens":15)", "max_output_tokens"},
      {databricks, R"("max_output_tokens":0)", "max_output_tokens"},
      {openai, R"("temperature":2.1)", "temperature"},
      {databricks, R"("top_p":0)", "top_p"},
      {openai, R"("stream":"yes")", "stream"},
      {openai, R"("stream_options":{})", "stream_options"},
      {openai, R"("truncation":"never")", "truncation"},
      {openai, R"("top_logprobs":21)", "top_logprobs"},
      {openai, R"("include":[1])", "include[0]"},
      {openai, R"("max_tool_calls":0)", "max_tool_calls"},
      {openai, R"("metadata":{"a":1})", "metadata.a"},
      {openai, R"("metadata":{"a":")" + std::string(513, 'x') + R"("})", "metadata.a"},
      {openai, R"("metadata":{")" + std::string(65, 'x') + R"(":"a"})", "metadata"},
      {openai, R"("reasoning":{"effort":"huge"})", "reasoning.effort"},
      {openai, R"("reasoning":{"effort":"low"})", "reasoning"},
      {openai, R"("text":{"format":{"type":"json_schema"}})", "text.format.name"},
      {openai, R"("text":{"format":{"type":"json_schema","name":"n","schema":{"type":"float"}}})",
       "text.format.schema"},
      {openai, R"("text":{"format":{"type":"json_schema","json_schema":{"name":"n","schema":{"$ref":"#"}}}})",
       "text.format.schema"},
      {openai, R"("text":{"format":{"type":"xml"}})", "text.format.type"},
      {openai, R"("text":{"format":{"type":"json_schema","name":"a b","schema":{}}})", "text.format.name"},
      {openai,
       R"("text":{"format":{"type":"json_schema","name":")" + std::string(65, 'x') + R"(","schema":{}}})",
       "text.format.name"},
      {openai, R"("tools":[{"type":"function"}])", "tools[0].name"},
      {openai, R"("tools":[{"type":"function","name":"a.b"}])", "tools[0].name"},
      {openai, R"("tools":[{"type":"function","name":")" + std::string(129, 'x') + R"("}])", "tools[0].name"},
      {openai, R"("tools":[{"type":"function","name":"f"}],"tool_choice":{"type":"function","name":"g"})",
       "tool_choice.name"},
      {openai, R"("tools":[{"type":"function","name":"f"}],"tool_choice":{"type":"web_search"})",
       "tool_choice.type"},
      {openai, R"("tools":[{"type":"function","name":"f"}],"tool_choice":{"type":"allowed_tools"})",
       "tool_choice.mode"},
      {openai,
       R"("tools":[{"type":"function","name":"f"}],"tool_choice":{"type":"allowed_tools","mode":"auto"})",
       "tool_choice.tools"},
      {openai,
       R"("tools":[{"type":"function","name":"f"}],"tool_choice":{"type":"allowed_tools","mode":"auto",)"
       R"("tools":[{"type":"function","name":"g"}]})",
       "tool_choice.tools[0]"},
      {databricks,
       R"("tools":[{"type":"function","name":"f"}],"tool_choice":{"type":"allowed_tools","mode":"auto",)"
       R"("tools":[{"type":"function","name":"f"}]})",
       "tool_choice.type"},
      {databricks, R"("tools":[{"type":"web_search"}])", "tools[0].type"},
      {openai, R"("tool_choice":"required")", "tool_choice"},
      {openai, R"("tool_choice":"sometimes")", "tool_choice"},
      {openai, R"("tool_choice":{"type":"function"})", "tool_choice.name"},
      {openai, R"("tool_choice":{"type":"function","name":"f"})", "tool_choice"},
      {openai, R"("background":true,"store":false)", "background"},
      {openai, R"("conversation":"c")", "conversation"},
      {openai, R"("prompt":{"id":"p"})", "prompt.id"},
      {databricks, R"("background":false)", "background"},
      {databricks, R"("store":false)", "store"},
      {databricks, R"("conversation":"c")", "conversation"},
      {databricks, R"("service_tier":"auto")", "service_tier"},
      {databricks, R"("previous_response_id":"r")", "previous_response_id"},
      {databricks, R"("seed":1)", "seed"},
  }));
  INFO(bad.path << ' ' << bad.members);
  const auto answer = ask(shared_engine(), bad.path,
                          body(bad.members, bad.path == databricks ? "databricks-gpt-5" : "inferwire-toy"));
  CHECK(answer.head.status == 400);
  const auto error = parsed(answer)["error"];
  CHECK(error["param"] == bad.param);
  CHECK(error["message"].get<std::string>().find(bad.param.substr(0, bad.param.find_first_of(".["))) !=
        std::string::npos);
}

TEST_CASE("tool_choice of type allowed_tools limits the tools of a response") {
  const auto with = [](const std::string& mode, const std::string& name) {
    const std::string choice = R"({"mode":")" + mode + R"(","tools":[{"name":")" + name +
                               R"(","type":"function"}],"type":"allowed_tools"})";
    const auto response = parsed(
        ask(shared_engine(), openai,
            body(R"("tools":[{"type":"function","name":"read_mail"},{"type":"function","name":"ring_bell"}],)"
                 R"("tool_choice":)" +
                 choice)));
    CHECK(response["tool_choice"] == json::parse(choice));
    return response["output"][0];
  };
  for (const std::string name : {"read_mail", "ring_bell"}) {
    const auto item = with("required", name);
    CHECK(item["type"] == "function_call");
    CHECK(item["name"] == name);
  }
  CHECK(with("auto", "ring_bell")["type"] == "message");  // the question is about no tool
}

const std::string overlong_id(65, 'x');

TEST_CASE("Databricks repeats what a request nests as nested, OpenAI flat") {
  const std::string spellings[] = {
      R"("tools":[{"type":"function","name":"f","parameters":{}}],"tool_choice":{"type":"function","name":"f"},
         "text":{"format":{"type":"json_schema","name":"s","schema":{}}})",
      R"("tools":[{"type":"function","function":{"name":"f","parameters":{}}}],
         "tool_choice":{"type":"function","function":{"name":"f"}},
         "text":{"format":{"type":"json_schema","json_schema":{"name":"s","schema":{}}}})"};
  for (const auto& path : {databricks, openai}) {
    for (const auto& members : spellings) {
      INFO(path << ": " << members);
      const auto asked = json::parse(path == databricks ? "{" + members + "}" : "{" + spellings[0] + "}");
      const auto check = [&](const json& response) {
        for (const auto* name : {"tools", "tool_choice", "text"}) CHECK(response[name] == asked[name]);
      };
      const auto request = R"("max_output_tokens":16,)" + members;
      check(parsed(ask(shared_engine(), path, body(request, "databricks-gpt-5"))));
      int responses = 0;
      for (const auto& data :
           ask(shared_engine(), path, body(request + R"(,"stream":true)", "databricks-gpt-5")).events()) {
        const auto event = json::parse(data);
        if (!event.contains("response")) continue;
        ++responses;
        check(event["response"]);
      }
      CHECK(responses == 3);
    }
  }
}

TEST_CASE("a request of Databricks with one nested part has a nested answer") {
  for (const auto* members : {R"("tools":[{"type":"function","function":{"name":"f"}}])",
                              R"("text":{"format":{"type":"json_schema",
                                                   "json_schema":{"name":"s","schema":{"type":"object"}}}})"}) {
    const auto asked = json::parse("{" + std::string(members) + "}");
    const auto response = parsed(ask(shared_engine(), databricks, body(members, "databricks-gpt-5")));
    for (const auto& [name, value] : asked.items()) CHECK(response[name] == value);
  }
}

TEST_CASE("a request of Databricks that nests one tool of two has an answer that nests everything") {
  const auto response =
      parsed(ask(shared_engine(), databricks,
                 body(R"("max_output_tokens":16,"tool_choice":{"type":"function","name":"f"},
              "tools":[{"type":"function","name":"f"},{"type":"function","function":{"name":"g"}}],
              "text":{"format":{"type":"json_schema","name":"s","schema":{"type":"object"}}})",
                      "databricks-gpt-5")));
  CHECK(response["tool_choice"]["function"]["name"] == "f");
  CHECK(response["tools"][0]["function"]["name"] == "f");
  CHECK(response["tools"][1]["function"]["name"] == "g");
  CHECK(response["text"]["format"]["json_schema"]["name"] == "s");
}

TEST_CASE("every invalid input item is refused with its path") {
  struct Case {
    std::string path, input, param;
  };
  const auto bad = GENERATE(values<Case>({
      {openai, "[]", "input"},
      {openai, "5", "input"},
      {openai, "[5]", "input[0]"},
      {openai, R"([{"content":"x"}])", "input[0].role"},
      {openai, R"([{"role":"robot","content":"x"}])", "input[0].role"},
      {databricks, R"([{"role":"system","content":"x"}])", "input[0].role"},
      {databricks, R"([{"role":"user","content":"x","name":"n"}])", "input[0].name"},
      {databricks, R"([{"role":"user","content":"x","status":"completed"}])", "input[0].status"},
      {openai, R"([{"role":"user"}])", "input[0].content"},
      {openai, R"([{"role":"user","content":[{"text":"x"}]}])", "input[0].content[0].type"},
      {openai, R"([{"role":"user","content":[{"type":"text","text":"x"}]}])", "input[0].content[0].type"},
      {openai, R"([{"role":"user","content":[{"type":"input_text"}]}])", "input[0].content[0].text"},
      {openai, R"([{"role":"user","content":[{"type":"input_image","image_url":"data:,"}]}])",
       "input[0].content[0].image_url"},
      {databricks, R"([{"role":"user","content":[{"type":"input_image"}]}])",
       "input[0].content[0].image_url"},
      {openai, R"([{"role":"user","content":[{"type":"input_file","file_data":"eA=="}]}])",
       "input[0].content[0].file_data"},
      {openai, R"([{"type":"item_reference"}])", "input[0].id"},
      {databricks, R"([{"type":"item_reference","id":"msg_1"}])", "input[0].type"},
      {openai, R"([{"type":"function_call","call_id":"c","name":"f"}])", "input[0].arguments"},
      {databricks, R"([{"type":"function_call","call_id":"c","name":"f","arguments":"[1]"}])",
       "input[0].arguments"},
      {openai, R"([{"type":"function_call_output","call_id":"c","output":"x"}])", "input"},
      {openai, R"([{"type":"reasoning","summary":[{"type":"summary_text"}]}])", "input[0].summary[0].text"},
      {openai, R"([{"role":"assistant","content":"x","id":")" + overlong_id + R"("}])", "input[0].id"},
      {databricks, R"([{"role":"assistant","content":"x","id":")" + overlong_id + R"("}])", "input[0].id"},
      {openai, R"([{"type":"reasoning","summary":[],"id":")" + overlong_id + R"("}])", "input[0].id"},
      {openai, R"([{"type":"item_reference","id":")" + overlong_id + R"("}])", "input[0].id"},
      {openai, R"([{"type":"function_call","call_id":")" + overlong_id + R"(","name":"f","arguments":"{}"}])",
       "input[0].call_id"},
      {databricks,
       R"([{"type":"function_call","call_id":")" + overlong_id + R"(","name":"f","arguments":"{}"}])",
       "input[0].call_id"},
      {openai, R"([{"type":"function_call_output","call_id":")" + overlong_id + R"(","output":"x"}])",
       "input[0].call_id"},
  }));
  INFO(bad.input);
  const auto model = bad.path == databricks ? "databricks-gpt-5" : "inferwire-toy";
  const auto answer = ask(shared_engine(), bad.path,
                          R"({"model":")" + std::string(model) + R"(","input":)" + bad.input + "}");
  CHECK(answer.head.status == 400);
  CHECK(parsed(answer)["error"]["param"] == bad.param);
}

TEST_CASE("ids of items may have 64 characters") {
  const std::string longest(64, 'x');
  for (const auto& [path, model] :
       {std::pair{openai, "inferwire-toy"}, std::pair{databricks, "databricks-gpt-5"}}) {
    const auto answer = ask(shared_engine(), path,
                            R"({"model":")" + std::string(model) + R"(","max_output_tokens":16,"input":[
      {"type":"function_call","id":"fc)" +
                                longest.substr(2) + R"(","call_id":")" + longest + R"(","name":"f",
       "arguments":"{}"},
      {"type":"function_call_output","call_id":")" +
                                longest + R"(","output":"x"},
      {"role":"assistant","content":"y","id":")" +
                                longest + R"("}]})");
    INFO(answer.body);
    CHECK(answer.head.status == 200);
  }
}

TEST_CASE("function_call arguments that are no JSON are taken on OpenAI's mount") {
  const auto answer =
      ask(shared_engine(), openai, R"({"model":"inferwire-toy","max_output_tokens":16,"input":[
      {"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":"},
      {"type":"function_call_output","call_id":"c","output":"These are no JSON."}]})");
  CHECK(answer.head.status == 200);
}

TEST_CASE("the path /input_tokens counts an input") {
  const auto request = body(R"("instructions":"Be brief.","max_output_tokens":16)");
  const auto counted = parsed(ask(shared_engine(), openai + "/input_tokens", request));
  CHECK(counted["object"] == "response.input_tokens");
  CHECK(counted["input_tokens"] == parsed(ask(shared_engine(), openai, request))["usage"]["input_tokens"]);
  CHECK(ask(shared_engine(), openai + "/input_tokens", body(R"("top_p":2)")).head.status == 400);
}

TEST_CASE("the path /input_tokens counts an input that is too long to be answered") {
  const auto count = [](const json& input) {
    const json request{{"model", "inferwire-toy"}, {"input", input}};
    return parsed(ask(shared_engine(), openai + "/input_tokens", request.dump()))["input_tokens"];
  };
  std::string words;
  for (int i = 0; i < 40'000; ++i) words += "river ";
  CHECK(count(words) > 32'768);
  CHECK(count({{{"type", "function_call"}, {"call_id", "c"}, {"name", "f"}, {"arguments", "{}"}}}) > 0);
}

TEST_CASE("Databricks takes arguments and output that are objects") {
  const auto answer =
      ask(shared_engine(), databricks, R"({"model":"databricks-gpt-5","max_output_tokens":4,"input":[
    {"role":"user","content":"When?"},
    {"type":"function_call","id":"fc_1","call_id":"c","name":"tide","arguments":{"day":"today"}},
    {"type":"function_call_output","call_id":"c","output":{"at":"18:42"}}]})");
  INFO(answer.body);
  CHECK(answer.head.status == 200);
}

TEST_CASE("parameters that are null count as absent") {
  const auto answer =
      ask(shared_engine(), databricks,
          body(R"("store":null,"instructions":null,"max_output_tokens":4,"tools":null)", "databricks-gpt-5"));
  INFO(answer.body);
  CHECK(answer.head.status == 200);
}

/// Asks for a response that has to call a tool, of a model with a window of `window` tokens.
Answered forced_call(int window, const std::string& members) {
  engine::Engine engine(
      {.endpoints = {{.name = "narrow", .model = std::make_shared<const NarrowModel>(window)}},
       .created = 1});
  return ask(
      engine, openai,
      body(R"("tool_choice":"required","tools":[{"type":"function","name":"look_up_the_weather"}])" + members,
           "narrow"));
}

TEST_CASE("a function_call whose name fills the window is incomplete") {
  const auto room = parsed(forced_call(4096, ""))["usage"]["input_tokens"].get<int>() + 1;
  const auto whole = forced_call(room, "");
  CHECK(whole.head.status == 200);
  const auto response = parsed(whole);
  CHECK(response["status"] == "incomplete");
  CHECK(response["incomplete_details"]["reason"] == "max_output_tokens");
  REQUIRE(response["output"].size() == 1);
  CHECK(response["output"][0]["type"] == "function_call");
  CHECK(response["output"][0]["status"] == "incomplete");
  CHECK(response["usage"]["output_tokens"] == 0);

  const auto events = forced_call(room, R"(,"stream":true)").events();
  REQUIRE_FALSE(events.empty());
  const auto end = json::parse(events.back());
  CHECK(end["type"] == "response.incomplete");
  CHECK(end["response"]["output"] == response["output"]);
}

TEST_CASE("truncation auto of 6,000 turns takes linear time") {
  auto input = json::array();
  for (int i = 0; i < 6'000; ++i) {
    input.push_back({{"role", "user"}, {"content", "This is line " + std::to_string(i)}});
  }
  const auto before = std::chrono::steady_clock::now();
  const json request{
      {"model", "inferwire-toy"}, {"max_output_tokens", 16}, {"truncation", "auto"}, {"input", input}};
  const auto answer = ask(shared_engine(), openai, request.dump());
  INFO(answer.body.substr(0, 300));
  REQUIRE(answer.head.status == 200);
  const auto response = parsed(answer);
  CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(60));
  const auto read = response["usage"]["input_tokens"].get<int>();
  CHECK(read <= 32'768 - 16);  // the endpoint's window
  CHECK(read > 32'768 - 100);
}

}  // namespace
