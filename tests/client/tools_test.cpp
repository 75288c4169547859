// Tools: results for the model, and the loop that asks the model until it answers.
#include "inferwire/tools.hpp"

#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/coroutine.hpp"
#include "support/scripted_client.hpp"
#include "wire/documents.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace inferwire;
using testing::Reply;

struct Place {
  std::string city{};
  Optional<int> floor{};
};
INFERWIRE_DESCRIBE(Place, city, floor)

struct Weather {
  double degrees{};
};
INFERWIRE_DESCRIBE(Weather, degrees)

struct Note {
  Json any{};
};
INFERWIRE_DESCRIBE(Note, any)

Toolbox thermometer() {
  Toolbox tools;
  tools.add<Place>("temperature", "How warm it is", [](const Place& place) -> Result<Weather> {
    if (place.city == "Oslo") return Weather{-4.5};
    return Error{.kind = ErrorKind::tool, .detail = "no thermometer there"};
  });
  return tools;
}

/// A chat answer with these calls, each a name and its arguments.
std::string calling(const std::vector<std::pair<std::string, std::string>>& calls,
                    const std::string& finish = "tool_calls") {
  chat::Message message = chat::assistant("");
  for (const auto& [name, arguments] : calls) {
    message.tool_calls.push_back({.id = "c" + std::to_string(message.tool_calls.size() + 1),
                                  .function = chat::FunctionCall{.name = name, .arguments = arguments}});
  }
  chat::Response response;
  response.choices = {{.message = message, .finish_reason = FinishReason(finish)}};
  response.usage = Usage{.prompt_tokens = 10, .completion_tokens = 2};
  return json::encode(response).value();
}
std::string saying(std::string text) {
  chat::Response response;
  response.choices = {
      {.message = chat::assistant(std::move(text)), .finish_reason = FinishReason(FinishReason::stop)}};
  response.usage = Usage{.prompt_tokens = 20, .completion_tokens = 3, .total_tokens = 23};
  return json::encode(response).value();
}

struct Scripted : inferwire_test::ScriptedClient {
  Scripted() : ScriptedClient({}, {.api_key = "k", .retry = RetryPolicy::none()}) {}
};

const chat::Request question{.model = "m", .messages = {chat::user("How warm is it in Oslo?")}};

/// A loop that is driven by hand: the model asks for a temperature, and then answers.
chat::ToolLoop asking_for_oslo(const Scripted& at) {
  at.script->push(Reply::json(calling({{"temperature", R"({"city":"Oslo"})"}})));
  at.script->push(Reply::json(saying("Cold.")));
  return chat::ToolLoop(question, thermometer());
}

}  // namespace

TEST_CASE("Toolbox::add takes functions that return text, JSON, numbers, structs, void or Result") {
  Toolbox tools;
  tools.add("text", "", [] { return "warm"; })
      .add("view", "", [] { return std::string("cold"); })
      .add("json", "", [] { return Json::raw("[1]"); })
      .add("number", "", [] { return 1.5; })
      .add("count", "", [] { return 7U; })
      .add("truth", "", [] { return true; })
      .add("nothing", "", [] {})
      .add<Place>("struct", "", [](const Place& place) { return Weather{place.floor.value_or(1) / 2.0}; })
      .add<Place>("by_value", "", [](Place place) { return place.city; })
      .add("told", "", [](const Place& place) { return place.city; })
      .add("mutable", "",
           [kept = std::make_unique<int>(4)](Place place) mutable { return ++*kept, place.city; })
      .add("result", "", []() -> Result<int> { return 3; })
      .add("done", "", []() -> Result<void> { return {}; })
      .add("raw", "", Json::raw(R"({"type":"object"})"),
           [](const Json& arguments) -> Result<std::string> { return arguments.text(); });
  CHECK(tools.call("text", "{}") == "warm");
  CHECK(tools.call("view", "") == "cold");
  CHECK(tools.call("json", " ") == "[1]");
  CHECK(tools.call("number", "{}") == "1.5");
  CHECK(tools.call("count", "{}") == "7");
  CHECK(tools.call("truth", "{}") == "true");
  CHECK(tools.call("nothing", "{}") == "done");
  CHECK(tools.call("struct", R"({"city":"Oslo","floor":3})") == R"({"degrees":1.5})");
  for (const auto* const name : {"by_value", "told", "mutable"})
    CHECK(tools.call(name, R"({"city":"Oslo"})") == "Oslo");
  CHECK(tools.call("result", "{}") == "3");
  CHECK(tools.call("done", "{}") == "done");
  CHECK(tools.call("raw", R"({"a": 1.10})") == R"({"a": 1.10})");
  tools.add("words", "", [] { return std::string_view("still"); })
      .add("list", "", [] { return std::vector<Weather>{{1}, {2}}; })
      .add("maybe", "", []() -> Result<Optional<int>> { return Optional<int>(); })
      .add("large", "", [] { return ~std::uint64_t{0}; })
      .add("moved", "", [owned = std::make_unique<int>(4)] { return *owned; })
      .add("latin", "", [] { return std::string("caf\xE9"); })
      .add("unset", "", []() -> const char* { return nullptr; });
  CHECK(tools.call("words", "{}") == "still");
  CHECK(tools.call("list", "{}") == R"([{"degrees":1},{"degrees":2}])");
  CHECK(tools.call("maybe", "{}") == "null");
  CHECK(tools.call("large", "{}") == "18446744073709551615");
  CHECK(tools.call("moved", "{}") == "4");
  CHECK(tools.call("unset", "{}") == "The call failed: it returned no text.");
  // A result that cannot be sent would end the conversation for good.
  CHECK(tools.call("latin", "{}") == "The call failed: its text is not UTF-8.");
  CHECK(Toolbox().call("x", "{}") == "There is no tool 'x'.");
}

TEST_CASE("Toolbox::add with a schema and add_custom take functions that return what others may") {
  const auto schema = Json::raw(R"({"type":"object"})");
  const Toolbox::Function kept = [](const Json&) { return std::string("kept"); };
  const std::function<int(Json)> other = [](const Json&) { return 4; };
  Toolbox tools;
  tools.add("text", "", schema, [](const Json&) { return "warm"; })
      .add("number", "", schema, [](const Json&) { return 1.5; })
      .add("same", "", schema, [](const Json& arguments) { return arguments; })
      .add("struct", "", schema, [](Json) { return Weather{2}; })
      .add("nothing", "", schema, [](const Json&) {})
      .add("result", "", schema, [](const auto&) -> Result<int> { return 3; })
      .add("error", "", schema, [](const Json&) { return Error{.detail = "no luck"}; })
      .add("moved", "", schema, [count = std::make_unique<int>(4)](const Json&) mutable { return ++*count; })
      .add("kept", "", schema, kept)
      .add("other", "", schema, other)
      .add_custom("length", "", [](const std::string& input) { return input.size(); })
      .add_custom("owner", "", [kept = std::make_unique<int>(4)](std::string_view) { return *kept; })
      .add_custom("none", "", [](const std::string&) {})
      .add_custom("given", "", Toolbox::TextFunction([](const std::string& input) { return input; }));
  CHECK(tools.call("text", "{}") == "warm");
  CHECK(tools.call("number", "{}") == "1.5");
  CHECK(tools.call("same", R"({"a": 1.10})") == R"({"a": 1.10})");
  CHECK(tools.call("struct", "{}") == R"({"degrees":2})");
  CHECK(tools.call("nothing", "{}") == "done");
  CHECK(tools.call("result", "{}") == "3");
  CHECK(tools.call("error", "{}") == "The call failed: no luck.");
  CHECK(tools.call("moved", "{}") == "5");
  CHECK(tools.call("moved", "{}") == "6");
  CHECK(tools.call("kept", "{}") == "kept");
  CHECK(tools.call("other", "{}") == "4");
  CHECK(tools.call("length", "three") == "5");
  CHECK(tools.call("owner", "x") == "4");
  CHECK(tools.call("none", "x") == "done");
  CHECK(tools.call("given", "x") == "x");
}

TEST_CASE("Toolbox::call tells what was wrong with the arguments, and nothing of an exception") {
  auto tools = thermometer();
  tools.add("broken", "", []() -> std::string { throw std::runtime_error("password: secret"); });
  CHECK(tools.call("wind", "{}") == "There is no tool 'wind'. There are: temperature, broken.");
  CHECK_THAT(tools.call("temperature", "{\"city\":"), inferwire_test::contains("not JSON"));
  CHECK(tools.call("temperature", "[1]") == "The arguments are not a JSON object.");
  CHECK(tools.call("temperature", "{}") == "The call failed: city: it is missing.");
  CHECK(tools.call("temperature", R"({"city":5})") ==
        "The call failed: city: expected a string, but got a number.");
  CHECK(tools.call("temperature", R"({"city":"Ur"})") == "The call failed: no thermometer there.");
  CHECK(tools.call("broken", "{}") == "The call failed.");
}

TEST_CASE("Toolbox::run says whether a call failed, and why") {
  auto tools = thermometer();
  tools.add("broken", "", []() -> std::string { throw std::runtime_error("connection to db01 lost"); })
      .add("odd", "", []() -> std::string { throw 7; })
      .add("busy", "", []() -> Result<int> { return Error{.kind = ErrorKind::rate_limit, .status = 429}; })
      .add("latin", "", [] { return std::string("caf\xE9"); });
  const auto good = tools.run("c1", "temperature", R"({"city":"Oslo"})");
  CHECK(good.id == "c1");
  CHECK(good.name == "temperature");
  CHECK(good.arguments == R"({"city":"Oslo"})");
  CHECK(good.result == R"({"degrees":-4.5})");
  CHECK_FALSE(good.error);

  const auto failure = [&tools](const std::string& name, const std::string& arguments = "{}") {
    return tools.run("c1", name, arguments).error.value();
  };
  CHECK(failure("temperature", R"({"city":"Ur"})") ==
        Error{.kind = ErrorKind::tool, .detail = "no thermometer there"});
  CHECK(failure("temperature").kind == ErrorKind::schema);
  CHECK(failure("temperature").path == "city");
  CHECK(failure("temperature", "[]").detail == "the arguments are not a JSON object");
  CHECK_THAT(failure("temperature", "{").detail, inferwire_test::contains("the arguments are not JSON: "));
  CHECK(failure("broken") ==
        Error{.kind = ErrorKind::tool, .detail = "the tool threw: connection to db01 lost"});
  CHECK(failure("odd").detail == "the tool threw");
  CHECK(failure("latin").detail == "its text is not UTF-8");
  CHECK(failure("wind").kind == ErrorKind::tool);
  CHECK(failure("wind").detail ==
        "there is no tool 'wind'. There are: temperature, broken, odd, busy, latin");
  // An error without a detail leaves nothing to add.
  const auto busy = tools.run("c1", "busy", "");
  CHECK(busy.result == "The call failed.");
  CHECK(busy.error.value().status == 429);
}

TEST_CASE("a function of a Toolbox may add functions and replace itself while it runs") {
  Toolbox tools;
  const std::string first = "a text that is too long to be kept inside the object";
  tools.add("refresh", "Looks for tools", [&tools, first] {
    tools.add("refresh", "Looks again", [] { return "again"; });
    for (int i = 0; i < 20; ++i) tools.add("tool" + std::to_string(i), "", [i] { return i; });
    return first;
  });
  CHECK(tools.call("refresh", "{}") == first);
  CHECK(tools.call("refresh", "{}") == "again");
  CHECK(tools.call("tool19", "{}") == "19");
}

TEST_CASE("Toolbox::for_chat and for_responses give the schemas of the functions") {
  auto tools = thermometer();
  chat::Request request = question;
  request.tools = tools.for_chat();
  const std::string schema =
      R"("parameters":{"type":"object","properties":{"city":{"type":"string"},"floor":{"type":["integer","null"]}},)"
      R"("required":["city","floor"],"additionalProperties":false})";
  CHECK_THAT(json::encode(request).value(),
             inferwire_test::contains(R"("tools":[{"type":"function","function":{"name":"temperature",)"
                                      R"("description":"How warm it is",)" +
                                      schema + "}}]"));
  CHECK(tools.for_responses().at(0).name == "temperature");
  CHECK_FALSE(tools.for_responses().at(0).strict);
  tools.add("note", "", [](const Note& note) { return note.any; });
  CHECK_FALSE(tools.for_chat().at(1).function->strict);
  tools.set_strict(true);
  CHECK(tools.for_chat().at(0).function->strict == true);
  // OpenAI refuses the request if one schema claims to be strict and is not.
  CHECK(tools.for_chat().at(1).function->strict == false);
  CHECK(tools.for_responses().at(1).strict == false);
  const auto is_strict = [](const std::string& parameters) {
    Toolbox own;
    own.set_strict(true).add("own", "", Json::raw(parameters),
                             [](const Json& arguments) { return arguments; });
    CHECK(own.for_chat().at(0).function->strict == own.for_responses().at(0).strict);
    return own.for_responses().at(0).strict;
  };
  const std::string two = R"("properties":{"a":{"type":"string"},"b":{"type":["null","string"]}})";
  CHECK(is_strict(R"({"additionalProperties":false, "required":["b","a"],"type":"object",)" + two + "}") ==
        true);
  CHECK(is_strict(R"({"type":"object",)" + two + R"(,"required":["a","b"]})") == false);
  CHECK(is_strict(R"({"type":"object",)" + two + R"(,"required":["a"],"additionalProperties":false})") ==
        false);
  CHECK(is_strict(R"({"type":"object"})") == false);
  CHECK(is_strict(R"({"type":["object"],)" + two +
                  R"(,"required":["a","b"],"additionalProperties":false})") == false);
  CHECK(is_strict(R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",)" + two +
                  R"(,"required":["a","b"],"additionalProperties":false})") == true);
  CHECK(is_strict(R"({"type":"object","properties":{"$schema":{"type":"string"}},"required":["$schema"],)"
                  R"("additionalProperties":false})") == true);
  const std::string annotated = R"({"type":"string","examples":["x"]})";  // OpenAI refuses `examples`
  CHECK(is_strict(R"({"type":"object","properties":{"a":)" + annotated +
                  R"(},"required":["a"],"additionalProperties":false})") == false);
  const std::string none = R"({"type":"object","properties": { },"additionalProperties":false})";
  CHECK(is_strict(none) == true);
  CHECK(is_strict(R"({"type":"object","properties":{"a":)" + none +
                  R"(},"required":["a"],"additionalProperties":false})") == true);
  CHECK(is_strict(R"({"type":"object","properties":{},"required":["a"],"additionalProperties":false})") ==
        false);
  CHECK(is_strict("{") == false);
  // A second function with the same name replaces the first one.
  tools.add("temperature", "", [] { return "20"; });
  REQUIRE(tools.for_chat().size() == 2);
  CHECK(tools.for_chat().back().function->strict == true);
  CHECK(tools.call("temperature", "{}") == "20");
}

TEST_CASE("Toolbox::add_custom gives its function the model's text unchanged") {
  Toolbox tools;
  tools.add_custom("shell", "Runs a command", [](const std::string& input) { return "ran " + input; })
      .add_custom(
          "sum", "Adds numbers", [](const std::string& input) { return input; },
          chat::Grammar{.definition = "start: /[0-9+]+/"})
      .add_custom("broken", "",
                  [](const std::string&) -> std::string { throw std::runtime_error("secret"); });
  CHECK(tools.call("shell", "ls {\n") == "ran ls {\n");
  CHECK(tools.call("shell", "") == "ran ");
  CHECK(tools.call("broken", "x") == "The call failed.");

  chat::Request request{.model = "m", .tools = tools.for_chat()};
  request.tools.pop_back();
  CHECK(json::encode(request).value() ==
        R"({"model":"m","messages":[],"tools":[)"
        R"({"type":"custom","custom":{"name":"shell","description":"Runs a command"}},)"
        R"({"type":"custom","custom":{"name":"sum","description":"Adds numbers",)"
        R"("format":{"type":"grammar","grammar":{"syntax":"lark","definition":"start: /[0-9+]+/"}}}}]})");
  responses::Request next{.model = "m", .input = "x", .tools = tools.for_responses()};
  next.tools.pop_back();
  CHECK(
      json::encode(next).value() ==
      R"({"model":"m","input":"x","tools":[{"type":"custom","name":"shell","description":"Runs a command"},)"
      R"({"type":"custom","name":"sum","description":"Adds numbers",)"
      R"("format":{"type":"grammar","syntax":"lark","definition":"start: /[0-9+]+/"}}]})");

  chat::ToolLoop loop(question, tools);
  chat::Response calls;
  calls.choices.resize(1);
  calls.choices[0].message.tool_calls = {
      {.id = "c1", .type = "custom", .custom = chat::CustomCall{.name = "shell", .input = "ls"}}};
  loop.take(calls);
  REQUIRE(loop.calls().size() == 1);
  CHECK(loop.calls()[0].arguments == "ls");
  CHECK(loop.request().messages.back() == chat::tool("c1", "ran ls"));

  responses::ToolLoop other({.model = "m", .input = "x"}, tools);
  responses::Response response;
  response.output = {responses::CustomToolCall{.call_id = "c1", .name = "shell", .input = "ls"}};
  other.take(response);
  REQUIRE(other.calls().size() == 1);
  CHECK(other.calls()[0].arguments == "ls");
  CHECK(other.calls()[0].result == "ran ls");
}

TEST_CASE("a custom call to a function of its name keeps its text") {
  const auto tools = thermometer();
  responses::ToolLoop loop({.model = "m", .input = "x"}, tools);
  responses::Response response;
  response.output = {responses::CustomToolCall{.call_id = "c1", .name = "temperature", .input = "Oslo"}};
  loop.take(response);
  CHECK(loop.calls().at(0).arguments == "Oslo");
  CHECK_THAT(loop.calls().at(0).result, inferwire_test::contains("not JSON"));
}

TEST_CASE("responses::ToolLoop copies 'caller' from the call to the result") {
  const auto tools = thermometer();
  const auto program = Json::raw(R"({"type":"program","caller_id":"p1"})");
  responses::FunctionCall call{.call_id = "c1", .name = "temperature"};
  call.extra.set("caller", program);
  responses::CustomToolCall custom{.call_id = "c2", .name = "shell"};
  custom.extra.set("caller", program);
  responses::Response response;
  response.output = {call, custom, responses::FunctionCall{.call_id = "c3", .name = "temperature"}};
  responses::ToolLoop loop({.model = "m"}, tools);
  loop.take(response);
  const auto& items = std::get<std::vector<responses::Item>>(*loop.request().input);
  REQUIRE(items.size() == 6);
  const auto* const first = std::get<responses::FunctionCallOutput>(items[3]).extra.find("caller");
  const auto* const second = std::get<responses::CustomToolCallOutput>(items[4]).extra.find("caller");
  REQUIRE(first != nullptr);
  REQUIRE(second != nullptr);
  CHECK(*first == program);
  CHECK(*second == program);
  CHECK(std::get<responses::FunctionCallOutput>(items[5]).extra.empty());
}

TEST_CASE("ToolLoop::usage sums the tokens of all answers") {
  Toolbox tools;
  tools.add("grip", "", [] {});
  responses::ToolLoop loop({.model = "m", .input = "x"}, tools);
  responses::Response calls;
  calls.output = {responses::FunctionCall{.call_id = "c1", .name = "grip"}};
  calls.usage = Usage{.input_tokens = 100, .output_tokens = 10};
  loop.take(calls);
  CHECK_FALSE(loop.usage().prompt_tokens_details);
  CHECK_FALSE(loop.usage().completion_tokens_details);
  calls.usage->input_tokens_details = PromptTokensDetails{.cached_tokens = 90, .cache_write_tokens = 5};
  calls.usage->output_tokens_details = CompletionTokensDetails{.reasoning_tokens = 4};
  loop.take(calls);
  loop.take(calls);
  CHECK(loop.usage().prompt() == 300);
  CHECK(loop.usage().completion() == 30);
  CHECK(loop.usage().total() == 330);
  CHECK(loop.usage().cached() == 180);
  CHECK(loop.usage().cache_write() == 10);
  CHECK(loop.usage().reasoning() == 8);
  // Impossible counts are left out.
  for (const std::int64_t count : {INT64_MAX, INT64_MIN, std::int64_t{-1}}) {
    calls.usage = Usage{.input_tokens = count};
    loop.take(calls);
    CHECK(loop.usage().prompt() == 300);
  }
}

TEST_CASE("ToolLoop::run asks until the model answers, and sends the result of each call") {
  const auto tools = thermometer();
  Scripted at;
  at.script->push(Reply::json(
      calling({{"temperature", R"({"city":"Oslo"})"}, {"temperature", R"({"city":"Ur"})"}, {"wind", ""}})));
  at.script->push(Reply::json(saying("It is cold.")));
  chat::ToolLoop loop(question, tools);
  const auto reply = loop.run(at.client);
  REQUIRE(reply);
  CHECK(reply->text() == "It is cold.");
  CHECK(loop.state() == ToolLoopState::answered);
  CHECK(loop.usage().prompt_tokens == 30);
  CHECK(loop.usage().completion_tokens == 5);
  CHECK(loop.usage().total_tokens == 35);
  const auto& messages = loop.request().messages;
  REQUIRE(messages.size() == 6);
  CHECK(messages[1].tool_calls.size() == 3);
  CHECK(messages[2] == chat::tool("c1", R"({"degrees":-4.5})"));
  CHECK(messages[3] == chat::tool("c2", "The call failed: no thermometer there."));
  CHECK(messages[4] == chat::tool("c3", "There is no tool 'wind'. There are: temperature."));
  CHECK(messages[5] == chat::assistant("It is cold."));
  const auto sent = at.script->requests();
  REQUIRE(sent.size() == 2);
  CHECK_THAT(sent[1].body, inferwire_test::contains(R"("tool_call_id":"c3")"));

  // A loop that has ended continues with the caller's next message.
  at.script->push(Reply::json(saying("Yes.")));
  loop.request().messages.push_back(chat::user("Sure?"));
  CHECK(loop.run(at.client).value().text() == "Yes.");
  CHECK(at.script->requests().size() == 3);
}

TEST_CASE("ToolLoop keeps the reasoning of answers after calls that had reasoning") {
  // https://api-docs.deepseek.com/guides/thinking_mode
  const auto tools = thermometer();
  for (const bool reasoned : {true, false}) {
    CAPTURE(reasoned);
    chat::Response calls;
    calls.choices.resize(1);
    calls.choices[0].message.tool_calls = {
        {.id = "c1", .function = chat::FunctionCall{.name = "temperature", .arguments = "{}"}}};
    if (reasoned) calls.choices[0].message.reasoning_content = "I must look.";
    chat::Response answer;
    answer.choices = {{.message = chat::assistant("Cold.")}};
    answer.choices[0].message.reasoning_content = "It is below zero.";
    chat::ToolLoop loop(question, tools);
    loop.take(answer);  // nothing tells yet that the service takes its reasoning back
    loop.go_on();
    for (const auto& reply : {calls, answer}) loop.take(reply);
    CHECK(loop.state() == ToolLoopState::answered);
    const auto& messages = loop.request().messages;
    REQUIRE(messages.size() == 5);
    CHECK_FALSE(messages[1].reasoning_content);
    CHECK(messages[4].reasoning_content == (reasoned ? answer.message()->reasoning_content : std::nullopt));
  }
}

TEST_CASE("ToolLoop::take drives a loop by hand, and calls() shows its calls") {
  Scripted at;
  auto loop = asking_for_oslo(at);
  std::vector<std::string> called;
  while (loop.state() == ToolLoopState::asking) {
    loop.take(at.client.chat.stream(loop.request()).collect());
    for (const auto& call : loop.calls()) called.push_back(call.name + call.arguments + call.result);
  }
  CHECK(called == std::vector<std::string>{R"(temperature{"city":"Oslo"}{"degrees":-4.5})"});
  CHECK(loop.response().text() == "Cold.");
}

TEST_CASE("a new ToolLoop goes on with a stored request and the stored answer that calls tools") {
  Scripted at;
  const auto asking = asking_for_oslo(at);
  const auto request = to_json(asking.request());
  const auto answer = to_json(at.client.chat.create(asking.request()).value());

  chat::ToolLoop loop(from_json<chat::Request>(request.value()).value(), thermometer());
  loop.take(from_json<chat::Response>(answer.value()));
  CHECK(loop.request().messages.back() == chat::tool("c1", R"({"degrees":-4.5})"));
  CHECK(loop.run(at.client).value().text() == "Cold.");
}

TEST_CASE("ToolLoop::take takes streams that a coroutine collects") {
  Scripted at;
  auto loop = asking_for_oslo(at);
  inferwire_test::Baton<ToolLoopState> ended;
  [](const Client& client, chat::ToolLoop& asking, auto& out) -> inferwire_test::Detached {
    while (asking.state() == ToolLoopState::asking) {
      asking.take(co_await client.chat.open(asking.request()).collect());
    }
    out.pass(asking.state());
  }(at.client, loop, ended);
  CHECK(ended.take() == ToolLoopState::answered);
  CHECK(loop.response().text() == "Cold.");
}

TEST_CASE("ToolLoop gives calls without an id different ids") {  // as from Gemini
  const auto tools = thermometer();
  Scripted at;
  const auto same = R"({"created":1,"choices":[{"index":0,"finish_reason":"stop","message":{"tool_calls":[)"
                    R"({"id":"","function":{"name":"temperature","arguments":"{\"city\":\"Oslo\"}"}}]}}]})";
  for (int i = 0; i < 3; ++i) at.script->push(Reply::json(same));
  at.script->push(Reply::json(saying("Cold.")));
  chat::ToolLoop loop(question, tools);
  std::set<std::string> ids;
  while (loop.state() == ToolLoopState::asking) {
    loop.take(at.client.chat.create(loop.request()));
    for (const auto& call : loop.calls()) {
      ids.insert(call.id);
      CHECK(loop.response().choices.at(0).message.tool_calls.at(0).id == call.id);
      const auto& messages = loop.request().messages;
      CHECK(messages.at(messages.size() - 2).tool_calls.at(0).id == call.id);
      CHECK(messages.back().tool_call_id == call.id);
    }
  }
  CHECK(ids.size() == 3);
  CHECK(loop.response().text() == "Cold.");
}

TEST_CASE("ToolLoop runs no call of an answer that was cut or filtered") {
  for (const auto& [finish, kind] :
       {std::pair<std::string, ErrorKind>{"length", ErrorKind::length},
        {"MAX_TOKENS", ErrorKind::length},  // https://github.com/QwenLM/qwen-code/issues/9882
        {"content_filter", ErrorKind::content_filter},
        {"abort", ErrorKind::truncated},
        {"MALFORMED_FUNCTION_CALL", ErrorKind::truncated}}) {
    CAPTURE(finish);
    const auto tools = thermometer();
    Scripted at;
    at.script->push(Reply::json(calling({{"temperature", R"({"city":"Os)"}}, finish)));
    chat::ToolLoop loop(question, tools);
    CHECK(loop.run(at.client).error().kind == kind);
    CHECK(loop.state() == ToolLoopState::cut);
    CHECK(loop.calls().empty());
    CHECK(loop.request().messages.size() == 1);
    CHECK(loop.response().choices.at(0).message.tool_calls.size() == 1);
  }
}

TEST_CASE("ToolLoop runs no call after a cancellation, and their results say so") {
  CancelSource stop;
  std::vector<std::string> ran;
  Toolbox tools;
  tools
      .add("stop", "",
           [&] {
             ran.emplace_back("stop");
             stop.cancel();
           })
      .add("grip", "", [&] { ran.emplace_back("grip"); });
  Scripted at;
  at.script->push(Reply::json(calling({{"stop", "{}"}, {"grip", "{}"}, {"wind", "{}"}})));
  chat::ToolLoop loop(question, tools);
  CHECK(loop.run(at.client, {.cancel = stop.token()}).error().kind == ErrorKind::cancelled);
  CHECK(loop.state() == ToolLoopState::failed);
  CHECK(ran == std::vector<std::string>{"stop"});
  REQUIRE(loop.calls().size() == 3);
  CHECK(loop.calls()[2].result == "The call was not made: the program cancelled it.");
  CHECK_FALSE(loop.calls()[0].error);
  CHECK(loop.calls()[2].error.value().kind == ErrorKind::cancelled);
  REQUIRE(loop.request().messages.size() == 5);
  CHECK(loop.request().messages[2] == chat::tool("c1", "done"));
  CHECK(loop.request().messages[3] == chat::tool("c2", "The call was not made: the program cancelled it."));
  CHECK(loop.request().messages[4] == chat::tool("c3", "The call was not made: the program cancelled it."));
  // The loop continues after the cancellation.
  at.script->push(Reply::json(saying("Stopped.")));
  CHECK(loop.run(at.client).value().text() == "Stopped.");
  CHECK(ran.size() == 1);

  // A Responses loop that is driven by hand stops in the same way.
  responses::ToolLoop other({.model = "m", .input = "Stop!"}, tools);
  responses::Response calls;
  calls.output = {responses::FunctionCall{.call_id = "c1", .name = "grip", .arguments = "{}"},
                  responses::CustomToolCall{.call_id = "c2", .name = "grip"}};
  other.take(calls, stop.token());
  CHECK(other.error().value().kind == ErrorKind::cancelled);
  CHECK(std::get<std::vector<responses::Item>>(*other.request().input).size() == 5);
  CHECK(ran.size() == 1);
}

TEST_CASE("ToolLoop::go_on runs no call of an exhausted loop after a cancellation") {
  CancelSource stop;
  int ran = 0;
  Toolbox tools;
  tools.add("stop", "", [&] { stop.cancel(); }).add("grip", "", [&] { ++ran; });
  Scripted at;
  at.script->push(Reply::json(calling({{"stop", "{}"}, {"grip", "{}"}})));
  chat::ToolLoop loop(question, tools, 1);
  CHECK(loop.run(at.client).error().kind == ErrorKind::tool);
  REQUIRE(loop.state() == ToolLoopState::exhausted);
  loop.go_on(stop.token());
  CHECK(loop.state() == ToolLoopState::failed);
  CHECK(loop.error().value().kind == ErrorKind::cancelled);
  CHECK(ran == 0);
  REQUIRE(loop.request().messages.size() == 4);
  CHECK(loop.request().messages[3] == chat::tool("c2", "The call was not made: the program cancelled it."));
  at.script->push(Reply::json(saying("Stopped.")));
  CHECK(loop.run(at.client).value().text() == "Stopped.");
}

TEST_CASE("ToolLoop runs no call that a stream broke off in") {
  int ran = 0;
  Toolbox tools;
  tools.add("grip", "", [&] { ++ran; });
  const auto stream_of = [](const std::string& arguments, const std::string& finish) {
    return Reply::stream({R"(data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1",)"
                          R"("function":{"name":"grip","arguments":")" +
                              arguments + R"("}}]},"finish_reason":)" + finish + "}]}\n\n",
                          "data: [DONE]\n\n"});
  };
  const auto run = [&](const Reply& reply, bool complete) {
    ran = 0;
    Scripted at;
    at.script->push(reply);
    chat::ToolLoop loop(question, tools);
    if (complete) {
      loop.take(at.client.chat.stream(loop.request()).collect());
    } else {  // takes what arrived
      loop.take(at.client.chat.stream(loop.request()).collect().response);
    }
    CHECK(loop.request().messages.size() == (ran == 0 ? 1 : 3));
    if (ran == 0) CHECK(loop.error().value().kind == ErrorKind::truncated);
    return loop.state();
  };
  for (const std::string arguments : {"", " ", "{", R"({\"a\":)"}) {
    CAPTURE(arguments);
    CHECK(run(stream_of(arguments, "null"), true) == ToolLoopState::cut);
    CHECK(ran == 0);
    auto broken = stream_of(arguments, "null");
    broken.body.pop_back();
    broken.ending = testing::Ending::cut;
    CHECK(run(broken, false) == ToolLoopState::cut);
    CHECK(ran == 0);
  }
  // Calls that are finished, or whose arguments are complete, are run. Some servers send "" for no arguments.
  CHECK(run(stream_of("", R"("tool_calls")"), true) == ToolLoopState::asking);
  CHECK(ran == 1);
  CHECK(run(stream_of("{}", "null"), true) == ToolLoopState::asking);
  CHECK(ran == 1);

  // A stream of responses that reports nothing but its beginning.
  Scripted at;
  at.script->push(Reply::stream({R"(data: {"type":"response.output_item.added","output_index":0,"item":)"
                                 R"({"type":"function_call","call_id":"c1","name":"grip","arguments":""}})"
                                 "\n\n",
                                 "data: [DONE]\n\n"}));
  responses::ToolLoop untold({.model = "m", .input = "Grip."}, tools);
  untold.take(at.client.responses.stream(untold.request()).collect());
  CHECK(untold.state() == ToolLoopState::cut);
  CHECK(ran == 1);

  responses::ToolLoop loop({.model = "m", .input = "Grip."}, tools);
  responses::FunctionCall cut{.call_id = "c1", .name = "grip"};
  responses::CustomToolCall custom{.call_id = "c1", .name = "grip"};
  cut.status = "incomplete";
  custom.status = "incomplete";
  for (const responses::Item& item : {responses::Item(cut), responses::Item(custom)}) {
    responses::Response response;
    response.output = {item};
    loop.take(response);
    CHECK(loop.state() == ToolLoopState::cut);
  }
  CHECK(ran == 1);
}

TEST_CASE("ToolLoop runs the calls of an answer without a finish_reason") {
  Toolbox tools;
  int ran = 0;
  tools.add("grip", "", [&] { ++ran; });
  Scripted at;
  at.script->push(Reply::json(R"({"choices":[{"index":0,"message":{"role":"assistant","tool_calls":[)"
                              R"({"id":"c1","function":{"name":"grip","arguments":""}}]}}]})"));
  at.script->push(Reply::json(saying("Done.")));
  CHECK(chat::ToolLoop(question, tools).run(at.client).value().text() == "Done.");
  CHECK(ran == 1);
}

TEST_CASE("ToolLoop ignores 'inferwire:incomplete' in a server's answer") {
  Toolbox tools;
  int ran = 0;
  tools.add("grip", "", [&] { ++ran; });
  Scripted at;
  at.script->push(Reply::json(
      R"({"choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","tool_calls":[)"
      R"({"id":"c1","inferwire:incomplete": true,"function":{"name":"grip","arguments":"{}"}}]}}]})"));
  at.script->push(Reply::json(saying("Done.")));
  CHECK(chat::ToolLoop(question, tools).run(at.client).value().text() == "Done.");
  CHECK(ran == 1);
}

TEST_CASE("ToolLoop ends after max requests with Error{tool}") {
  const auto tools = thermometer();
  Scripted at;
  for (int i = 0; i < 4; ++i) at.script->push(Reply::json(calling({{"temperature", R"({"city":"Oslo"})"}})));
  at.script->push(Reply::json(saying("Cold.")));
  chat::ToolLoop loop(question, tools, 3);
  CHECK(loop.run(at.client).error().kind == ErrorKind::tool);
  CHECK(loop.state() == ToolLoopState::exhausted);
  std::ostringstream state;
  state << loop.state();
  CHECK(state.str() == "exhausted");
  CHECK(at.script->requests().size() == 3);
  CHECK(loop.request().messages.size() == 5);  // not counting the last calls
  loop.request().messages.push_back(chat::user("Sum up."));
  loop.go_on();
  CHECK_FALSE(loop.error());
  REQUIRE(loop.request().messages.size() == 8);
  CHECK(loop.request().messages[5].tool_calls.size() == 1);
  CHECK(loop.request().messages[6].role == chat::Role::tool);
  CHECK(loop.request().messages[7] == chat::user("Sum up."));
  CHECK(loop.run(at.client).value().text() == "Cold.");  // after one more call: the count starts over
}

TEST_CASE(
    "ToolLoop::go_on splits no call from its result, whatever the program has put first, repeated or "
    "removed") {
  const auto tools = thermometer();
  using Messages = std::vector<chat::Message>;
  const auto roles_after = [&tools](const auto& change) {
    chat::ToolLoop loop({.model = "m", .messages = {chat::user("?"), chat::assistant("!"), chat::user("?")}},
                        tools, 2);
    for (int i = 0; i < 2; ++i)
      loop.take(inferwire::from_json<chat::Response>(Json::raw(calling({{"temperature", "{}"}}))));
    REQUIRE(loop.state() == ToolLoopState::exhausted);
    change(loop.request().messages);
    loop.go_on();
    std::string roles;
    for (const auto& message : loop.request().messages)
      roles += message.text() == "cut" ? 'c' : message.role.str().at(0);
    return roles;
  };
  const auto put_first = [](Messages& all) { all.insert(all.begin(), chat::system("Be brief.")); };
  CHECK(roles_after(put_first) == "suauatat");
  CHECK(roles_after([](Messages& all) {
          all.erase(all.begin(), all.begin() + 2);
          all.push_back(chat::user("Sum up."));
        }) == "uatatu");
  CHECK(roles_after([&put_first](Messages& all) {
          all.back().content = "cut";
          put_first(all);
          put_first(all);
        }) == "ssuauacat");
  CHECK(roles_after([](Messages& all) { all.push_back(all.back()); }) == "uauatatt");
  CHECK(roles_after([](Messages& all) {
          all.back().content = "cut";
          all.push_back(chat::user("Sum up."));
        }) == "uauacatu");
}

TEST_CASE("ToolLoop sends ten requests at most, by default") {
  const auto tools = thermometer();
  Scripted at;
  for (int i = 0; i < 11; ++i) at.script->push(Reply::json(calling({{"temperature", R"({"city":"Oslo"})"}})));
  chat::ToolLoop loop(question, tools);
  const auto reply = loop.run(at.client);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::tool);
  CHECK_THAT(reply.error().detail, inferwire_test::contains("after 10 requests"));
  CHECK(loop.state() == ToolLoopState::exhausted);
  CHECK(at.script->requests().size() == 10);
}

TEST_CASE("ToolLoop sends at least one request") {
  const auto tools = thermometer();
  for (const int most : {0, std::numeric_limits<int>::min()}) {
    Scripted at;
    at.script->push(Reply::json(calling({{"temperature", R"({"city":"Oslo"})"}})));
    chat::ToolLoop loop(question, tools, most);
    CHECK_THAT(loop.run(at.client).error().detail, inferwire_test::contains("after 1 request"));
    CHECK(loop.state() == ToolLoopState::exhausted);
  }
}

TEST_CASE("ToolLoop takes an answer without choices for Error{decode}") {
  const auto tools = thermometer();
  Scripted at;
  at.script->push(Reply::json(R"({"choices":[]})"));
  at.script->push(Reply::json(saying("Cold.")));
  chat::ToolLoop loop(question, tools);
  CHECK(loop.run(at.client).error().kind == ErrorKind::decode);
  CHECK(loop.state() == ToolLoopState::failed);
  CHECK(loop.request().messages.size() == 1);
  CHECK(loop.response().text().empty());
  CHECK(loop.run(at.client).value().text() == "Cold.");

  responses::ToolLoop other({.model = "m", .input = "Hello"}, tools);
  other.take(responses::Response());
  CHECK(other.state() == ToolLoopState::failed);
  // An empty response that says it is complete is an answer.
  responses::Response quiet;
  quiet.status = responses::ResponseStatus::completed;
  other.take(quiet);
  CHECK(other.state() == ToolLoopState::answered);
}

TEST_CASE("ToolLoop takes an answer that announces calls and has none for Error{decode}") {
  // https://github.com/NousResearch/hermes-agent/pull/75926 (GitHub Copilot)
  const auto tools = thermometer();
  Scripted at;
  at.script->push(Reply::json(
      R"({"choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant",)"
      R"("content":"I'll read the brief file first.","tool_calls":[{"index":0,"id":"x","type":"function"}]}}]})"));
  at.script->push(Reply::json(saying("Cold.")));
  chat::ToolLoop loop(question, tools);
  CHECK(loop.run(at.client).error().kind == ErrorKind::decode);
  CHECK(loop.state() == ToolLoopState::failed);
  CHECK(loop.request().messages.size() == 1);
  CHECK(loop.response().text() == "I'll read the brief file first.");
  CHECK(loop.run(at.client).value().text() == "Cold.");
}

TEST_CASE("ToolLoop takes an answer that the server broke off before its first word for Error{truncated}") {
  // Gemini's words for a call that it could not read: https://github.com/NousResearch/hermes-agent/pull/83886
  const auto tools = thermometer();
  Scripted at;
  at.script->push(Reply::json(R"({"choices":[{"index":0,"message":{"role":"assistant","content":null},)"
                              R"("finish_reason":"function_call_filter: MALFORMED_FUNCTION_CALL"}]})"));
  at.script->push(Reply::json(saying("Cold.")));
  chat::ToolLoop loop(question, tools);
  CHECK(loop.run(at.client).error().kind == ErrorKind::truncated);
  CHECK(loop.state() == ToolLoopState::failed);
  CHECK(loop.request().messages.size() == 1);
  CHECK(loop.run(at.client).value().text() == "Cold.");
}

TEST_CASE("ToolLoop counts requests across failures") {
  const auto tools = thermometer();
  Scripted at;
  for (int i = 0; i < 3; ++i) {
    at.script->push(Reply::json(calling({{"temperature", R"({"city":"Oslo"})"}})));
    at.script->push(Reply::error(503));
  }
  chat::ToolLoop loop(question, tools, 2);
  CHECK(loop.run(at.client).error().kind == ErrorKind::overloaded);
  CHECK(loop.run(at.client).error().kind == ErrorKind::tool);
  CHECK(loop.state() == ToolLoopState::exhausted);
  CHECK(loop.request().messages.size() == 3);
}

TEST_CASE("ToolLoop runs calls whatever the finish_reason") {
  for (const std::string finish : {"STOP", "tool-calls", "unknown"}) {
    const auto tools = thermometer();
    Scripted at;
    at.script->push(Reply::json(calling({{"temperature", R"({"city":"Oslo"})"}}, finish)));
    at.script->push(Reply::json(saying("Cold.")));
    CHECK(chat::ToolLoop(question, tools).run(at.client).value().text() == "Cold.");
  }
  // The deprecated function_call is left to the program.
  const auto tools = thermometer();
  Scripted at;
  at.script->push(Reply::json(
      R"({"choices":[{"index":0,"finish_reason":"function_call","message":{"role":"assistant","content":null,)"
      R"("function_call":{"name":"temperature","arguments":"{}"}}}]})"));
  chat::ToolLoop loop(question, tools);
  const auto reply = loop.run(at.client);
  REQUIRE(reply);
  CHECK(reply->message()->function_call->name == "temperature");
  CHECK(loop.state() == ToolLoopState::answered);
}

TEST_CASE("responses::ToolLoop takes a failed or queued response for response_failed") {
  const auto tools = thermometer();
  for (const std::string response :
       {R"({"status":"failed","error":{"code":"server_error","message":"it is queued"},"output":[]})",
        R"({"status":"queued","output":[]})"}) {
    Scripted at;
    at.script->push(Reply::json(response));
    responses::ToolLoop loop({.model = "m", .input = "Hello"}, tools);
    const auto reply = loop.run(at.client);
    REQUIRE_FALSE(reply);
    CHECK(reply.error().kind == ErrorKind::response_failed);
    CHECK_THAT(reply.error().detail, inferwire_test::contains("queued"));
    CHECK(loop.state() == ToolLoopState::failed);
  }
}

TEST_CASE("ToolLoop::run may be repeated after a failed call") {
  const auto tools = thermometer();
  Scripted at;
  at.script->push(Reply::json(calling({{"temperature", R"({"city":"Oslo"})"}})));
  at.script->push(Reply::error(503));
  at.script->push(Reply::json(saying("Cold.")));
  chat::ToolLoop loop(question, tools);
  CHECK(loop.run(at.client).error().kind == ErrorKind::overloaded);
  CHECK(loop.state() == ToolLoopState::failed);
  CHECK(loop.error()->status == 503);
  CHECK(loop.request().messages.size() == 3);
  CHECK(loop.run(at.client).value().text() == "Cold.");
  CHECK_FALSE(loop.error());
}

TEST_CASE("responses::ToolLoop runs functions and custom tools") {
  const auto tools = thermometer();
  Scripted at;
  const std::string calls =
      R"({"id":"r","status":"completed","output":[)"
      R"({"type":"reasoning","id":"rs","summary":[],"encrypted_content":"gA"},)"
      R"({"type":"function_call","id":"f","call_id":"c1","name":"temperature","arguments":"{\"city\":\"Oslo\"}"},)"
      R"({"type":"custom_tool_call","call_id":"c2","name":"shell","input":"ls"}]})";
  const std::string answer =
      R"({"id":"r2","status":"completed","output":[{"type":"message","role":"assistant","content":[)"
      R"({"type":"output_text","text":"Cold."}]}]})";
  at.script->push(Reply::json(calls));
  at.script->push(Reply::json(answer));
  responses::ToolLoop loop({.model = "m", .input = "How warm is it in Oslo?"}, tools);
  CHECK(loop.run(at.client).value().output_text() == "Cold.");
  const auto& items = std::get<std::vector<responses::Item>>(*loop.request().input);
  REQUIRE(items.size() == 7);
  CHECK(std::get<responses::FunctionCallOutput>(items[4]).call_id == "c1");
  CHECK(std::get<responses::CustomToolCallOutput>(items[5]).call_id == "c2");
  CHECK_THAT(at.script->requests().at(1).body,
             inferwire_test::contains(R"("type":"custom_tool_call_output","call_id":"c2")"));

  // The server stores the conversation, so the loop sends only new items.
  at.script->push(Reply::json(calls));
  at.script->push(Reply::json(answer));
  responses::Request kept{.model = "m", .input = "How warm is it in Oslo?"};
  kept.conversation = "conv_1";
  responses::ToolLoop brief(std::move(kept), tools);
  CHECK(brief.run(at.client).value().output_text() == "Cold.");
  CHECK_THAT(at.script->requests().at(3).body,
             inferwire_test::contains(R"("input":[{"type":"function_call_output","call_id":"c1")") &&
                 !inferwire_test::contains("in Oslo"));

  at.script->push(Reply::json(calls));
  at.script->push(Reply::json(answer));
  responses::Request once{.model = "m", .input = "How warm is it in Oslo?"};
  once.conversation = "conv_1";
  responses::ToolLoop exhausted(std::move(once), tools, 1);
  CHECK_FALSE(exhausted.run(at.client));
  auto& fresh = std::get<std::vector<responses::Item>>(*exhausted.request().input);
  fresh.insert(fresh.begin(), responses::user("Sum up."));
  exhausted.go_on();
  CHECK(exhausted.run(at.client));
  CHECK_THAT(at.script->requests().at(5).body, inferwire_test::contains("Sum up."));

  responses::ToolLoop two_rounds({.model = "m", .input = "How warm is it in Oslo?"}, tools, 2);
  for (int i = 0; i < 2; ++i) two_rounds.take(inferwire::from_json<responses::Response>(Json::raw(calls)));
  auto& all = std::get<std::vector<responses::Item>>(*two_rounds.request().input);
  all.insert(all.begin(), responses::system("Be brief."));
  two_rounds.go_on();
  REQUIRE(all.size() == 12);
  CHECK(std::equal(all.begin() + 2, all.begin() + 7, all.begin() + 7, all.end()));  // both turns are whole
}

TEST_CASE("responses::ToolLoop::go_on splits no call from its result either") {
  responses::Response calling;
  calling.output = {responses::FunctionCall{.call_id = "c1", .name = "temperature", .arguments = "{}"}};
  using Items = std::vector<responses::Item>;
  const auto order_after = [&calling](const auto& change) {
    responses::ToolLoop loop({.model = "m", .input = "?"}, thermometer(), 2);
    for (int i = 0; i < 2; ++i) loop.take(calling);
    auto& items = std::get<Items>(*loop.request().input);
    items.back() = responses::function_output("c1", "cut");
    change(items);
    loop.go_on();
    std::string order;
    for (const auto& item : items) {
      const auto* const message = std::get_if<responses::Message>(&item);
      const bool calls = std::holds_alternative<responses::FunctionCall>(item);
      order += message != nullptr ? message->role.str().at(0) : calls ? 'c' : 'o';
    }
    return order;
  };
  CHECK(order_after([](Items& items) { items.insert(items.begin(), responses::system("Be brief.")); }) ==
        "sucoco");
  CHECK(order_after([](Items& items) { items.push_back(responses::user("Sum up.")); }) == "ucocou");
}

TEST_CASE("responses::ToolLoop gives each call its own result") {
  auto tools = thermometer();
  tools.add_custom("shell", "", [](const std::string& input) { return "ran " + input; });
  responses::Response calling;
  calling.output = {
      responses::FunctionCall{.call_id = "c1", .name = "temperature", .arguments = R"({"city":"Oslo"})"},
      responses::CustomToolCall{.call_id = "c2", .name = "shell", .input = "ls"},
      responses::CustomToolCall{.call_id = "c3", .name = "shell", .input = "pwd"},
      responses::FunctionCall{.call_id = "c4", .name = "temperature", .arguments = R"({"city":"Rome"})"}};
  responses::ToolLoop loop({.model = "m", .input = "?"}, tools);
  loop.take(calling);
  std::vector<std::pair<std::string, std::string>> results;
  for (const auto& item : std::get<std::vector<responses::Item>>(*loop.request().input)) {
    if (const auto* const one = std::get_if<responses::FunctionCallOutput>(&item))
      results.emplace_back(one->call_id, std::get<std::string>(one->output));
    if (const auto* const one = std::get_if<responses::CustomToolCallOutput>(&item))
      results.emplace_back(one->call_id, std::get<std::string>(one->output));
  }
  CHECK(results ==
        std::vector<std::pair<std::string, std::string>>{{"c1", R"({"degrees":-4.5})"},
                                                         {"c2", "ran ls"},
                                                         {"c3", "ran pwd"},
                                                         {"c4", "The call failed: no thermometer there."}});
}

TEST_CASE("responses::ToolLoop sends no reasoning that nothing follows") {
  const Toolbox tools;
  responses::ToolLoop loop({.model = "m", .input = "How warm is it in Oslo?"}, tools);
  loop.take(inferwire::from_json<responses::Response>(
      Json::raw(R"({"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},)"
                R"("output":[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gA"}]})")));
  CHECK(loop.state() == ToolLoopState::answered);
  CHECK(*loop.request().input == responses::Input{responses::user("How warm is it in Oslo?")});
}

TEST_CASE("responses::ToolLoop is waiting where the model asks for approval") {
  int ran = 0;
  Toolbox tools;
  tools.add("grip", "", [&] { ++ran; });
  Scripted at;
  at.script->push(Reply::json(
      R"({"id":"r","status":"completed","output":[)"
      R"({"type":"mcp_approval_request","id":"a","server_label":"d","name":"roll","arguments":"{}"},)"
      R"({"type":"function_call","call_id":"c1","name":"grip","arguments":"{}"}]})"));
  at.script->push(Reply::json(
      R"({"id":"r2","status":"completed","output":[{"type":"message","role":"assistant","content":[)"
      R"({"type":"output_text","text":"Rolled."}]}]})"));
  responses::ToolLoop loop({.model = "m", .input = "Roll."}, tools);
  const auto reply = loop.run(at.client);
  REQUIRE_FALSE(reply);
  CHECK(reply.error().kind == ErrorKind::tool);
  CHECK_THAT(reply.error().detail, inferwire_test::contains("mcp_approval_request"));
  CHECK(loop.state() == ToolLoopState::waiting);
  CHECK(name(loop.state()) == "waiting");
  CHECK(ran == 1);
  auto& items = std::get<std::vector<responses::Item>>(*loop.request().input);
  REQUIRE(items.size() == 4);

  items.emplace_back(
      Unknown{Json::raw(R"({"type":"mcp_approval_response","approval_request_id":"a","approve":true})")});
  CHECK(loop.run(at.client).value().output_text() == "Rolled.");
  CHECK(loop.state() == ToolLoopState::answered);
  CHECK(ran == 1);
  CHECK_THAT(at.script->requests().at(1).body, inferwire_test::contains(R"("approve":true)"));
}

TEST_CASE("responses::ToolLoop is waiting for approval also after a cancellation") {
  inferwire::CancelSource source;
  Toolbox tools;
  tools.add("grip", "", [&] { source.cancel(); });
  Scripted at;
  at.script->push(Reply::json(
      R"({"id":"r","status":"completed","output":[{"type":"mcp_approval_request","id":"a","arguments":"{}"},)"
      R"({"type":"function_call","call_id":"c1","name":"grip","arguments":"{}"}]})"));
  responses::ToolLoop loop({.model = "m", .input = "Roll."}, tools);
  CHECK(loop.run(at.client, {.cancel = source.token()}).error().kind == ErrorKind::cancelled);
  CHECK(loop.state() == ToolLoopState::waiting);
  CHECK_FALSE(loop.run(at.client));
  CHECK(at.script->requests().size() == 1);
}

TEST_CASE("responses::ToolLoop runs no call whose result the server sent") {  // as agents on Databricks do
  int ran = 0;
  Toolbox tools;
  tools.add("grip", "", [&] { ++ran; });
  responses::ToolLoop loop({.model = "m", .input = "Grip."}, tools);
  responses::Response response;
  response.output = {responses::FunctionCall{.call_id = "c1", .name = "grip"},
                     responses::function_output("c1", "done"), responses::assistant("Gripped.")};
  loop.take(response);
  CHECK(loop.state() == ToolLoopState::answered);
  CHECK(ran == 0);
}

TEST_CASE("ToolLoop::run continues with a question that replaces older turns") {
  const auto tools = thermometer();
  Scripted at;
  at.script->push(Reply::json(saying("Cold.")));
  at.script->push(Reply::json(saying("Mild.")));
  at.script->push(Reply::json(saying("Warm.")));
  chat::ToolLoop loop(question, tools);
  CHECK(loop.run(at.client).value().text() == "Cold.");
  CHECK(loop.run(at.client).value().text() == "Cold.");
  auto& messages = loop.request().messages;
  messages.erase(messages.begin());
  CHECK(loop.run(at.client).value().text() == "Cold.");
  CHECK(at.script->requests().size() == 1);

  messages.push_back(chat::user("And in Bergen?"));
  REQUIRE(messages.size() == 2);
  CHECK(loop.run(at.client).value().text() == "Mild.");
  messages = {chat::user("And in Rome?")};
  CHECK(loop.run(at.client).value().text() == "Warm.");
  CHECK(at.script->requests().size() == 3);
}

TEST_CASE("responses::ToolLoop::run continues a stored response with a new input") {
  const auto tools = thermometer();
  const auto answer = [](const std::string& id, const std::string& text) {
    return Reply::json(R"({"id":")" + id +
                       R"(","status":"completed","output":[{"type":"message","role":"assistant","content":[)"
                       R"({"type":"output_text","text":")" +
                       text + R"("}]}]})");
  };
  Scripted at;
  at.script->push(answer("r1", "Cold."));
  at.script->push(answer("r2", "Mild."));
  at.script->push(answer("r3", "Mild again."));
  responses::ToolLoop loop({.model = "m", .input = "How warm is it in Oslo?"}, tools);
  CHECK(loop.run(at.client).value().output_text() == "Cold.");
  loop.request().previous_response_id = loop.response().id;
  loop.request().input = "And in Bergen?";
  CHECK(loop.run(at.client).value().output_text() == "Mild.");
  CHECK_THAT(at.script->requests().at(1).body, inferwire_test::contains("And in Bergen?"));
  CHECK(loop.run(at.client).value().output_text() == "Mild.");
  CHECK(at.script->requests().size() == 2);
  loop.request().previous_response_id = loop.response().id;
  CHECK(loop.run(at.client).value().output_text() == "Mild again.");
}

TEST_CASE("responses::ToolLoop continues after an approval that replaces the input") {
  Toolbox tools;
  const std::string asked =
      R"("status":"completed","output":[{"type":"mcp_approval_request","id":"a","server_label":"d","arguments":"{}"}]})";
  Scripted at;
  at.script->push(Reply::json(R"({"id":"r1",)" + asked));
  at.script->push(Reply::json(R"({"id":"r2",)" + asked));
  at.script->push(Reply::json(
      R"({"id":"r3","status":"completed","output":[{"type":"message","role":"assistant","content":[)"
      R"({"type":"output_text","text":"Rolled."}]}]})"));
  const responses::Item approval =
      Unknown{Json::raw(R"({"type":"mcp_approval_response","approval_request_id":"a","approve":true})")};
  responses::ToolLoop loop({.model = "m", .input = "Roll."}, tools);
  static_cast<void>(loop.run(at.client));
  for (int approvals = 0; approvals < 2; ++approvals) {
    REQUIRE(loop.state() == ToolLoopState::waiting);
    loop.request().previous_response_id = loop.response().id;
    loop.request().input = {approval};
    static_cast<void>(loop.run(at.client));
  }
  CHECK(loop.state() == ToolLoopState::answered);
  CHECK(loop.response().output_text() == "Rolled.");
  CHECK(at.script->requests().size() == 3);
}

TEST_CASE("ToolLoop keeps what arrived of an answer whose stream broke") {
  int ran = 0;
  Toolbox tools;
  tools.add("grip", "", [&] { ++ran; });
  Scripted at;
  at.script->push(Reply::json(calling({{"grip", "{}"}})));
  auto broken = Reply::stream(
      {R"(data: {"choices":[{"index":0,"delta":{"content":"A long answer that","tool_calls":[{"index":0,)"
       R"("id":"c2","function":{"name":"grip","arguments":"{}"}}]}}],)"
       R"("usage":{"prompt_tokens":7,"completion_tokens":4,"total_tokens":11}})"
       "\n\n"});
  broken.ending = testing::Ending::cut;
  at.script->push(broken);
  at.script->push(Reply::json(saying("Gripped.")));
  chat::ToolLoop loop(question, tools);
  loop.take(at.client.chat.create(loop.request()));
  REQUIRE(loop.calls().size() == 1);
  REQUIRE(loop.request().messages.size() == 3);
  loop.take(at.client.chat.stream(loop.request()).collect());
  CHECK(loop.state() == ToolLoopState::failed);
  CHECK(loop.error().has_value());
  CHECK(loop.response().text() == "A long answer that");
  CHECK(loop.calls().empty());
  CHECK(ran == 1);
  CHECK(loop.request().messages.size() == 3);
  CHECK(loop.usage().prompt_tokens == 17);
  CHECK(loop.run(at.client).value().text() == "Gripped.");
}

TEST_CASE("ToolLoop::calls has the errors of tools") {
  Toolbox tools;
  tools.add("broken", "", []() -> std::string { throw std::runtime_error("password: secret"); })
      .add_custom("shell", "", [](const std::string&) -> Result<int> { return Error{.detail = "no shell"}; });
  chat::ToolLoop loop(question, tools);
  chat::Response calls;
  calls.choices.resize(1);
  calls.choices[0].message.tool_calls = {
      {.id = "c1", .function = chat::FunctionCall{.name = "broken"}},
      {.id = "c2", .type = "custom", .custom = chat::CustomCall{.name = "shell", .input = "ls"}}};
  loop.take(calls);
  REQUIRE(loop.calls().size() == 2);
  CHECK(loop.calls()[0].result == "The call failed.");
  CHECK(loop.calls()[0].error.value().detail == "the tool threw: password: secret");
  CHECK(loop.calls()[1].result == "The call failed: no shell.");
  CHECK(loop.calls()[1].error.value().detail == "no shell");
  CHECK(loop.state() == ToolLoopState::asking);
  CHECK_FALSE(loop.error());
}

TEST_CASE("ToolLoop has a toolbox of its own, which moves with it") {
  auto tools = thermometer();
  auto loop = std::make_unique<chat::ToolLoop>(question, tools);
  tools.add("temperature", "", [] { return "replaced"; });
  auto moved = std::make_unique<chat::ToolLoop>(std::move(*loop));
  loop.reset();
  chat::Response calls;
  calls.choices.resize(1);
  calls.choices[0].message.tool_calls = {
      {.id = "c1", .function = chat::FunctionCall{.name = "temperature", .arguments = R"({"city":"Oslo"})"}}};
  moved->take(calls);
  REQUIRE(moved->calls().size() == 1);
  CHECK(moved->calls()[0].result == R"({"degrees":-4.5})");
}

TEST_CASE("ToolLoop replaces the definitions of its tools that a request already has") {
  auto tools = thermometer();
  tools.add_custom("shell", "", [](const std::string& input) { return input; });
  chat::Request request = question;
  request.tools = {{.function = chat::FunctionDefinition{.name = "temperature"}},
                   {.type = "custom", .custom = chat::CustomToolDefinition{.name = "shell"}},
                   {.function = chat::FunctionDefinition{.name = "wind"}}};
  const chat::ToolLoop loop(request, tools);
  REQUIRE(loop.request().tools.size() == 3);
  CHECK(loop.request().tools[0].function->name == "wind");
  CHECK(loop.request().tools[1].function->description == "How warm it is");
  CHECK(loop.request().tools[2].custom->name == "shell");
  // Another loop may continue the conversation of this one.
  CHECK(chat::ToolLoop(loop.request(), tools).request().tools == loop.request().tools);

  responses::Request next{
      .model = "m", .input = "x", .tools = {{.type = "web_search"}, {.name = "temperature"}}};
  const responses::ToolLoop other(std::move(next), tools);
  REQUIRE(other.request().tools.size() == 3);
  CHECK(other.request().tools[0].type == "web_search");
  CHECK(other.request().tools[1].description == "How warm it is");
  CHECK(responses::ToolLoop(other.request(), tools).request().tools == other.request().tools);
}
