#include "engine/plan/rule_check.hpp"

#include "engine/document.hpp"
#include "engine/error_form.hpp"
#include "support/catch.hpp"

using namespace inferwire::engine;
using inferwire::protocol::chat_rules;
using inferwire::protocol::Speaker;

namespace {

std::optional<Refusal> check(const std::string& body, Speaker speaker = Speaker::openai) {
  return check_rules(body, chat_rules(), speaker);
}

std::string with(const std::string& member) {
  return R"({"messages":[{"role":"user","content":"hi"}],)" + member + "}";
}

}  // namespace

TEST_CASE("the rule check passes requests that keep the rules") {
  const auto body = GENERATE(
      std::string(R"({"messages":[{"role":"user","content":"hi"}]})"), with(R"("max_tokens":null)"),
      with(R"("max_tokens":1)"), with(R"("temperature":0)"), with(R"("temperature":2.0)"),
      with(R"("top_p":1)"), with(R"("top_p":0)"), with(R"("top_k":null)"), with(R"("stop":[])"),
      with(R"("stop":"a")"), with(R"("stop":["a","b"])"), with(R"("n":128)"), with(R"("stream":null)"),
      with(R"("seed":-9)"), with(R"("logit_bias":{"1":-100})"), with(R"("nobody_knows_this":{"a":1})"),
      with(R"("stream":true,"stream_options":{"include_usage":true,"x":1})"),
      with(R"("logprobs":true,"top_logprobs":20)"), with(R"("tool_choice":"auto")"));
  const auto refusal = check(body);
  INFO((refusal ? refusal->message : ""));
  CHECK_FALSE(refusal);
}

TEST_CASE("the rule check refuses with parameter, code and message") {
  struct Case {
    std::string body, param, code, message;
  };
  const auto bad = GENERATE(values<Case>({
      {"{}", "messages", "missing_required_parameter", "Missing required parameter: 'messages'."},
      {R"({"messages":null})", "messages", "missing_required_parameter", "Missing"},
      {R"({"messages":"hi"})", "messages", "invalid_type", "expected a list of objects, but got a string."},
      {R"({"messages":{}})", "messages", "invalid_type", "expected a list of objects, but got an object."},
      {R"({"messages":[]})", "messages", "invalid_value", "expected at least 1 element, but got none."},
      {R"({"messages":[1]})", "messages[0]", "invalid_type", "expected an object, but got an integer."},
      {R"({"messages":[{"content":"x"}]})", "messages[0].role", "missing_required_parameter", "Missing"},
      {R"({"messages":[{"role":1,"content":"x"}]})", "messages[0].role", "invalid_type", "a string"},
      {R"({"messages":[{"role":"robot","content":"x"}]})", "messages[0].role", "invalid_value",
       "expected one of 'system', 'developer', 'user', 'assistant', 'tool', 'function', but got 'robot'."},
      {R"({"messages":[{"role":"assistant","content":"x","tool_calls":[]}]})", "messages[0].tool_calls",
       "invalid_value", "expected at least 1 element, but got none."},
      {R"({"messages":[{"role":"user","content":5}]})", "messages[0].content", "invalid_type",
       "a string or a list"},
      {with(R"("max_tokens":0)"), "max_tokens", "invalid_value",
       "expected an integer greater than 0, but got 0."},
      {with(R"("max_tokens":-1)"), "max_tokens", "invalid_value", "but got -1."},
      {with(R"("max_tokens":1.5)"), "max_tokens", "invalid_type",
       "Invalid type for 'max_tokens': expected an integer, but got a number with a fraction."},
      {with(R"("max_tokens":99999999999999999999)"), "max_tokens", "invalid_value",
       "expected an integer of 64 bits, but got 99999999999999999999."},
      {with(R"("n":99999999999999999999)"), "n", "invalid_value", "[1, 128], but got 99999999999999999999."},
      {with(R"("max_tokens":"5")"), "max_tokens", "invalid_type",
       "Invalid type for 'max_tokens': expected an integer, but got a string."},
      {with(R"("temperature":3)"), "temperature", "invalid_value",
       "Invalid value for 'temperature': expected a number in [0, 2], but got 3."},
      {with(R"("temperature":-0.1)"), "temperature", "invalid_value", "but got -0.1."},
      {with(R"("temperature":"1")"), "temperature", "invalid_type", "expected a number, but got a string."},
      {with(R"("temperature":true)"), "temperature", "invalid_type", "got a boolean."},
      {with(R"("top_p":-1)"), "top_p", "invalid_value", "expected a number in [0, 1], but got -1."},
      {with(R"("top_p":1.1)"), "top_p", "invalid_value", "but got 1.1."},
      {with(R"("top_k":0)"), "top_k", "invalid_value", "greater than 0"},
      {with(R"("stop":5)"), "stop", "invalid_type",
       "expected a string or a list of strings, but got an integer."},
      {with(R"("stop":["a",5])"), "stop[1]", "invalid_type", "expected a string, but got an integer."},
      {with(R"("stop":"")"), "stop", "invalid_value", "expected at least 1 character, but got none."},
      {with(R"("stop":["a","b","c","d","e"])"), "stop", "invalid_value",
       "at most 4 elements are supported, but got 5."},
      {with(R"("stop":["a",""])"), "stop[1]", "invalid_value", "at least 1 character"},
      {with(R"("n":0)"), "n", "invalid_value", "expected an integer in [1, 128], but got 0."},
      {with(R"("n":129)"), "n", "invalid_value", "but got 129."},
      {with(R"("stream":"yes")"), "stream", "invalid_type", "expected a boolean, but got a string."},
      {with(R"("stream":1)"), "stream", "invalid_type", "got an integer."},
      {with(R"("stream_options":true)"), "stream_options", "invalid_type", "expected an object"},
      {with(R"("stream_options":{"include_usage":1})"), "stream_options.include_usage", "invalid_type",
       "a boolean"},
      {with(R"("top_logprobs":21)"), "top_logprobs", "invalid_value",
       "expected an integer in [0, 20], but got 21."},
      {with(R"("seed":"a")"), "seed", "invalid_type", "an integer"},
      {with(R"("frequency_penalty":2.5)"), "frequency_penalty", "invalid_value", "[-2, 2]"},
      {with(R"("presence_penalty":-3)"), "presence_penalty", "invalid_value", "[-2, 2]"},
      {with(R"("logit_bias":[])"), "logit_bias", "invalid_type", "an object"},
      {with(R"("response_format":{"type":"xml"})"), "response_format.type", "invalid_value", "'json_schema'"},
      {with(R"("response_format":[{}])"), "response_format", "invalid_type", "an object, but got a list."},
      {with(R"("response_format":{})"), "response_format.type", "missing_required_parameter", "Missing"},
      {with(R"("tools":[{"type":"function"}])"), "tools[0].function", "missing_required_parameter",
       "Missing"},
      {with(R"("tools":[{"type":"web","function":{"name":"a"}}])"), "tools[0].type", "invalid_value",
       "expected 'function', but got 'web'."},
      {with(R"("tools":[{"type":"function","function":{"name":""}}])"), "tools[0].function.name",
       "invalid_value", "1 character"},
      {with(R"("tools":[{"type":"function","function":{"name":"get weather"}}])"), "tools[0].function.name",
       "invalid_value", "matches the pattern '^[a-zA-Z0-9_-]+$', but got 'get weather'."},
      {with(R"("tools":[{"type":"function","function":{"name":")" + std::string(65, 'x') + R"("}}])"),
       "tools[0].function.name", "invalid_value", "at most 64 characters are supported, but got 65."},
      {with(R"("response_format":{"type":"json_schema","json_schema":{"name":"a.b"}})"),
       "response_format.json_schema.name", "invalid_value", "'^[a-zA-Z0-9_-]+$'"},
      {with(R"("tool_choice":5)"), "tool_choice", "invalid_type", "a string or an object"},
      {with(R"("reasoning_effort":"huge")"), "reasoning_effort", "invalid_value", "'medium'"},
  }));
  INFO(bad.body);
  const auto refusal = check(bad.body);
  REQUIRE(refusal);
  CHECK(refusal->status == 400);
  CHECK(refusal->param == bad.param);
  CHECK(code_of(refusal->cause) == bad.code);
  CHECK_THAT(refusal->message, inferwire_test::contains(bad.message));
  CHECK_THAT(refusal->message, inferwire_test::contains(bad.param));
}

TEST_CASE("the rule check refuses unknown members where the provider decodes strictly, at every depth") {
  const auto refusal = check(with(R"("seed":1)"), Speaker::databricks);
  REQUIRE(refusal);
  CHECK(refusal->message == R"(Bad request: json: unknown field "seed")");
  CHECK(refusal->param == "seed");

  const auto deep = check(R"({"messages":[{"role":"user","content":"x","_id":1}]})", Speaker::databricks);
  REQUIRE(deep);
  CHECK(deep->message == R"(Bad request: json: unknown field "_id")");
  CHECK(deep->param == "messages[0]._id");

  CHECK(check(with(R"("stream_options":null)"), Speaker::databricks));
  CHECK(check(with(R"("n":2)"), Speaker::databricks_preview));
  CHECK_FALSE(check(with(R"("n":2)"), Speaker::databricks));
}

TEST_CASE("names of tools and schemas have 1 to 64 plain characters below /v1, and others elsewhere") {
  const auto offered = [](const std::string& name) {
    return with(R"("model":"m","tools":[{"type":"function","function":{"name":")" + name +
                R"("}}],"response_format":{"type":"json_schema","json_schema":{"name":")" + name +
                R"(","schema":{}}})");
  };
  CHECK_FALSE(check(offered(std::string(61, 'x') + "_-9")));
  for (const auto& name : {std::string(65, 'x'), std::string("a b"), std::string("a.b"),
                           std::string("\xC3\xA9"), std::string("a\\nb"), std::string()}) {
    INFO(name);
    CHECK(check(offered(name)));
    if (name.empty()) continue;
    CHECK_FALSE(check(offered(name), Speaker::databricks));
    CHECK_FALSE(check(offered(name), Speaker::lmi));
  }
}

TEST_CASE("maximum lengths are counted in characters") {
  const auto refusal_of = [](int letters) {
    std::string name;
    for (int i = 0; i < letters; ++i) name += "\xD1\x8F";
    return check(with(R"("model":"jamba","stop":")" + name + R"(")"), Speaker::ai21);
  };
  CHECK_FALSE(refusal_of(40'000));
  CHECK(refusal_of(70'000));
}

TEST_CASE("the rule check looks for unknown members, then missing ones, types and values") {
  CHECK(check(R"({"x":1,"temperature":9})", Speaker::databricks)->cause == Cause::unknown_parameter);
  CHECK(check(R"({"temperature":9,"n":"a"})")->cause == Cause::missing_required_parameter);
  CHECK(check(with(R"("temperature":9,"n":"a")"))->param == "n");
}

TEST_CASE("the rule check reports the first of equally grave offences in the body") {
  CHECK(check(with(R"("temperature":9,"frequency_penalty":9)"))->param == "temperature");
  CHECK(check(with(R"("frequency_penalty":9,"temperature":9)"))->param == "frequency_penalty");
  CHECK(check(R"({"messages":[{"role":1,"content":"hi"},5]})")->param == "messages[0].role");
  CHECK(check(R"({"messages":[5,{"role":1,"content":"hi"}]})")->param == "messages[0]");
  CHECK(check(with(R"("temperature":9,"tools":[{"type":"x"}])"))->param == "temperature");
  CHECK(check(with(R"("tools":[{"type":"x"},{"type":"y"}])"))->param == "tools[0].type");
}

TEST_CASE("the rule check looks at every member of one name, and for a missing one at the last") {
  CHECK(check(with(R"("n":0,"n":1)"))->param == "n");
  CHECK(check(with(R"("n":1,"n":"a")"))->param == "n");
  CHECK_FALSE(check(with(R"("n":1,"n":null)")));
  CHECK(check(with(R"("messages":null)"))->cause == Cause::missing_required_parameter);
  CHECK(check(with(R"("tools":[{"type":"function","type":null,"function":{"name":"f"}}])"))->param ==
        "tools[0].type");
}

TEST_CASE("the rule check quotes the beginning of a long value") {
  const std::string nines(300, '9');
  for (const auto& member : {R"("temperature":)" + nines, R"("temperature":9.)" + nines,
                             R"("max_tokens":)" + nines, R"("reasoning_effort":")" + nines + '"'}) {
    CAPTURE(member);
    const auto refusal = check(with(member));
    REQUIRE(refusal);
    CHECK(refusal->message.size() < nines.size());
  }
}

TEST_CASE("the rule check looks behind a byte order mark") {
  CHECK(check("\xEF\xBB\xBF " + with(R"("n":0)"))->param == "n");
  CHECK_FALSE(check("\xEF\xBB\xBF " + with(R"("n":1)")));
}

TEST_CASE("an empty list of tool calls is refused below /v1 only") {
  const std::string body = R"({"messages":[{"role":"assistant","content":"x","tool_calls":[]}]})";
  CHECK(check(body));
  for (const auto speaker : {Speaker::databricks, Speaker::ai21, Speaker::lmi}) {
    const auto refusal = check(body, speaker);
    CHECK((!refusal || refusal->param != "messages[0].tool_calls"));
  }
}

TEST_CASE("the rule check refuses members in conflict with others, last of all") {
  struct Case {
    Speaker speaker;
    std::string members, param, problem;
  };
  const std::string bare = R"("tools":[{"type":"function","function":{"name":"f"}}])";
  const std::string described = R"("tools":[{"type":"function","function":{"name":"f","description":"d"}}])";
  const auto bad = GENERATE_COPY(values<Case>({
      {Speaker::ai21, R"("n":2,"stream":true)", "n", "1 when 'stream' is true"},
      {Speaker::ai21, R"("n":2,"temperature":0.0)", "n", "1 when 'temperature' is 0"},
      {Speaker::ai21, R"("stream":true,)" + described, "stream", "false when 'tools' are specified"},
      {Speaker::ai21, bare, "tools[0].function.description", "Missing"},
      {Speaker::openai, R"("top_logprobs":0)", "top_logprobs", "when 'logprobs' is true"},
      {Speaker::databricks, R"("logprobs":false,"top_logprobs":1)", "top_logprobs",
       "when 'logprobs' is true"},
      {Speaker::databricks, R"("tool_choice":"required")", "tool_choice", "when 'tools' are specified"},
      {Speaker::openai, R"("tools":[],"tool_choice":{})", "tool_choice", "when 'tools' are specified"},
      {Speaker::openai, R"("parallel_tool_calls":false)", "parallel_tool_calls",
       "when 'tools' are specified"},
      {Speaker::openai, R"("stream_options":{})", "stream_options", "when 'stream' is true"},
      {Speaker::openai, R"("stream":false,"stream_options":{})", "stream_options", "when 'stream' is true"},
      {Speaker::openai, R"("max_tokens":1,"max_completion_tokens":1)", "max_completion_tokens",
       "together with 'max_tokens'"},
      {Speaker::openai, R"("top_logprobs":1,"n":0)", "n", "but got 0"},
      {Speaker::openai, R"("logprobs":true,"top_logprobs":1,"logprobs":false)", "top_logprobs",
       "when 'logprobs' is true"},
  }));
  INFO(bad.members);
  const auto refusal = check(with(R"("model":"m",)" + bad.members), bad.speaker);
  REQUIRE(refusal);
  CHECK(refusal->param == bad.param);
  CHECK_THAT(refusal->message, inferwire_test::contains(bad.problem));
}

TEST_CASE("conflicts are refused only where the documents have them") {
  for (const auto& [speaker, members] : {std::pair<Speaker, std::string>{Speaker::lmi, R"("top_logprobs":2)"},
                                         {Speaker::ai21, R"("top_logprobs":2,"stream_options":{})"},
                                         {Speaker::openai, R"("n":2,"stream":true,"temperature":0)"},
                                         {Speaker::ai21, R"("n":1,"stream":true,"temperature":0,"tools":[])"},
                                         {Speaker::ai21, R"("n":2,"stream":false,"temperature":null)"},
                                         {Speaker::openai, R"("tool_choice":"none","top_logprobs":null)"}}) {
    INFO(members);
    CHECK_FALSE(check(with(R"("model":"m",)" + members), speaker));
  }
}

TEST_CASE("Databricks takes at most 15 properties of a function") {
  const auto with_properties = [](int count) {
    std::string properties;
    for (int i = 0; i < count; ++i) {
      properties += std::string(i > 0 ? "," : "") + "\"p" + std::to_string(i) + "\":{}";
    }
    return with(R"("tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object",)"
                R"("properties":{)" +
                properties + "}}}}]");
  };
  CHECK_FALSE(check(with_properties(15), Speaker::databricks));
  const auto refusal = check(with_properties(16), Speaker::databricks);
  REQUIRE(refusal);
  CHECK(refusal->param == "tools[0].function.parameters.properties");
  CHECK_THAT(refusal->message, inferwire_test::contains("at most 15 members are supported, but got 16"));
  CHECK_FALSE(check(with_properties(16), Speaker::openai));
}

TEST_CASE("Databricks takes at most 32 tools") {
  std::string tools = R"("tools":[)";
  for (int i = 0; i < 33; ++i)
    tools += std::string(i > 0 ? "," : "") + R"({"type":"function","function":{"name":"f"}})";
  const auto refusal = check(with(tools + "]"), Speaker::databricks);
  REQUIRE(refusal);
  CHECK(refusal->param == "tools");
  CHECK_THAT(refusal->message, inferwire_test::contains("at most 32 elements are supported, but got 33"));
}

TEST_CASE("a body that is no JSON object is refused with the place of the fault") {
  const auto [body, where] = GENERATE(table<std::string, std::string>({
      {"", "it is empty"},
      {" \n", "it is empty"},
      {"{", "syntax error at byte 2"},
      {R"({"a":NaN})", "syntax error at byte 6"},
      {"{\"a\":\"\xff\"}", "syntax error at byte 7"},
      {"[1]", "expected an object, but got a list"},
      {"5", "expected an object, but got an integer"},
      {R"({"a":1e999})", "a number is out of range"},
  }));
  const auto parsed = parse_document(body);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.refusal().cause == Cause::invalid_json);
  CHECK(parsed.refusal().message == "The request body is not valid JSON: " + where + ".");
}

TEST_CASE("a document nested a million levels deep is refused before it is read") {
  const std::string deep =
      R"({"messages":)" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}";
  const auto parsed = parse_document(deep);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.refusal().message ==
        "The request body is not valid JSON: it is nested deeper than 256 levels.");
}
