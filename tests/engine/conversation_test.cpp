#include "engine/plan/conversation.hpp"

#include "support/catch.hpp"

using namespace inferwire::engine;

namespace {

constexpr ConversationRules preview{.system_first_only = true, .alternates = true};
constexpr ConversationRules databricks{.system_first_only = true, .object_arguments = true};
constexpr ConversationRules openai{.answers_all_calls = true};
constexpr ConversationRules lmi{.ids_per_message = true};
constexpr ConversationRules ai21{.system_first_only = true, .answers_follow_calls = true};

std::optional<Refusal> check(const std::string& messages, const ConversationRules& rules) {
  return check_conversation(Document::parse(messages), rules);
}

const std::string instruction = R"({"role":"system","content":"s"})";
const std::string user = R"({"role":"user","content":"u"})";
const std::string assistant = R"({"role":"assistant","content":"a"})";
const std::string calling =
    R"({"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]})";
const std::string other_calling =
    R"({"role":"assistant","tool_calls":[{"id":"c2","type":"function","function":{"name":"f","arguments":"{}"}}]})";
const std::string answer = R"({"role":"tool","tool_call_id":"c1","content":"42"})";

std::string list(std::initializer_list<std::string> messages) {
  std::string out;
  for (const auto& message : messages) out += (out.empty() ? "" : ",") + message;
  return "[" + out + "]";
}

}  // namespace

TEST_CASE("the conversation check passes conversations in order") {
  CHECK_FALSE(check(list({user}), preview));
  CHECK_FALSE(check(list({instruction, user}), preview));
  CHECK_FALSE(check(list({instruction, user, assistant, user}), preview));
  CHECK_FALSE(check(list({instruction, user, user, assistant}), databricks));
  CHECK_FALSE(check(list({user, calling, answer}), databricks));
  CHECK_FALSE(check(list({user, calling, answer}), openai));
  CHECK_FALSE(check(list({user, calling, user, answer}), databricks));
  CHECK_FALSE(check(list({user, calling, answer, answer, user}), ai21));
  CHECK_FALSE(check(list({user, calling, answer, user, calling, answer}), lmi));
  CHECK_FALSE(check(list({user, instruction, user}), openai));
  CHECK_FALSE(check(R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}])",
                    databricks));
  CHECK_FALSE(check(R"([{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function",)"
                    R"("function":{"name":"f","arguments":""}}]}])",
                    databricks));
  CHECK_FALSE(check(R"([{"role":"user","content":"u","tool_call_id":""}])", databricks));
  // Models make such calls, and their message has to be sent back with what is wrong about it.
  CHECK_FALSE(check(R"([{"role":"assistant","tool_calls":[{"id":"c1","type":"function",)"
                    R"("function":{"name":"f","arguments":"{\"a\":"}}]},)" +
                        answer + "]",
                    openai));
}

TEST_CASE("the conversation check refuses conversations out of order, with the path") {
  struct Case {
    std::string messages;
    ConversationRules rules;
    std::string param, code;
  };
  const auto bad = GENERATE(values<Case>({
      {list({user, user}), preview, "messages", "invalid_value"},
      {list({assistant}), preview, "messages", "invalid_value"},
      {list({instruction}), preview, "messages", "invalid_value"},
      {list({user, assistant}), preview, "messages", "invalid_value"},
      {list({instruction, instruction, user}), databricks, "messages[1].role", "invalid_value"},
      {list({user, instruction}), databricks, "messages[1].role", "invalid_value"},
      {R"([{"role":"user"}])", databricks, "messages[0].content", "missing_required_parameter"},
      {R"([{"role":"user","content":null}])", openai, "messages[0].content", "missing_required_parameter"},
      {R"([{"role":"assistant"}])", openai, "messages[0].content", "missing_required_parameter"},
      {R"([{"role":"assistant","tool_calls":[]}])", openai, "messages[0].content",
       "missing_required_parameter"},
      {list({answer}), openai, "messages[0].tool_call_id", "invalid_value"},
      {list({answer, calling}), openai, "messages[0].tool_call_id", "invalid_value"},
      {R"([{"role":"tool","content":"42"}])", openai, "messages[0].tool_call_id",
       "missing_required_parameter"},
      {R"([{"role":"user","content":"u","tool_call_id":"c1"}])", databricks, "messages[0].tool_call_id",
       "invalid_value"},
      {list({calling, answer, calling, answer}), openai, "messages[2].tool_calls[0].id", "invalid_value"},
      {list({calling, answer, calling, answer}), databricks, "messages[2].tool_calls[0].id", "invalid_value"},
      {R"([{"role":"assistant","tool_calls":[{"id":"c"},{"id":"c"}]}])", lmi, "messages[0].tool_calls[1].id",
       "invalid_value"},
      {list({user, calling, answer, user, answer}), openai, "messages[4].tool_call_id", "invalid_value"},
      {list({user, calling, answer, other_calling, answer}), ai21, "messages[4].tool_call_id",
       "invalid_value"},
      {list({user, calling}), openai, "messages", ""},
      {list({user, calling, user, answer}), openai, "messages.[2].role", ""},
      {R"([{"role":"user","content":"u","tool_calls":[{"id":"c"}]}])", openai, "messages[0].tool_calls",
       "invalid_value"},
      {R"([{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"[1]"}}]}])",
       databricks, "messages[0].tool_calls[0].function.arguments", "invalid_value"},
      {R"([{"role":"user","content":[]}])", databricks, "messages[0].content", "invalid_value"},
      {R"([{"role":"user","content":[{}]}])", databricks, "messages[0].content[0].type",
       "missing_required_parameter"},
      {R"([{"role":"user","content":[{"type":"text"}]}])", databricks, "messages[0].content[0].text",
       "missing_required_parameter"},
      {R"([{"role":"user","content":[{"type":"text","text":1}]}])", databricks, "messages[0].content[0].text",
       "invalid_type"},
      {R"([{"role":"user","content":[{"type":"smell","text":"x"}]}])", databricks,
       "messages[0].content[0].type", "invalid_value"},
      {R"([{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:"}}]}])", databricks,
       "messages[0].content[0].image_url.url", "invalid_value"},
      {R"([{"role":"user","content":[{"type":"image_url"}]}])", databricks,
       "messages[0].content[0].image_url", "missing_required_parameter"},
      {R"([{"role":"user","content":[{"type":"image_url","image_url":"https://x/y.png"}]}])", databricks,
       "messages[0].content[0].image_url", "invalid_type"},
      {R"([{"role":"assistant","content":[{"type":"image_url","image_url":{"url":"https://x"}}]}])",
       databricks, "messages[0].content[0].type", "invalid_value"},
      {R"([{"role":"assistant","content":null,"refusal":""}])", openai, "messages[0].content",
       "missing_required_parameter"},
      {R"([{"role":"user","content":null,"refusal":"no"}])", openai, "messages[0].content",
       "missing_required_parameter"},
      {R"([{"role":"user","content":[{"type":"file"}]}])", openai, "messages[0].content[0].file",
       "missing_required_parameter"},
      {R"([{"role":"user","content":[{"type":"file","file":{"filename":"a.pdf"}}]}])", openai,
       "messages[0].content[0].file.file_data", "missing_required_parameter"},
      {R"([{"role":"user","content":[{"type":"file","file":{"file_data":"?"}}]}])", openai,
       "messages[0].content[0].file.file_data", "invalid_value"},
      {R"([{"role":"user","content":[{"type":"input_audio","input_audio":{"format":"wav"}}]}])", openai,
       "messages[0].content[0].input_audio.data", "missing_required_parameter"},
      {R"([{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"?","format":"wav"}}]}])",
       openai, "messages[0].content[0].input_audio.data", "invalid_value"},
      {R"([{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"AAAA"}}]}])", openai,
       "messages[0].content[0].input_audio.format", "missing_required_parameter"},
      {R"([{"role":"assistant","content":[{"type":"file","file":{"file_id":"f"}}]}])", openai,
       "messages[0].content[0].type", "invalid_value"},
  }));
  INFO(bad.messages);
  const auto refusal = check(bad.messages, bad.rules);
  REQUIRE(refusal);
  CHECK(refusal->param == bad.param);
  CHECK(code_of(refusal->cause) == bad.code);
}

TEST_CASE("a second answer to a tool call is refused in OpenAI's words") {
  const auto twice = check(list({user, calling, answer, answer}), openai);
  REQUIRE(twice);
  CHECK(twice->status == 400);
  CHECK(twice->message ==
        "Invalid parameter: Duplicate value for 'tool_call_id' of 'c1', in messages[2] and messages[3].");
  CHECK(twice->param == "messages.[3].tool_call_id");
  CHECK(twice->cause == Cause::unnamed);
  CHECK_FALSE(check(list({user, calling, answer, answer}), databricks));
}

TEST_CASE("tool calls without a result are refused in OpenAI's words") {
  const auto call = [](const std::string& id) {
    return R"({"id":")" + id + R"(","type":"function","function":{"name":"f","arguments":"{}"}})";
  };
  const auto answer_to = [](const std::string& id) {
    return R"({"role":"tool","tool_call_id":")" + id + R"(","content":"42"})";
  };
  const auto both = R"({"role":"assistant","tool_calls":[)" + call("a") + "," + call("b") + "]}";
  CHECK_FALSE(check(list({user, both, answer_to("b"), answer_to("a"), user}), openai));
  CHECK_FALSE(check(list({user, both, user}), databricks));

  const std::string says =
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
      "'tool_call_id'. The following tool_call_ids did not have response messages: ";
  const auto one = check(list({user, both, answer_to("a"), user}), openai);
  REQUIRE(one);
  CHECK(one->message == says + "b");
  CHECK(one->param == "messages.[3].role");
  CHECK(check(list({user, both, user}), openai)->message == says + "a, b");

  std::string many;
  for (int i = 0; i < 20; ++i) many += (i > 0 ? "," : "") + call(std::string(100, 'x') + std::to_string(i));
  CHECK(check(list({R"({"role":"assistant","tool_calls":[)" + many + "]}"}), openai)->message.size() < 2'000);
}

TEST_CASE("the conversation check names the beginning of a long type") {
  const auto part = R"({"type":")" + std::string(100, 'x') + R"("})";
  const auto refusal = check(R"([{"role":"user","content":[)" + part + "]}]", databricks);
  REQUIRE(refusal);
  CHECK(refusal->message == "Invalid value for 'messages[0].content[0].type': expected 'text', but got '" +
                                std::string(64, 'x') + "...'.");
}
