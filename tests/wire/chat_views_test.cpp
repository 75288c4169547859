// The views of answers, regardless of the provider's spelling.
#include "inferwire/chat.hpp"
#include "json/codec.hpp"
#include "support/catch.hpp"
#include "wire/documents.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace inferwire;

namespace {

/// The message of an answer as it is sent in the next request.
std::string replayed(const std::string& message) {
  const auto answer = json::decode<chat::Response>(R"({"choices":[{"index":0,"message":)" + message + "}]}");
  REQUIRE(answer);
  const chat::Request next{.model = "m", .messages = {answer->choices.at(0).message.as_request()}};
  const auto encoded = json::encode(next);
  REQUIRE(encoded);
  constexpr std::string_view before = R"({"model":"m","messages":[)";
  REQUIRE(encoded->starts_with(before));
  return encoded->substr(before.size(), encoded->size() - before.size() - 2);
}

chat::ToolCall call(std::string arguments) {
  return {.function = chat::FunctionCall{.name = "f", .arguments = std::move(arguments)}};
}

}  // namespace

TEST_CASE("Response::message is that of the choice with index 0") {
  const auto answer = json::decode<chat::Response>(
      R"({"choices":[{"index":1,"message":{"content":"one"}},)"
      R"({"index":0,"message":{"content":"zero","reasoning_content":"hm","refusal":"no",)"
      R"("tool_calls":[{"id":"a"},{"id":"b"}]}}]})");
  REQUIRE(answer);
  REQUIRE(answer->message() == &answer->choices[1].message);
  CHECK(answer->text() == "zero");
  CHECK(answer->reasoning_text() == "hm");
  CHECK(answer->refusal() == "no");
  const auto calls = answer->tool_calls();
  REQUIRE(calls.size() == 2);
  CHECK(calls[1] == &answer->choices[1].message.tool_calls[1]);
  CHECK(answer->as_request() == answer->message()->as_request());

  const chat::Response empty;
  CHECK(empty.message() == nullptr);
  CHECK_FALSE(chat::Response().as_request());
  CHECK(empty.reasoning_text().empty());
  CHECK(empty.refusal().empty());
  CHECK(empty.tool_calls().empty());
}

TEST_CASE("Message::as_request replaces arguments that are no object by {}") {
  for (const auto& [written, sent] :
       {std::pair{R"({"city":"Oslo"})", R"({"city":"Oslo"})"}, std::pair{R"({"city":"Ber)", "{}"},
        std::pair{"[1]", "{}"}, std::pair{" \n", "{}"}, std::pair{"", "{}"}}) {
    chat::Message message{.role = chat::Role::assistant};
    message.tool_calls = {
        {.id = "call_1", .function = chat::FunctionCall{.name = "f", .arguments = written}}};
    CHECK(message.as_request().tool_calls.at(0).function->arguments == sent);
    CHECK(message.tool_calls[0].function->arguments == written);
  }
}

TEST_CASE("Message::as_request leaves out members of answers") {
  CHECK(
      replayed(R"({"role":"assistant","content":"Hi","refusal":null,"annotations":[{"type":"url_citation"}],)"
               R"("audio":{"id":"a1"},"reasoning_content":"hm","reasoning":"hm","vendor":1})") ==
      R"({"role":"assistant","content":"Hi"})");
  CHECK(replayed(R"({"content":[{"type":"text","text":"Hi","citations":[1]}]})") ==
        R"({"role":"assistant","content":[{"type":"text","text":"Hi"}]})");
}

TEST_CASE("Message::as_request keeps who speaks and which call is answered") {
  const std::string answer = R"({"role":"tool","content":"x","name":"f","tool_call_id":"c1"})";
  CHECK(replayed(answer) == answer);
}

TEST_CASE("Message::as_request keeps signed reasoning and signatures") {
  const std::string signed_thought =
      R"({"role":"assistant","content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"hm",)"
      R"("signature":"c2ln"}]},{"type":"text","text":"Hi"}]})";
  CHECK(replayed(signed_thought) == signed_thought);
  const std::string thought_of_call =
      R"({"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"},)"
      R"("thoughtSignature":"c2ln"}]})";
  CHECK(replayed(thought_of_call) == thought_of_call);
  const std::string thoughts_beside_calls =
      R"({"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}],)"
      R"("reasoning_content":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm","signature":"S"}]})";
  CHECK(replayed(thoughts_beside_calls) == thoughts_beside_calls);
  const std::string call_alone =
      thoughts_beside_calls.substr(0, thoughts_beside_calls.find(R"("reasoning_content")"));
  for (const std::string thoughts : {R"("reasoning":"hm")", R"("reasoning_content":"hm","reasoning":"hm")"}) {
    CHECK(replayed(call_alone + thoughts + "}") == call_alone + thoughts + "}");
  }
  // https://docs.litellm.ai/docs/reasoning_content
  const std::string signed_blocks =
      call_alone +
      R"("reasoning_content":"hm","thinking_blocks":[{"type":"thinking","thinking":"hm","signature":"S"}]})";
  CHECK(replayed(signed_blocks) == signed_blocks);
  CHECK(replayed(R"({"content":"Hi","reasoning_text":"hm","reasoning_opaque":"OPAQ"})") ==
        R"({"role":"assistant","content":"Hi","reasoning_opaque":"OPAQ"})");
  const std::string unknown_block = R"({"role":"assistant","content":[{"type":"novelty","a":1.10}]})";
  CHECK(replayed(unknown_block) == unknown_block);
}

TEST_CASE("Message::as_request keeps reasoning without tool calls only if it should") {
  const auto answer = json::decode<chat::Response>(
      R"({"choices":[{"index":0,"message":{"role":"assistant","content":"Hi","reasoning_content":"hm",)"
      R"("reasoning":"hm","vendor":1}}]})");
  REQUIRE(answer);
  CHECK(json::encode(answer->as_request().value()) == R"({"role":"assistant","content":"Hi"})");
  CHECK(json::encode(answer->as_request(chat::KeepReasoning::always).value()) ==
        R"({"role":"assistant","content":"Hi","reasoning_content":"hm","reasoning":"hm"})");
}

TEST_CASE("Chunk::reasoning_text reads every spelling of reasoning") {
  const auto thought = [](const std::string& delta, const std::string& index = "0") {
    return json::decode<chat::Chunk>(R"({"choices":[{"index":)" + index + R"(,"delta":)" + delta + "}]}")
        .value()
        .reasoning_text();
  };
  CHECK(thought(R"({"reasoning_content":"hm"})") == "hm");
  CHECK(thought(R"({"reasoning":"hm"})") == "hm");
  CHECK(thought(R"({"reasoning_content":"hm","reasoning":"hm"})") == "hm");
  CHECK(thought(R"({"content":null,"reasoning_text":"hm"})") == "hm");
  CHECK(thought(R"({"content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}]})") ==
        "hm");
  CHECK(thought(R"({"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hi"}]})") == "hm");
  // OpenRouter sends them twice, and MiniMax once: https://github.com/MiniMax-AI/MiniMax-M2/issues/95
  CHECK(thought(
            R"({"reasoning":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm","index":0}]})") ==
        "hm");
  CHECK(thought(R"({"reasoning_details":[{"type":"reasoning.text","id":"reasoning-text-1",)"
                R"("format":"MiniMax-response-v1","index":0,"text":"The user"}]})") == "The user");
  CHECK(thought(R"({"reasoning":null,"reasoning_details":[{"type":"reasoning.summary","summary":"hm"},)"
                R"({"type":"reasoning.encrypted","data":"AA"},{"type":"reasoning.text","text":null},7]})") ==
        "hm");
  CHECK(thought(R"({"reasoning_details":"hm"})").empty());
  CHECK(thought(R"({"content":"Hi"})").empty());
  CHECK(thought(R"({"reasoning":"hm"})", "1").empty());
  CHECK(chat::Chunk().reasoning_text().empty());
}

TEST_CASE("ChunkChoice has its own text, reasoning and finish") {
  const auto chunk =
      json::decode<chat::Chunk>(
          R"({"choices":[{"index":1,"delta":{"content":"one","reasoning":"hm"}},)"
          R"({"index":0,"delta":{"content":[{"type":"text","text":"zero"}]},"finish_reason":"length"},)"
          R"({"index":2,"delta":{"tool_calls":[{"index":0}]},"finish_reason":"eos_token"}]})")
          .value();
  CHECK(chunk.text() == "zero");
  CHECK(chunk.choices.at(0).delta.text() == "one");
  CHECK(chunk.choices.at(0).delta.reasoning_text() == "hm");
  CHECK(chunk.choices.at(0).finish() == chat::Finish::none);
  CHECK(chunk.choices.at(1).delta.text() == "zero");
  CHECK(chunk.choices.at(1).delta.reasoning_text().empty());
  CHECK(chunk.choices.at(1).finish() == chat::Finish::length);
  CHECK(chunk.choices.at(2).delta.text().empty());
  CHECK(chunk.choices.at(2).finish() == chat::Finish::tool_calls);
}

TEST_CASE("Message::as_request sends audio by its id") {
  for (const std::string content : {"", R"("content":null,)", R"("content":"",)"}) {
    CHECK(replayed(R"({"role":"assistant",)" + content +
                   R"("audio":{"id":"audio_1","data":"AA==","transcript":"Hi","expires_at":1}})") ==
          R"({"role":"assistant","audio":{"id":"audio_1"}})");
  }
  CHECK(replayed(R"({"role":"assistant","content":null,"audio":{"data":"AA=="}})") ==
        R"({"role":"assistant","content":""})");
}

TEST_CASE("Message::as_request keeps members of a wrong type as they came") {
  const std::string odd =
      R"({"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"},"type":5}]})";
  CHECK(replayed(odd) == odd);
}

TEST_CASE("is_incomplete and has_generated_id are not sent, members of the server are") {
  chat::Accumulator whole;
  whole.add(json::decode<chat::Chunk>(R"({"choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[)"
                                      R"({"index":0,"odd":1,"function":{"name":"f","arguments":"{"}}]}}]})")
                .value());
  const chat::Message message = whole.take(false).choices.at(0).message;
  REQUIRE(message.tool_calls.at(0).is_incomplete());
  REQUIRE(message.tool_calls.at(0).has_generated_id());
  const auto& id = message.tool_calls.at(0).id;
  const auto sent = [&id](const std::string& arguments) {
    return R"({"role":"assistant","tool_calls":[{"id":")" + id +
           R"(","type":"function","function":{"name":"f","arguments":")" + arguments + R"("},"odd":1}]})";
  };
  CHECK(json::encode(message) == sent("{"));
  CHECK(json::encode(message.as_request()) == sent("{}"));
}

TEST_CASE("a server's member 'inferwire:incomplete' is kept and sets no flag") {
  const std::string call = R"({"id":"c","type":"function","function":{"name":"f","arguments":"{}"},)"
                           R"("inferwire:incomplete":true,"inferwire:id_generated":true})";
  const auto decoded = json::decode<chat::ToolCall>(call).value();
  CHECK_FALSE(decoded.is_incomplete());
  CHECK_FALSE(decoded.has_generated_id());
  CHECK(json::encode(decoded) == call);
}

TEST_CASE("Message::as_request leaves out empty content beside tool calls or a refusal") {
  CHECK(replayed(R"({"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function",)"
                 R"("function":{"name":"f","arguments":""}}]})")
            .find("content") == std::string::npos);
  CHECK(replayed(R"({"role":"assistant","content":null,"refusal":"No."})") ==
        R"({"role":"assistant","refusal":"No."})");
  CHECK(replayed(R"({"role":"assistant","content":"","refusal":"No."})") ==
        R"({"role":"assistant","refusal":"No."})");
  const std::string call_alone =
      R"({"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]})";
  CHECK(replayed(R"({"role":"assistant","content":[{"type":"text","text":""}],)" +
                 call_alone.substr(call_alone.find("\"tool_calls"))) == call_alone);
}

TEST_CASE("Message::as_request gives an empty message empty content") {  // reasoning that was cut off
  CHECK(replayed(R"({"role":"assistant","content":null,"reasoning":"Hm"})") ==
        R"({"role":"assistant","content":""})");
}

TEST_CASE("chat::system, user, assistant and tool take any kind of text") {
  const std::string_view view = std::string_view("Hi there").substr(0, 2);
  const std::string text(view);
  CHECK(chat::system(view) == chat::system(text));
  CHECK(chat::user(view) == chat::user(text));
  CHECK(chat::user("Hi") == chat::user(text));
  CHECK(chat::user({chat::TextPart{.text = text}}).text() == text);
  CHECK(chat::assistant(view) == chat::assistant(text));
  CHECK(chat::tool("c", view) == chat::tool("c", text));
}

TEST_CASE("ToolCall::parsed_arguments gives an object") {
  CHECK(call("").parsed_arguments().value().text() == "{}");
  CHECK(call(" \n").parsed_arguments().value().text() == "{}");
  CHECK(call(R"({"city": "Oslo"})").parsed_arguments().value().find("/city")->as_string() == "Oslo");
  CHECK(chat::ToolCall{}.parsed_arguments().value().text() == "{}");
  const auto as_object = json::decode<chat::Response>(
      R"({"choices":[{"index":0,"message":{"tool_calls":[{"id":"c","function":{"name":"f","arguments":{"a":1}}}]}}]})");
  REQUIRE(as_object);
  CHECK(as_object->choices.at(0).message.tool_calls.at(0).parsed_arguments().value().find("/a")->as_int() ==
        1);
}

TEST_CASE("ToolCall::parsed_arguments of cut arguments is an error with their text") {
  const auto broken = call(R"({"city": "Os)").parsed_arguments();
  REQUIRE_FALSE(broken);
  CHECK(broken.error().kind == ErrorKind::tool);
  CHECK(broken.error().body == R"({"city": "Os)");
  CHECK(broken.error().detail.starts_with("the arguments of 'f' are not a JSON object: "));
  for (const auto* no_object : {"[1]", "null", "1"}) {
    const auto refused = call(no_object).parsed_arguments();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::tool);
    CHECK(refused.error().body == no_object);
    CHECK(refused.error().detail == "the arguments of 'f' are not a JSON object");
  }
}
