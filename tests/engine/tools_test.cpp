// Tool calls as clients see them.
#include "both_ways.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "schema_validator.hpp"
#include "shared_engine.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"
#include "wire/documents.hpp"
#include "wrapped_model.hpp"

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace {

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;

const std::string openai = "/v1/chat/completions";
const std::string databricks = "/serving-endpoints/databricks-meta-llama-3-3-70b-instruct/invocations";
const std::string ai21 = "/studio/v1/chat/completions";
const std::string responses_path = "/v1/responses";

const std::string weather_parameters = R"({"type":"object","properties":{
    "city":{"type":"string","minLength":1},"unit":{"enum":["celsius","fahrenheit"]}},
    "required":["city","unit"],"additionalProperties":false})";

std::string function(const std::string& name, const std::string& description, const std::string& parameters) {
  return R"({"type":"function","function":{"name":")" + name + R"(","description":")" + description +
         R"(","parameters":)" + parameters + "}}";
}

const std::string weather = function("get_weather", "The current weather in a city", weather_parameters);
const std::string clock_tool =
    function("get_time", "The time of day in a city", R"({"type":"object","properties":{}})");
const std::string mail = function("send_email", "Sends a letter to a colleague",
                                  R"({"type":"object","properties":{"to":{"type":"string"}}})");

std::string request(const std::string& members,
                    const std::string& question = "What is the weather in Paris?") {
  return R"({"model":"inferwire-toy","messages":[{"role":"user","content":")" + question + R"("}],)" +
         members + "}";
}
std::string tools(const std::string& list) { return R"("tools":[)" + list + "]"; }

json choice_of(const std::string& path, const std::string& body) {
  return good(ask(shared_engine(), path, body))["choices"][0];
}

std::vector<std::string> names_in(const json& choice) {
  std::vector<std::string> names;
  for (const auto& call : choice["message"].value("tool_calls", json::array()))
    names.push_back(call["function"]["name"]);
  return names;
}

using Names = std::vector<std::string>;

TEST_CASE("a tool call names its function and fits its parameters", "[tools]") {
  const SchemaValidator validator(json::parse(weather_parameters));
  std::set<std::string> ids;
  for (int seed = 0; seed < 30; ++seed) {
    const auto choice = choice_of(
        openai, request(tools(weather) + R"(,"tool_choice":"required","seed":)" + std::to_string(seed)));
    CHECK(choice["finish_reason"] == "tool_calls");
    CHECK(choice["message"]["role"] == "assistant");
    CHECK(choice["message"].contains("content"));
    CHECK(choice["message"]["content"].is_null());
    REQUIRE(choice["message"]["tool_calls"].size() == 1);
    const auto& call = choice["message"]["tool_calls"][0];
    CHECK(call["type"] == "function");
    CHECK(ids.insert(call["id"]).second);
    CHECK(call["function"]["name"] == "get_weather");
    CHECK(validator.fault(json::parse(call["function"]["arguments"].get<std::string>())) == "");
  }
}

TEST_CASE("tool_choice decides which tools are called", "[tools]") {
  const auto both = tools(weather + "," + mail);
  const auto with = [&](const std::string& choice) {
    return names_in(choice_of(openai, request(both + choice)));
  };
  CHECK(with("") == Names{"get_weather"});
  CHECK(with(R"(,"tool_choice":"auto")") == Names{"get_weather"});
  CHECK(with(R"(,"tool_choice":"required")") == Names{"get_weather"});
  CHECK(with(R"(,"tool_choice":"none")").empty());
  CHECK(with(R"(,"tool_choice":{"type":"function","function":{"name":"send_email"}})") ==
        Names{"send_email"});
  CHECK(with(R"(,"tool_choice":{"type":"function","function":{"type":"function",
                                                              "function":{"name":"send_email"}}})") ==
        Names{"send_email"});
}

TEST_CASE("tool_choice of type allowed_tools limits the tools", "[tools]") {
  const auto with = [&](const std::string& mode, const std::string& allowed) {
    return request(tools(weather + "," + clock_tool + "," + mail) +
                   R"(,"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":")" + mode +
                   R"(","tools":[)" + allowed + "]}}");
  };
  const std::string mail_only = R"({"type":"function","function":{"name":"send_email"}})";
  const std::string weather_too = mail_only + R"(,{"type":"function","function":{"name":"get_weather"}})";
  CHECK(names_in(choice_of(openai, with("auto", weather_too))) == Names{"get_weather"});
  CHECK(names_in(choice_of(openai, with("auto", mail_only))).empty());
  CHECK(names_in(choice_of(openai, with("required", mail_only))) == Names{"send_email"});
  for (const auto& [body, says] :
       {std::pair(with("none", mail_only), "tool_choice.allowed_tools.mode"),
        {with("auto", ""), "tool_choice.allowed_tools.tools"},
        {with("auto", R"({"type":"function","function":{"name":"f"}})"), "'f' is not one of 'tools'"},
        {request(tools(mail) + R"(,"tool_choice":{"type":"allowed_tools"})"), "tool_choice.allowed_tools"}}) {
    const auto answer = ask(shared_engine(), openai, body);
    CHECK(answer.head.status == 400);
    CHECK_THAT(answer.body, contains(says));
  }
  CHECK_THAT(ask(shared_engine(), "/serving-endpoints/pt-chat/invocations",
                 request(tools(mail) + R"(,"tool_choice":{"type":"allowed_tools"})"))
                 .body,
             contains("tool_choice.type"));
}

TEST_CASE("tool_choice auto answers in text where no tool is about the question", "[tools]") {
  const auto both = tools(weather + "," + mail);
  for (const auto* const question :
       {"Tell me a joke.", "Who wrote Hamlet?", "Translate 'bread' into French."}) {
    const auto choice = choice_of(openai, request(both, question));
    CHECK(names_in(choice).empty());
    CHECK(choice["message"]["content"].is_string());
    CHECK(names_in(choice_of(openai, request(both + R"(,"tool_choice":"required")", question))).size() == 1);
  }
}

TEST_CASE("parallel_tool_calls allows several calls at once", "[tools]") {
  const auto both = tools(weather + "," + clock_tool + "," + mail);
  const auto* const question = "What is the weather and the time of day in Paris?";
  const auto names = names_in(choice_of(openai, request(both, question)));
  CHECK(std::set<std::string>(names.begin(), names.end()) ==
        std::set<std::string>{"get_weather", "get_time"});
  CHECK(names_in(choice_of(openai, request(both + R"(,"parallel_tool_calls":false)", question))).size() == 1);
}

TEST_CASE("parallel_tool_calls without tools is refused in OpenAI's words", "[tools]") {
  for (const auto* const members :
       {R"("parallel_tool_calls":true)", R"("parallel_tool_calls":false,"tools":[])"}) {
    const auto answer = ask(shared_engine(), openai, request(members));
    CHECK(answer.head.status == 400);
    const auto error = parsed(answer)["error"];
    CHECK(error["param"] == "parallel_tool_calls");
    CHECK(error["message"] ==
          "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are "
          "specified.");
  }
  CHECK(ask(shared_engine(), openai, request(R"("max_tokens":1,"parallel_tool_calls":null)")).head.status ==
        200);
  CHECK(ask(shared_engine(), responses_path,
            R"({"model":"inferwire-toy","input":"x","max_output_tokens":16,"parallel_tool_calls":false})")
            .head.status == 200);
}

TEST_CASE("results of tools are answered in text", "[tools]") {
  const auto body = R"({"model":"inferwire-toy",)" + tools(weather) + R"(,"messages":[
      {"role":"user","content":"What is the weather in Paris?"},
      {"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function",
        "function":{"name":"get_weather","arguments":"{\"city\":\"Paris\"}"}}]},
      {"role":"tool","tool_call_id":"call_1","content":"{\"degrees\":21}"}]})";
  const auto choice = choice_of(openai, body);
  CHECK(names_in(choice).empty());
  CHECK(choice["finish_reason"] == "stop");

  // Agents remind a model of its task after the results.
  auto reminded = json::parse(body);
  for (const auto* const role : {"system", "developer"}) {
    reminded["messages"].push_back({{"role", role}, {"content", "Be brief."}});
    CHECK(names_in(choice_of(openai, reminded.dump())).empty());
  }
}

TEST_CASE("tool_choice required calls each tool in turn", "[tools]") {
  const auto done = function("final_answer", "Provides a final answer to the given problem",
                             R"({"type":"object","properties":{"answer":{"type":"string"}}})");
  auto body = json::parse(request(tools(weather + "," + done) + R"(,"tool_choice":"required")"));
  const auto call = [&] {
    const auto message = choice_of(openai, body.dump())["message"];
    body["messages"].push_back(message);
    const auto& made = message["tool_calls"][0];
    body["messages"].push_back({{"role", "tool"}, {"tool_call_id", made["id"]}, {"content", "sunny"}});
    return made["function"]["name"].get<std::string>();
  };
  CHECK(call() == "get_weather");
  CHECK(call() == "final_answer");
  CHECK(call() == "get_weather");  // all have been called: an answer may have to be given again
  CHECK(call() == "final_answer");
  body["messages"].push_back({{"role", "user"}, {"content", "And the weather in Rome?"}});
  CHECK(call() == "get_weather");
}

TEST_CASE("tool_choice required of the Responses API calls each tool in turn, kept calls counted",
          "[tools]") {
  const auto flat = [](const char* name, const char* description) {
    return json{{"type", "function"}, {"name", name}, {"description", description}};
  };
  json body{
      {"model", "inferwire-toy"},
      {"input", "What is the weather in Paris?"},
      {"tools", {flat("get_weather", "The current weather in a city"), flat("final_answer", "The end")}},
      {"tool_choice", "required"}};
  const auto call = [&] {
    const auto response = parsed(ask(shared_engine(), responses_path, body.dump()));
    const auto item = response["output"][0];
    body["previous_response_id"] = response["id"];
    body["input"] =
        json::array({{{"type", "function_call_output"}, {"call_id", item["call_id"]}, {"output", "sunny"}}});
    return item["name"].get<std::string>();
  };
  CHECK(call() == "get_weather");
  CHECK(call() == "final_answer");
  CHECK(call() == "get_weather");
  body["input"].push_back({{"role", "user"}, {"content", "And the weather in Rome?"}});
  CHECK(call() == "get_weather");
  CHECK(call() == "final_answer");
}

TEST_CASE("messages with function_call and role function are taken", "[tools]") {
  const auto with = [](const std::string& call, const std::string& result) {
    return R"({"model":"inferwire-toy",)" + tools(weather) + R"(,"messages":[
      {"role":"user","content":"What is the weather in Paris?"},
      {"role":"assistant","content":null,"function_call":)" +
           call + R"(},{"role":"function",)" + result + "}]}";
  };
  const std::string call = R"({"name":"get_weather","arguments":"{}"})";
  for (const auto* const content : {R"("rain")", "null"}) {
    const auto result = R"("name":"get_weather","content":)" + std::string(content);
    CHECK(names_in(choice_of(openai, with(call, result))).empty());
  }
  for (const auto& [body, says] : {std::pair(with(R"({"arguments":"{}"})", R"("name":"f","content":"x")"),
                                             "messages[1].function_call.name"),
                                   {with(call, R"("content":"x")"), "messages[2].name"}}) {
    const auto answer = ask(shared_engine(), openai, body);
    CHECK(answer.head.status == 400);
    CHECK_THAT(answer.body, contains(says));
  }
}

TEST_CASE("'functions' and 'function_call' are refused", "[tools]") {
  for (const auto& [members, name] : {std::pair(R"("functions":[{"name":"f","parameters":{}}])", "functions"),
                                      {R"("function_call":{"name":"f"})", "function_call"}}) {
    const auto answer = ask(shared_engine(), openai, request(members));
    CHECK(answer.head.status == 400);
    CHECK(parsed(answer)["error"]["param"] == name);
    CHECK_THAT(answer.body, contains("it has 'tools' and 'tool_choice'"));
  }
  CHECK(ask(shared_engine(), openai, request(R"("max_tokens":1,"functions":null)")).head.status == 200);
}

TEST_CASE("a tool without parameters is called with an empty object", "[tools]") {
  const auto bare = R"({"type":"function","function":{"name":"ping"}})";
  const auto choice = choice_of(openai, request(tools(bare) + R"(,"tool_choice":"required")"));
  CHECK(choice["message"]["tool_calls"][0]["function"]["arguments"] == "{}");
}

TEST_CASE("a streamed tool call gives id and name first, then the arguments", "[tools]") {
  const auto body = request(tools(weather + "," + clock_tool) + R"(,"stream":true,"tool_choice":"auto")",
                            "What is the weather and the time of day in Paris?");
  const auto answer = ask(shared_engine(), openai, body);
  std::vector<std::string> arguments;
  std::vector<std::string> names;
  std::string reason;
  for (const auto& chunk : chunks_of(answer)) {
    const auto& choice = chunk["choices"][0];
    if (choice["finish_reason"].is_string()) reason = choice["finish_reason"];
    const auto& delta = choice["delta"];
    CHECK_FALSE(delta.contains("content"));
    if (!delta.contains("tool_calls")) continue;
    REQUIRE(delta["tool_calls"].size() == 1);
    const auto& call = delta["tool_calls"][0];
    const auto index = call["index"].get<std::size_t>();
    if (index == arguments.size()) {
      CHECK(call["type"] == "function");
      CHECK_FALSE(call["id"].get<std::string>().empty());
      CHECK(call["function"]["arguments"] == "");
      names.push_back(call["function"]["name"]);
      arguments.emplace_back();
    } else {
      REQUIRE(index + 1 == arguments.size());  // one call after another
      CHECK_FALSE(call.contains("id"));
      CHECK_FALSE(call.contains("type"));
      CHECK_FALSE(call["function"].contains("name"));
      arguments.back() += call["function"]["arguments"].get<std::string>();
    }
  }
  CHECK(reason == "tool_calls");
  CHECK(names.size() == 2);
  for (const auto& text : arguments) CHECK(json::parse(text).is_object());
}

TEST_CASE("streamed and whole calls fold to equal objects", "[tools]") {
  const auto body = request(tools(weather + "," + clock_tool) + R"(,"n":2,"seed":4)",
                            "What is the weather and the time of day in Paris?");
  const auto [whole, folded] = ask_both_ways(openai, body);
  for (const auto& choice : whole.choices) CHECK(choice.message.tool_calls.size() == 2);
  CHECK(folded == whole);
}

TEST_CASE("a tool call that does not fit has finish_reason length", "[tools]") {
  const auto choice =
      choice_of(openai, request(tools(weather) + R"(,"tool_choice":"required","max_tokens":4)"));
  CHECK(choice["finish_reason"] == "length");
  CHECK(choice["message"]["tool_calls"][0]["function"]["name"] == "get_weather");
}

TEST_CASE("a tool call or reasoning whose beginning does not fit into the window is cut", "[tools]") {
  const auto model = std::make_shared<const BoundedModel>(64);
  engine::Engine engine(
      {.endpoints = {
           {.name = "narrow", .context_window = 64, .model = model},
           {.name = "thinks", .context_window = 64, .reasoning = engine::Reasoning::shown, .model = model}}});
  const auto ask_for = [&](const std::string& name, int letters, const std::string& members) {
    return ask(engine, openai,
               R"({"model":")" + name + R"(","messages":[{"role":"user","content":")" +
                   std::string(static_cast<std::size_t>(letters), '~') + "\"}]" + members + "}");
  };
  const auto calls = "," + tools(weather) + R"(,"tool_choice":"required")";
  int cut = 0;
  for (int letters = 30; letters < 64; ++letters) {
    INFO(letters);
    for (const auto& [name, members] : {std::pair{"narrow", calls}, {"thinks", std::string()}}) {
      INFO(name);
      const auto whole = ask_for(name, letters, members);
      if (whole.head.status == 400) continue;  // the prompt alone is too long
      REQUIRE(whole.head.status == 200);
      const auto streamed = ask_for(name, letters, members + R"(,"stream":true)");
      CHECK_FALSE(streamed.broken);
      CHECK_THAT(streamed.body, contains("[DONE]"));
      if (parsed(whole)["choices"][0]["finish_reason"] != "length") continue;
      ++cut;
      CHECK_THAT(streamed.body, contains(R"("finish_reason":"length")"));
    }
  }
  CHECK(cut > 10);
}

TEST_CASE("parameters of a strict tool are checked against the subset", "[tools]") {
  const auto strict =
      R"({"type":"function","function":{"name":"f","strict":true,"parameters":{"type":"object",
      "properties":{"x":{"type":"string"}},"additionalProperties":false}}})";
  const auto answer = ask(shared_engine(), openai, request(tools(strict)));
  CHECK(answer.head.status == 400);
  const auto error = parsed(answer)["error"];
  CHECK(error["code"] == "invalid_function_parameters");
  CHECK(error["param"] == "tools[0].function.parameters");
  CHECK(error["message"] ==
        "Invalid schema for function 'f': In context=(), 'required' is required to be supplied and to be an "
        "array "
        "including every key in properties. Missing 'x'.");
}

TEST_CASE("Databricks and AI21 have their own form of tool calls", "[tools]") {
  const auto of_databricks =
      R"({"messages":[{"role":"user","content":"What is the weather in Paris?"}],)" + tools(weather) + "}";
  CHECK(choice_of(databricks, of_databricks)["finish_reason"] == "tool_calls");

  const auto loose =
      function("get_weather", "The weather in a city",
               R"({"type":"object","properties":{"degrees":{"type":"float"}},"required":["degrees"]})");
  const HttpRequest asked{
      .url = "http://engine" + ai21,
      .headers = {{"authorization", "Bearer key"}, {"content-type", "application/json"}},
      .body = R"({"model":"jamba-1.5-mini","messages":[{"role":"user","content":"The weather?"}],)" +
              tools(loose) + "}"};
  const auto choice = parsed(ask(shared_engine(), asked))["choices"][0];
  CHECK(choice["finish_reason"] == "stop");
  const auto arguments =
      json::parse(choice["message"]["tool_calls"][0]["function"]["arguments"].get<std::string>());
  CHECK(arguments["degrees"].is_number());
}

TEST_CASE("the Responses API calls functions and takes their outputs", "[tools]") {
  const auto flat =
      R"({"type":"function","name":"get_weather","description":"The current weather in a city","parameters":)" +
      weather_parameters + "}";
  for (const auto& tool : {flat, weather}) {
    const auto asked =
        R"({"model":"inferwire-toy","input":"What is the weather in Paris?",)" + tools(tool) + "}";
    const auto response = parsed(ask(shared_engine(), responses_path, asked));
    CHECK(response["status"] == "completed");
    REQUIRE(response["output"].size() == 1);
    const auto& call = response["output"][0];
    CHECK(call["type"] == "function_call");
    CHECK(call["status"] == "completed");
    CHECK(call["name"] == "get_weather");
    CHECK(call["id"].get<std::string>().starts_with("fc_"));
    CHECK(SchemaValidator(json::parse(weather_parameters))
              .fault(json::parse(call["arguments"].get<std::string>())) == "");
    CHECK(response["tools"][0]["name"] == "get_weather");

    json next = json::parse(asked);
    next["input"] = {
        {{"role", "user"}, {"content", "What is the weather in Paris?"}},
        call,
        {{"type", "function_call_output"}, {"call_id", call["call_id"]}, {"output", "21 degrees"}}};
    CHECK(parsed(ask(shared_engine(), responses_path, next.dump()))["output"][0]["type"] == "message");
    next["input"].push_back({{"role", "developer"}, {"content", "Be brief."}});
    CHECK(parsed(ask(shared_engine(), responses_path, next.dump()))["output"][0]["type"] == "message");
  }
}

TEST_CASE("a stream of function calls has all its events in their order", "[tools]") {
  const auto body =
      R"({"model":"inferwire-toy","stream":true,"input":"What is the weather and the time of day in Paris?",)" +
      tools(weather + "," + clock_tool) + "}";
  std::vector<std::string> order;
  std::vector<std::string> arguments(2);
  responses::Accumulator all;
  responses::Response whole;
  std::size_t number = 0;
  for (const auto& text : ask(shared_engine(), responses_path, body).events()) {
    const auto event = json::parse(text);
    CHECK(event["sequence_number"] == number++);
    const auto type = event["type"].get<std::string>();
    if (order.empty() || order.back() != type) order.push_back(type);
    if (type == "response.function_call_arguments.delta") {
      arguments.at(event["output_index"].get<std::size_t>()) += event["delta"].get<std::string>();
    }
    if (type == "response.function_call_arguments.done") {
      CHECK(event["arguments"] == arguments.at(event["output_index"].get<std::size_t>()));
    }
    if (type == "response.output_item.added") CHECK(event["item"]["arguments"] == "");
    const auto decoded = inferwire::json::decode<responses::Event>(text);
    REQUIRE(decoded);
    all.add(*decoded);
    const auto* const state = decoded->get_if<responses::LifecycleEvent>();
    if (state != nullptr && state->is_terminal()) whole = state->response;
  }
  const std::vector<std::string> one{"response.output_item.added", "response.function_call_arguments.delta",
                                     "response.function_call_arguments.done", "response.output_item.done"};
  std::vector<std::string> expected{"response.created", "response.in_progress"};
  expected.insert(expected.end(), one.begin(), one.end());
  expected.insert(expected.end(), one.begin(), one.end());
  expected.emplace_back("response.completed");
  CHECK(order == expected);
  CHECK(all.take(true) == whole);
  CHECK(whole.finish() == Finish::tool_calls);
}

TEST_CASE("many tools with complex parameters are refused") {
  const std::string text = R"({"type":"string","pattern":"^(a|b)*a(a|b){9}$"})";
  const auto parameters =
      R"({"type":"object","properties":{"x":)" + text + R"(,"y":)" + text + R"(,"z":)" + text + "}}";
  const auto offered = [&](int count) {
    std::string list;
    for (int i = 0; i < count; ++i) {
      list += (i > 0 ? "," : "") + function("f" + std::to_string(i), "Does it", parameters);
    }
    return ask(shared_engine(), openai, request(tools(list)));
  };
  CHECK(offered(4).head.status == 200);
  const auto refused = offered(100);
  CHECK(refused.head.status == 400);
  const auto error = parsed(refused)["error"];
  CHECK(error["code"] == "invalid_function_parameters");
  CHECK_THAT(error["message"].get<std::string>(), contains("it is too complex, with the tools before it"));
}

TEST_CASE("names of functions may have 1,024 bytes on Databricks' mounts, and no more") {
  const auto refusal_of = [](const std::string& path, std::size_t length, bool flat) {
    const auto tool = function(std::string(length, 'f'), "Does it", R"({"type":"object","properties":{}})");
    const auto list =
        tools(flat ? R"({"type":"function","name":")" + std::string(length, 'f') + "\"}" : tool);
    const auto body = flat ? R"({"model":"inferwire-toy","input":"x",)" + list + "}" : request(list);
    return ask(shared_engine(), path, body);
  };
  for (const bool flat : {false, true}) {
    const auto path = flat ? "/serving-endpoints/open-responses" : databricks;
    CHECK(refusal_of(path, 1024, flat).head.status == 200);
    const auto refused = refusal_of(path, 1025, flat);
    CHECK(refused.head.status == 400);
    CHECK_THAT(refused.body, contains(flat ? "'tools[0].name'" : "'tools[0].function.name'"));
  }
}

}  // namespace
