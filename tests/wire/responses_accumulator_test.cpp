// Folding of events, including servers that leave out or confuse documented ones.
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "support/catch.hpp"
#include "wire/documents.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace {

using namespace inferwire;
namespace responses = inferwire::responses;

responses::Response fold(const std::vector<std::string>& events, bool complete = true) {
  responses::Accumulator accumulator;
  for (const std::string& text : events) {
    const auto event = json::decode<responses::Event>(text);
    if (!event) FAIL(event.error().message());
    accumulator.add(*event);
  }
  return accumulator.take(complete);
}

std::string delta(int output, int content, const std::string& text) {
  return R"({"type":"response.output_text.delta","output_index":)" + std::to_string(output) +
         R"(,"content_index":)" + std::to_string(content) + R"(,"delta":")" + text + "\"}";
}

TEST_CASE("responses::Accumulator orders pieces by their indices") {
  const auto response = fold({delta(2, 0, "c"), delta(0, 1, "b"), delta(0, 0, "a"), delta(2, 0, "d")});
  CHECK(response.output_text() == "abcd");
  CHECK(response.output.size() == 2);
  CHECK(response.object == "response");
}

TEST_CASE("responses::Accumulator prefers a .done event to the deltas before it") {
  const auto response = fold(
      {delta(0, 0, "wrnog"),
       R"({"type":"response.output_text.done","output_index":0,"content_index":0,"text":"right"})",
       R"({"type":"response.refusal.delta","output_index":0,"content_index":1,"delta":"n"})",
       R"({"type":"response.refusal.done","output_index":0,"content_index":1,"refusal":"no"})",
       R"({"type":"response.function_call_arguments.delta","output_index":1,"item_id":"fc","delta":"{"})",
       R"({"type":"response.function_call_arguments.done","output_index":1,"item_id":"fc","name":"f","arguments":"{}"})",
       R"({"type":"response.custom_tool_call_input.delta","output_index":2,"delta":"x"})",
       R"({"type":"response.custom_tool_call_input.done","output_index":2,"input":"y"})",
       R"({"type":"response.reasoning_text.delta","output_index":3,"content_index":0,"delta":"hm"})",
       R"({"type":"response.reasoning_text.done","output_index":3,"content_index":0,"text":"hmm"})",
       R"({"type":"response.reasoning_summary_text.delta","output_index":3,"summary_index":0,"delta":"s"})",
       R"({"type":"response.reasoning_summary_text.done","output_index":3,"summary_index":0,"text":"sum"})"});
  CHECK(response.output_text() == "right");
  CHECK(response.refusal() == "no");
  CHECK(*response.tool_calls().at(0) == responses::FunctionCall{.id = "fc", .name = "f", .arguments = "{}"});
  CHECK(std::get<responses::CustomToolCall>(response.output.at(2)).input == "y");
  CHECK(response.reasoning_text() == "hmm");
  CHECK(std::get<responses::Reasoning>(response.output.at(3)).summary.at(0).text == "sum");
}

TEST_CASE("output_item.done with empty content keeps the deltas") {
  const auto response = fold(
      {R"({"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"m","role":"assistant","content":[]}})",
       delta(0, 0, "kept"),
       R"({"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"m","role":"assistant","status":"completed","content":[]}})"});
  CHECK(response.output_text() == "kept");
  CHECK(std::get<responses::Message>(response.output.at(0)).status == "completed");
}

TEST_CASE("a .done event with empty text keeps the deltas") {  // agentgateway, opencode-llm-proxy
  const std::string part =
      R"({"type":"response.content_part.done","output_index":0,"content_index":0,"part":{"type":)";
  const auto response = fold(
      {delta(0, 0, "kept"),
       R"({"type":"response.output_text.done","output_index":0,"content_index":0,"text":""})",
       R"({"type":"response.output_text.annotation.added","output_index":0,"content_index":0,"annotation":{"url":"u"}})",
       part + R"("output_text","text":"","annotations":[]}})",
       R"({"type":"response.output_item.done","output_index":0,"item":{"type":"message","role":"assistant","content":[{"type":"output_text","text":""}]}})",
       R"({"type":"response.refusal.delta","output_index":1,"content_index":0,"delta":"no"})",
       R"({"type":"response.refusal.done","output_index":1,"content_index":0,"refusal":""})",
       R"({"type":"response.content_part.done","output_index":1,"content_index":0,"part":{"type":"refusal","refusal":""}})",
       R"({"type":"response.function_call_arguments.delta","output_index":2,"delta":"{}"})",
       R"({"type":"response.function_call_arguments.done","output_index":2})",
       R"({"type":"response.output_item.done","output_index":2,"item":{"type":"function_call","call_id":"c","name":"f","arguments":""}})",
       R"({"type":"response.custom_tool_call_input.delta","output_index":3,"delta":"x"})",
       R"({"type":"response.custom_tool_call_input.done","output_index":3,"input":""})",
       R"({"type":"response.output_item.done","output_index":3,"item":{"type":"custom_tool_call","call_id":"d","name":"g","input":""}})",
       R"({"type":"response.reasoning_text.delta","output_index":4,"content_index":0,"delta":"hm"})",
       R"({"type":"response.reasoning_text.done","output_index":4,"content_index":0})",
       R"({"type":"response.content_part.done","output_index":4,"content_index":0,"part":{"type":"reasoning_text","text":""}})",
       R"({"type":"response.reasoning_summary_text.delta","output_index":4,"summary_index":0,"delta":"s"})",
       R"({"type":"response.reasoning_summary_text.done","output_index":4,"summary_index":0})",
       R"({"type":"response.reasoning_summary_part.done","output_index":4,"summary_index":0})"});
  CHECK(response.output_text() == "kept");
  const auto& parts = std::get<std::vector<responses::ContentPart>>(
      *std::get<responses::Message>(response.output.at(0)).content);
  CHECK(std::get<responses::OutputText>(parts.at(0)).annotations.size() == 1);
  CHECK(response.refusal() == "no");
  CHECK(*response.tool_calls().at(0) ==
        responses::FunctionCall{.call_id = "c", .name = "f", .arguments = "{}"});
  CHECK(std::get<responses::CustomToolCall>(response.output.at(3)).input == "x");
  CHECK(response.reasoning_text() == "hm");
  CHECK(std::get<responses::Reasoning>(response.output.at(4)).summary.at(0).text == "s");
}

TEST_CASE("response.completed replaces everything, unless its output is empty") {
  const auto whole =
      R"({"type":"response.completed","response":{"id":"r","status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"whole"}]}],"usage":{"input_tokens":1}}})";
  CHECK(fold({delta(7, 3, "ghost"), whole}).output_text() == "whole");
  const auto empty =
      fold({delta(0, 0, "kept"),
            R"({"type":"response.completed","response":{"id":"r","status":"completed","output":[]}})"});
  CHECK(empty.output_text() == "kept");
  CHECK(empty.id == "r");
  CHECK(empty.finish() == Finish::stop);
}

TEST_CASE("a last response without a status takes it from its event") {
  CHECK(fold({R"({"type":"responses.completed","response":{"output":[]}})"}).finish() == Finish::stop);
  CHECK(fold({R"({"type":"response.failed","response":{"output":[],"status":null}})"}).status == "failed");
  CHECK_FALSE(fold({R"({"type":"response.created","response":{"output":[]}})"}).status);
}

TEST_CASE(
    "responses::Accumulator keeps usage and custom_outputs that later events about the response leave out") {
  const auto response = fold(
      {R"({"type":"response.in_progress","response":{"id":"r","usage":{"input_tokens":3},"custom_outputs":{"k":1}}})",
       R"({"type":"response.completed","response":{"id":"r","status":"completed","output":[]}})"});
  REQUIRE(response.usage);
  CHECK(response.usage->input_tokens == 3);
  REQUIRE(response.custom_outputs);
  CHECK(response.custom_outputs->text() == R"({"k":1})");
}

TEST_CASE("content_part events without a part add nothing") {
  const auto response =
      fold({R"({"type":"response.content_part.added","output_index":0,"content_index":0})",
            R"({"type":"response.content_part.added","output_index":0,"content_index":0,"part":null})",
            delta(0, 0, "text")});
  CHECK(response.output_text() == "text");
  CHECK(fold({R"({"type":"response.content_part.done","output_index":0,"part":null})"}).output.empty());
}

// https://github.com/openai/openai-agents-python/issues/5041,
// https://github.com/tashfeenahmed/freellmapi/pull/846
TEST_CASE("items of different kinds with one index are told apart, in the order of their beginning") {
  const auto thought = [](const std::string& text) {
    return R"({"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":")" +
           text + "\"}";
  };
  const std::string call =
      R"({"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc","call_id":"c","name":"f","arguments":""}})";
  const auto response = fold(
      {call,
       R"({"type":"response.function_call_arguments.delta","output_index":0,"item_id":"fc","delta":"{"})",
       R"({"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"m","role":"assistant","content":[]}})",
       delta(0, 0, "Hi"), thought("hm"), delta(0, 0, "!"), thought("m"),
       R"({"type":"response.function_call_arguments.done","output_index":0,"item_id":"fc","arguments":"{}"})",
       delta(1, 0, "?")});
  REQUIRE(response.output.size() == 4);
  CHECK(std::get<responses::FunctionCall>(response.output[0]).arguments == "{}");
  CHECK(response.output_text() == "Hi!?");
  CHECK(std::get<responses::Reasoning>(response.output[2]).summary.at(0).text == "hmm");
  const auto named =
      fold({R"({"type":"response.output_item.added","output_index":0,"item":null})", delta(0, 0, "Hi")});
  CHECK(named.output.size() == 1);
}

TEST_CASE("responses::Accumulator folds agents' events without indices and with changing ids") {
  const auto response = fold(
      {R"({"type":"response.output_text.delta","item_id":"a","delta":"He"})",
       R"({"type":"response.output_text.delta","item_id":"b","delta":"llo"})",
       R"({"type":"response.output_item.done","item":{"type":"message","id":"c","role":"assistant","content":[{"type":"output_text","text":"Hello"}]}})",
       R"({"type":"response.output_item.done","item":{"type":"function_call","id":"d","call_id":"1","name":"f","arguments":"{}"}})",
       R"({"type":"response.output_item.done","item":{"type":"function_call_output","call_id":"1","output":"x"}})"});
  REQUIRE(response.output.size() == 3);
  CHECK(response.output_text() == "Hello");
  CHECK(response.tool_calls().size() == 1);
}

TEST_CASE("events after response.completed belong to the next turn") {
  const std::string created = R"({"type":"response.created","response":{"id":"r","output":[]}})";
  const std::string ended = R"({"type":"response.completed","response":{"id":"r","output":[]}})";
  const std::string completed =
      R"({"type":"response.completed","response":{"id":"r","output":[{"type":"message","role":"assistant",)"
      R"("content":[{"type":"output_text","text":"one"}]}]}})";
  CHECK(fold({completed, delta(0, 0, " two")}).output_text() == "one two");
  CHECK(fold({created, delta(0, 0, "one"), ended, delta(0, 0, " two"), ended}).output_text() == "one two");
  CHECK(fold({delta(0, 0, "wrnog"), completed, created, completed}).output_text() == "oneone");
  CHECK(fold({completed, completed}).output_text() == "one");  // sent twice
  CHECK(fold({completed, ended}).output_text() == "one");
}

TEST_CASE("a stream that begins again from response.created counts once") {
  const std::string created =
      R"({"type":"response.created","sequence_number":0,"response":{"id":"r","output":[]}})";
  const std::string completed =
      R"({"type":"response.completed","response":{"id":"r","status":"completed","output":[{"type":"message",)"
      R"("role":"assistant","content":[{"type":"output_text","text":"Hello"}]}]}})";
  CHECK(fold({created, delta(0, 0, "Hel"), created, delta(0, 0, "Hel")}).output_text() == "Hel");
  CHECK(fold({created, delta(0, 0, "Hel"), created, delta(0, 0, "Hello"), completed}).output_text() ==
        "Hello");
}

TEST_CASE("output_item.done replaces the text of its deltas") {
  const auto done =
      R"({"type":"response.output_item.done","output_index":0,"item":{"type":"message","role":"assistant",)"
      R"("content":"Hello!"}})";
  CHECK(fold({delta(0, 0, "Hel"), done}).output_text() == "Hello!");
  const auto with_parts =
      R"({"type":"response.output_item.done","output_index":0,"item":{"type":"message","role":"assistant",)"
      R"("content":[{"type":"output_text","text":"Hello!"}]}})";
  CHECK(fold({delta(0, 0, "Hel"), delta(0, 1, "no part"), with_parts}).output_text() == "Hello!");
  const auto thought = fold(
      {R"({"type":"response.reasoning_text.delta","output_index":0,"delta":"h"})",
       R"({"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"s"})",
       R"({"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"r",)"
       R"("summary":[{"type":"summary_text","text":"sum"}],"content":[{"type":"reasoning_text","text":"hmm"}]}})"});
  CHECK(thought.reasoning_text() == "hmm");
  CHECK(std::get<responses::Reasoning>(thought.output.at(0)).summary.at(0).text == "sum");
}

TEST_CASE("events of parts set their text, and keep what they leave out") {
  const auto part = [](const std::string& when, const std::string& text) {
    return R"({"type":"response.content_part.)" + when +
           R"(","output_index":0,"content_index":0,"part":{"type":"output_text","text":")" + text + "\"}}";
  };
  CHECK(fold({part("added", "He"), delta(0, 0, "llo")}).output_text() == "Hello");
  const auto thought = fold(
      {R"({"type":"response.reasoning_summary_part.added","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":"s"}})",
       R"({"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"um"})"});
  CHECK(std::get<responses::Reasoning>(thought.output.at(0)).summary.at(0).text == "sum");
  const auto response =
      fold({R"({"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Hel",)"
            R"("logprobs":[{"token":"Hel","logprob":-1}]})",
            part("done", "Hello")});
  CHECK(response.output_text() == "Hello");
  const auto& message = std::get<responses::Message>(response.output.at(0));
  const auto& parts = std::get<std::vector<responses::ContentPart>>(*message.content);
  REQUIRE(std::get<responses::OutputText>(parts.at(0)).logprobs);
  CHECK(std::get<responses::OutputText>(parts.at(0)).logprobs->at(0).token == "Hel");
}

TEST_CASE("events with the id of an item alone belong to that item") {
  const auto added = [](const std::string& id) {
    return R"({"type":"response.output_item.added","item":{"type":"message","role":"assistant","id":")" + id +
           "\"}}";
  };
  const auto said = [](const std::string& id, const std::string& text) {
    return R"({"type":"response.output_text.delta","item_id":")" + id + R"(","delta":")" + text + "\"}";
  };
  const auto response = fold({added("a"), said("a", "1"), added("b"), said("b", "3"), said("a", "2")});
  CHECK(response.output_text() == "123");
  // Databricks' agents give all items of a turn the same id.
  CHECK(fold({R"({"type":"response.output_item.done","item":{"type":"reasoning","id":"M","summary":[]}})",
              R"({"type":"response.output_item.done","item":{"type":"message","id":"M","content":[]}})",
              said("M", "late")})
            .output_text() == "late");
}

TEST_CASE("responses::Accumulator tells agents' items with the same id apart") {
  const auto response = fold(
      {R"({"type":"response.output_item.done","item":{"type":"reasoning","id":"M","summary":[]}})",
       R"({"type":"response.output_text.delta","item_id":"M","delta":"Let me "})",
       R"({"type":"response.output_text.delta","item_id":"M","delta":"look"})",
       R"({"type":"response.output_item.done","item":{"type":"message","id":"M","role":"assistant","content":[{"type":"output_text","text":"Let me look"}]}})",
       R"({"type":"response.output_item.done","item":{"type":"function_call","id":"M","call_id":"c1","name":"f","arguments":"{}"},"custom_outputs":{"k":1}})",
       R"({"type":"response.output_item.done","item":{"type":"function_call","id":"M","call_id":"c2","name":"g","arguments":"{}"},"custom_outputs":null})",
       R"({"type":"response.output_item.done","item":{"type":"function_call_output","call_id":"c1","output":"x"}})"});
  REQUIRE(response.output.size() == 5);
  CHECK(std::holds_alternative<responses::Reasoning>(response.output[0]));
  CHECK(response.output_text() == "Let me look");
  REQUIRE(response.tool_calls().size() == 2);
  CHECK(response.tool_calls()[0]->call_id == "c1");
  CHECK(response.tool_calls()[1]->name == "g");
  REQUIRE(response.custom_outputs);
  CHECK(response.custom_outputs->text() == R"({"k":1})");
}

TEST_CASE("content_part events of reasoning_text fill the reasoning") {
  const auto response = fold(
      {R"({"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"rs","summary":[]}})",
       R"({"type":"response.content_part.added","output_index":0,"content_index":0,"part":{"type":"reasoning_text","text":""}})",
       R"({"type":"response.reasoning_text.delta","output_index":0,"content_index":0,"delta":"Deep"})",
       R"({"type":"response.content_part.done","output_index":0,"content_index":0,"part":{"type":"reasoning_text","text":"Deep."}})"});
  CHECK(response.reasoning_text() == "Deep.");
}

TEST_CASE("responses::Accumulator gathers annotations and logprobs") {
  const auto response = fold(
      {R"({"type":"response.output_text.delta","output_index":0,"delta":"a","logprobs":[{"token":"a","logprob":-1}]})",
       R"({"type":"response.output_text.annotation.added","output_index":0,"content_index":0,"annotation_index":0,"annotation":{"type":"url_citation","url":"u"}})",
       R"({"type":"response.output_text.annotation.added","output_index":0,"content_index":0,"annotation_index":1,"annotation":{"type":"container_file_citation","container_id":"cntr_1"}})",
       R"({"type":"response.output_text.delta","output_index":0,"delta":"b","logprobs":[{"token":"b","logprob":-2}]})",
       R"({"type":"response.output_text.done","output_index":0,"text":"ab","logprobs":[]})",
       R"({"type":"response.output_text.delta","output_index":1,"delta":"c","logprobs":[{"token":"c","logprob":-3}]})",
       R"({"type":"response.output_text.done","output_index":1,"text":"c","logprobs":[{"token":"c","logprob":-4}]})"});
  const auto text_of = [&response](std::size_t item) {
    const auto& message = std::get<responses::Message>(response.output.at(item));
    return std::get<responses::OutputText>(
        std::get<std::vector<responses::ContentPart>>(*message.content).at(0));
  };
  const auto text = text_of(0);
  CHECK(text.text == "ab");
  CHECK(text.annotations.at(0).url == "u");
  CHECK(text.annotations.at(1).container_id == "cntr_1");
  REQUIRE(text.logprobs);
  CHECK(text.logprobs->at(1).token == "b");
  CHECK(text_of(1).logprobs->at(0).logprob == -4);
}

TEST_CASE("is_incomplete() flags a function_call that a broken stream may have cut") {
  const std::vector<std::string> events{
      R"({"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"c","name":"f","arguments":""}})",
      R"({"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"a"})"};
  const auto broken = fold(events, false);
  CHECK(broken.tool_calls().at(0)->is_incomplete());
  const responses::Request next{.model = "m", .input = broken.to_input_items()};
  CHECK(json::encode(next).value().find("incomplete") == std::string::npos);
  // Half a call would get the whole conversation refused.
  CHECK(broken.tool_calls().at(0)->arguments == "{\"a");
  CHECK(json::encode(next).value().find(R"("arguments":"{}")") != std::string::npos);
  const auto untold = fold(events);
  CHECK(untold.tool_calls().at(0)->is_incomplete());
  // A call that is done, or in a response whose status was sent, is complete.
  for (const auto* const last :
       {R"({"type":"response.completed","response":{}})",
        R"({"type":"response.function_call_arguments.delta","output_index":0,"delta":"\":1}"})",
        R"({"type":"response.function_call_arguments.done","output_index":0,"arguments":""})"}) {
    const auto whole = fold({events[0], events[1], last});
    CHECK_FALSE(whole.tool_calls().at(0)->is_incomplete());
  }
  const std::string custom = R"({"type":"response.custom_tool_call_input.)";
  CHECK(std::get<responses::CustomToolCall>(fold({custom + R"(delta","delta":"a"})"}).output.at(0))
            .is_incomplete());
  CHECK_FALSE(std::get<responses::CustomToolCall>(fold({custom + R"(done","input":"a"})"}).output.at(0))
                  .is_incomplete());
}

TEST_CASE("responses::Accumulator replaces values of a wrong type by good ones") {
  const auto response =
      fold({R"({"type":"response.completed","response":{"id":"a","object":5,"status":5,"x":1}})"});
  CHECK(response.status == "completed");
  const auto text = json::encode(response).value();
  CHECK_THAT(text, inferwire_test::contains(R"("object":"response","status":"completed")"));
  CHECK_THAT(text, inferwire_test::contains(R"("x":1)") && !inferwire_test::contains(":5"));
  const auto call = fold({R"({"type":"response.output_item.added","output_index":0,)"
                          R"("item":{"type":"function_call","name":"f","arguments":"","status":5}})"});
  CHECK(json::encode(call));
}

TEST_CASE("responses::Accumulator finds calls without an index by their call_id") {
  // llm-rosetta#86
  const auto item = [](const std::string& step, const std::string& id) {
    return R"({"type":"response.output_item.)" + step + R"(","item":{"type":"function_call","call_id":")" +
           id + R"(","name":"f","arguments":""}})";
  };
  const auto piece = [](const std::string& id, const std::string& text) {
    return R"({"type":"response.function_call_arguments.delta","call_id":")" + id + R"(","delta":")" + text +
           "\"}";
  };
  std::vector<std::string> events{item("added", "a"), item("added", "b"), piece("a", "[1"),
                                  piece("b", "[2"),   piece("a", ",3]"),  piece("b", ",4]")};
  const bool ended = GENERATE(false, true);
  if (ended) events.insert(events.end(), {item("done", "b"), item("done", "a")});
  const auto response = fold(events);
  REQUIRE(response.tool_calls().size() == 2);
  CHECK(response.tool_calls()[0]->call_id == "a");
  CHECK(response.tool_calls()[0]->arguments == "[1,3]");
  CHECK(response.tool_calls()[1]->call_id == "b");
  CHECK(response.tool_calls()[1]->arguments == "[2,4]");
}

TEST_CASE("responses::Accumulator keeps an error event in either form") {
  for (const std::string event : {R"({"type":"error","code":"c","message":"boom","param":"p"})",
                                  R"({"type":"error","error":{"code":"c","message":"boom","param":"p"}})"}) {
    const auto response = fold({event});
    REQUIRE(response.error);
    CHECK(response.error->code == "c");
    CHECK(response.error->message == "boom");
    CHECK(response.error->param == "p");
  }
  const auto number = fold({R"({"type":"error","error":{"code":429,"type":"t","message":"slow"}})"});
  CHECK(number.error == responses::ResponseError{.code = "429", .message = "slow", .type = "t"});
  CHECK(fold({R"({"type":"error","error":"boom"})"}).error->message == "boom");
}

TEST_CASE("responses::Accumulator is not grown by huge indices") {
  responses::Accumulator accumulator;
  for (std::int64_t i = 0; i < 5000; ++i) {
    accumulator.add(responses::TextDelta{.output_index = i * 1'000'003, .delta = "x"});
    accumulator.add(responses::TextDelta{.output_index = 0, .content_index = -i, .delta = "x"});
  }
  const auto response = accumulator.take(true);
  CHECK(response.output.size() == 1024);
  CHECK(response.output_text().size() <= 2048);
}

TEST_CASE("responses::Accumulator drops whatever belongs to an item beyond the last that it keeps") {
  using namespace responses;
  Accumulator accumulator;
  for (std::int64_t i = 0; i < 1024; ++i) accumulator.add(TextDelta{.output_index = i, .delta = "x"});
  const auto full = accumulator.partial();
  const auto add = [&accumulator](auto... beyond) {
    ((beyond.output_index = 1024, accumulator.add(beyond)), ...);
  };
  add(OutputItemAdded{.item = Message{}}, OutputItemDone{.item = Message{}},
      ContentPartAdded{.part = OutputText{}}, ContentPartDone{.part = OutputText{}}, TextDelta{.delta = "x"},
      TextDone{.text = "x"}, AnnotationAdded{}, RefusalDelta{.delta = "x"}, RefusalDone{.refusal = "x"},
      FunctionCallArgumentsDelta{.delta = "x"}, FunctionCallArgumentsDone{.arguments = "x"},
      CustomToolCallInputDelta{.delta = "x"}, CustomToolCallInputDone{.input = "x"},
      ReasoningSummaryPartAdded{}, ReasoningSummaryPartDone{}, ReasoningSummaryTextDelta{.delta = "x"},
      ReasoningSummaryTextDone{.text = "x"}, ReasoningTextDelta{.delta = "x"}, ReasoningTextDone{.text = "x"},
      HostedToolEvent{});
  CHECK(accumulator.take(true) == full);
}

TEST_CASE("a responses::Accumulator may be moved inside a stream") {
  responses::Accumulator first;
  first.add(responses::TextDelta{.output_index = 0, .delta = "a"});
  responses::Accumulator second = std::move(first);
  second.add(responses::TextDelta{.output_index = 0, .delta = "b"});
  first = std::move(second);
  first.add(responses::TextDelta{.output_index = 0, .delta = "c"});
  CHECK(first.take(true).output_text() == "abc");
}

TEST_CASE("partial() shows the answer so far, take() empties the accumulator") {
  responses::Accumulator accumulator;
  accumulator.add(responses::TextDelta{.output_index = 0, .delta = "a"});
  CHECK(accumulator.partial().output_text() == "a");
  accumulator.add(responses::FunctionCallArgumentsDelta{.output_index = 1, .delta = "{}"});
  const auto so_far = accumulator.partial();
  CHECK_FALSE(so_far.tool_calls().at(0)->is_incomplete());
  accumulator.add(responses::TextDelta{.output_index = 0, .delta = "b"});
  accumulator.add(responses::LifecycleEvent{.type = "response.in_progress", .response = {.created_at = 1}});
  CHECK(accumulator.take(true).output_text() == "ab");
  CHECK(accumulator.take(true) == responses::Accumulator().take(true));
}

}  // namespace
