// Requests, items and events of the Responses API on the wire.
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "support/catch.hpp"
#include "wire/documents.hpp"

namespace {

using namespace inferwire;
using namespace inferwire_test;

template <class T>
T decoded(std::string_view text) {
  auto value = json::decode<T>(text);
  if (!value) FAIL(value.error().message());
  return *std::move(value);
}

template <class T>
std::string encoded(const T& value, json::Spelling spelling = json::Spelling::flat) {
  auto text = json::encode(value, {}, spelling);
  if (!text) FAIL(text.error().message());
  return *std::move(text);
}

responses::Request with_tool() {
  return {.model = "m",
          .input = "hi",
          .text = responses::TextConfig{.format = responses::TextFormat{.type = "json_schema",
                                                                        .name = "rock",
                                                                        .schema = Json::raw("{}"),
                                                                        .strict = true}},
          .tools = {{.name = "tide", .parameters = Json::raw(R"({"type":"object"})")}},
          .tool_choice = responses::NamedToolChoice{.name = "tide"}};
}

TEST_CASE("tools, tool_choice and text.format are written flat or nested") {
  CHECK(
      encoded(with_tool()) ==
      R"({"model":"m","input":"hi","text":{"format":{"type":"json_schema","name":"rock","schema":{},"strict":true}},)"
      R"("tools":[{"type":"function","name":"tide","parameters":{"type":"object"}}],)"
      R"("tool_choice":{"type":"function","name":"tide"}})");
  CHECK(
      encoded(with_tool(), json::Spelling::nested) ==
      R"({"model":"m","input":"hi","text":{"format":{"type":"json_schema","json_schema":{"name":"rock","schema":{},"strict":true}}},)"
      R"("tools":[{"type":"function","function":{"name":"tide","parameters":{"type":"object"}}}],)"
      R"("tool_choice":{"type":"function","function":{"name":"tide"}}})");
}

TEST_CASE("nested tools deeper than 256 levels are refused") {
  for (const int levels : {200, 300, 100'000}) {
    std::string text = R"({"output":[],"tools":[{"type":"function")";
    for (int i = 0; i < levels; ++i) text += R"(,"function":{"x":0)";
    text += std::string(static_cast<std::size_t>(levels), '}') + "}]}";
    const auto response = json::decode<responses::Response>(text);
    CAPTURE(levels);
    CHECK(response.has_value() == (levels == 200));
    if (!response) CHECK_THAT(response.error().detail, contains("nested too deeply"));
  }
}

TEST_CASE("both spellings are read, and the doubly nested tool_choice of Databricks' documents") {
  CHECK(decoded<responses::Request>(encoded(with_tool(), json::Spelling::nested)) == with_tool());
  const auto request = decoded<responses::Request>(
      R"({"model":"m","input":"","tool_choice":{"type":"function","function":{"type":"function","function":{"name":"f"}}}})");
  CHECK(request.tool_choice == responses::ToolChoice(responses::NamedToolChoice{.name = "f"}));
}

TEST_CASE("responses tool_choice of type allowed_tools names functions and servers") {
  const std::string choice =
      R"({"type":"allowed_tools","mode":"auto","tools":[{"type":"function","name":"tide"},)"
      R"({"type":"mcp","server_label":"maps"}]})";
  const auto text = R"({"model":"m","input":"hi","tool_choice":)" + choice + "}";
  const auto request = decoded<responses::Request>(text);
  CHECK(
      request.tool_choice ==
      responses::ToolChoice(responses::NamedToolChoice{
          .type = "allowed_tools",
          .mode = responses::ToolChoiceMode::automatic,
          .tools = {{.name = "tide"}, {.type = "mcp", .extra = {{"server_label", Json::string("maps")}}}}}));
  CHECK(encoded(request) == text);
}

TEST_CASE("a hosted tool is written the same flat and nested, with its own members") {
  const std::string text =
      R"({"model":"m","input":"hi","tools":[{"type":"web_search","user_location":{"country":"IE"}}]})";
  const auto request = decoded<responses::Request>(text);
  CHECK(encoded(request) == text);
  CHECK(encoded(request, json::Spelling::nested) == text);
}

TEST_CASE("an error inside a nested tool names its path") {
  const auto request = json::decode<responses::Request>(
      R"({"model":"m","input":"","tools":[{"type":"function","function":{"name":5}}]})",
      json::Reading::strict);
  REQUIRE_FALSE(request);
  CHECK(request.error().path == "tools[0].function.name");
}

TEST_CASE("input items without a type are messages") {
  const std::string text =
      R"({"model":"m","input":[{"role":"user","content":"a"},{"type":"message","role":"user","content":[{"type":"input_text","text":"b"}]},)"
      R"({"type":"function_call","call_id":"c","name":"f","arguments":"{}"},)"
      R"({"type":"function_call_output","call_id":"c","output":"18:42"},)"
      R"({"type":"function_call_output","call_id":"c","output":{"at":1.10}},)"
      R"({"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"x"}]},)"
      R"({"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gA"},)"
      R"({"type":"item_reference","id":"msg_1"},{"type":"mcp_list_tools","id":"m","tools":[]}]})";
  const auto request = decoded<responses::Request>(text);
  const auto& items = std::get<std::vector<responses::Item>>(*request.input);
  REQUIRE(items.size() == 9);
  CHECK(std::get<responses::Message>(items[0]).text() == "a");
  CHECK(std::get<responses::Message>(items[1]).text() == "b");
  CHECK(std::holds_alternative<Dictionary<Json>>(std::get<responses::FunctionCallOutput>(items[4]).output));
  CHECK(std::get<Unknown>(items[8]).type() == "mcp_list_tools");
  CHECK(encoded(request) == text);
}

TEST_CASE("responses::system, user, assistant and function_output make items") {
  const responses::Request request{
      .model = "m",
      .input = {
          responses::system("Be brief."), responses::user("Hi"), responses::assistant("Hello"),
          responses::user({responses::InputText{.text = "Look"}, responses::InputImage{.file_id = "f"}}),
          responses::function_output("c", "7")}};
  CHECK(
      encoded(request) ==
      R"({"model":"m","input":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"},)"
      R"({"role":"assistant","content":"Hello"},)"
      R"({"role":"user","content":[{"type":"input_text","text":"Look"},{"type":"input_image","file_id":"f"}]},)"
      R"({"type":"function_call_output","call_id":"c","output":"7"}]})");
  CHECK(decoded<responses::Request>(encoded(request)) == request);
  CHECK(to_json(request).value().text() == encoded(request));
}

TEST_CASE("responses::system, user and others take any kind of text") {
  const std::string_view view = std::string_view("Hi there").substr(0, 2);
  const std::string text(view);
  CHECK(responses::system(view) == responses::system(text));
  CHECK(responses::user(view) == responses::user(text));
  CHECK(responses::user("Hi") == responses::user(text));
  CHECK(responses::user({responses::InputText{.text = text}}).text() == text);
  CHECK(responses::assistant(view) == responses::assistant(text));
  CHECK(responses::function_output("c", view) == responses::function_output("c", text));
}

TEST_CASE("responses::Message::text joins its text parts") {
  CHECK(responses::Message().text() == "");
  CHECK(responses::user("Hi").text() == "Hi");
  CHECK(responses::user({responses::InputText{.text = "a"}, responses::InputFile{.file_id = "f"},
                         responses::OutputText{.text = "b"}})
            .text() == "ab");
}

TEST_CASE("Response::output_text joins the messages' strings and parts") {
  const auto response = decoded<responses::Response>(
      R"({"output":[{"type":"message","role":"assistant","content":"a"},{"type":"reasoning"},)"
      R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":"b"},{"type":"refusal","refusal":"No"}]}]})");
  CHECK(response.output_text() == "ab");
  CHECK(response.refusal() == "No");
  CHECK(to_json(response).value().text() == encoded(response));
}

TEST_CASE("an InputFile says in which detail it is read") {
  const responses::Request request{
      .model = "m", .input = {responses::user({responses::InputFile{.file_id = "f", .detail = "low"}})}};
  const std::string text =
      R"({"model":"m","input":[{"role":"user","content":[{"type":"input_file","file_id":"f","detail":"low"}]}]})";
  CHECK(encoded(request) == text);
  CHECK(decoded<responses::Request>(text) == request);
}

TEST_CASE("items compare by all of their members") {
  const auto item = [](const std::string& text) {
    return decoded<responses::Request>(R"({"model":"m","input":[)" + text + "]}");
  };
  const auto [one, other] = GENERATE(table<std::string, std::string>({
      {R"({"role":"user","content":[{"type":"input_image","file_id":"f"}]})",
       R"({"role":"user","content":[{"type":"input_image","file_id":"g"}]})"},
      {R"({"role":"user","content":[{"type":"input_file","file_id":"f"}]})",
       R"({"role":"user","content":[{"type":"input_file","file_url":"f"}]})"},
      {R"({"role":"assistant","content":[{"type":"output_text","text":"a","annotations":[{"type":"url_citation","url":"u"}]}]})",
       R"({"role":"assistant","content":[{"type":"output_text","text":"a","annotations":[{"type":"url_citation","url":"v"}]}]})"},
      {R"({"type":"function_call_output","call_id":"c","output":"7"})",
       R"({"type":"function_call_output","call_id":"c","output":"8"})"},
      {R"({"type":"custom_tool_call","call_id":"c","name":"f","input":"7"})",
       R"({"type":"custom_tool_call","call_id":"c","name":"g","input":"7"})"},
      {R"({"type":"custom_tool_call_output","call_id":"c","output":"7"})",
       R"({"type":"custom_tool_call_output","call_id":"d","output":"7"})"},
      {R"({"type":"item_reference","id":"a"})", R"({"type":"item_reference","id":"b"})"},
  }));
  CAPTURE(one, other);
  CHECK(item(one) == item(one));
  CHECK(item(one) != item(other));
}

TEST_CASE("function_call arguments that are an object are read as text") {
  const auto response = decoded<responses::Response>(
      R"({"output":[{"type":"function_call","call_id":"c","name":"f","arguments":{"a":1}}]})");
  CHECK(response.tool_calls().at(0)->arguments == R"({"a":1})");
}

TEST_CASE("FunctionCall::parsed_arguments is an object or an error") {
  CHECK(responses::FunctionCall{.arguments = ""}.parsed_arguments()->text() == "{}");
  CHECK(responses::FunctionCall{.arguments = " \n"}.parsed_arguments()->text() == "{}");
  CHECK(responses::FunctionCall{.arguments = R"({"a":1})"}.parsed_arguments()->text() == R"({"a":1})");
  for (const auto* bad : {"[1]", "{", "null"}) {
    const auto parsed = responses::FunctionCall{.name = "f", .arguments = bad}.parsed_arguments();
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().kind == ErrorKind::tool);
    CHECK(parsed.error().body == bad);
  }
}

TEST_CASE("Response::to_input_items replaces arguments that are no object by {}") {
  for (const auto* text : {"[1]", "{", "null", " \n", ""}) {
    responses::Response response;
    response.output = {responses::FunctionCall{.call_id = "c", .name = "f", .arguments = text}};
    const auto items = response.to_input_items();
    CHECK(std::get<responses::FunctionCall>(items.at(0)).arguments == "{}");
  }
}

TEST_CASE("every documented member of responses::Request and Response is typed") {
  // Databricks' reference ("Responses API request", "response") and the additions of OpenAI's.
  const auto request = decoded<responses::Request>(
      R"({"model":"m","input":[{"role":"user","content":"x"}],"instructions":"i","max_output_tokens":1,"temperature":1,)"
      R"("top_p":1,"stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false},)"
      R"("text":{"format":{"type":"text"},"verbosity":"low"},"reasoning":{"effort":"low","mode":"pro","summary":"auto","context":"auto","encrypted_content":"e"},)"
      R"("tool_choice":"auto","tools":[{"type":"function","name":"f","description":"d","parameters":{},"strict":true}],)"
      R"("parallel_tool_calls":true,"max_tool_calls":1,"metadata":{"a":"b"},"prompt_cache_key":"k","prompt_cache_options":{"mode":"explicit","ttl":"30m"},"prompt_cache_retention":"24h",)"
      R"("safety_identifier":"s","user":"u","truncation":"auto","top_logprobs":1,"include":["i"],)"
      R"("prompt":{"id":"p","version":"1","variables":{}},"background":false,"store":true,"conversation":{"id":"c"},)"
      R"("service_tier":"auto","previous_response_id":"r","custom_inputs":{},"context":{},"databricks_options":{"return_trace":true}})");
  CHECK(request.extra.empty());
  CHECK(request.text->extra.empty());
  CHECK(request.reasoning->extra.empty());
  CHECK(request.tools.at(0).extra.empty());
  CHECK(request.prompt->extra.empty());
  CHECK(request.prompt_cache_options == PromptCacheOptions{.mode = "explicit", .ttl = "30m"});
  const auto response = decoded<responses::Response>(
      R"({"id":"r","object":"response","created_at":1,"status":"completed","model":"m","output":[],"usage":{"input_tokens":1},)"
      R"("error":{"code":"c","message":"m","param":"p","type":"t"},"incomplete_details":{"reason":"r"},"instructions":"i",)"
      R"("max_output_tokens":1,"temperature":1,"top_p":1,"tools":[{"type":"function","function":{"name":"f"}}],)"
      R"("tool_choice":{"type":"function","name":"f"},"parallel_tool_calls":true,"store":false,"metadata":{"a":"b"},)"
      R"("completed_at":2,"previous_response_id":"p","reasoning":{"effort":"low","mode":"pro","context":"all_turns"},"text":{"format":{"type":"text"}},)"
      R"("truncation":"auto","service_tier":"t","user":"u","prompt":{"id":"p"},"background":false,"conversation":{"id":"c"},)"
      R"("top_logprobs":1,"max_tool_calls":1,"prompt_cache_key":"k","prompt_cache_options":{"mode":"explicit","ttl":"30m"},"prompt_cache_retention":"24h","safety_identifier":"s",)"
      R"("moderation":{},"custom_outputs":{}})");
  CHECK(response.extra.empty());
  CHECK(response.error->extra.empty());
  CHECK(response.prompt_cache_options == request.prompt_cache_options);
  CHECK(response.reasoning ==
        responses::ReasoningConfig{.effort = ReasoningEffort::low, .mode = "pro", .context = "all_turns"});
}

TEST_CASE("CustomToolFormat is read and written") {
  const std::string text = R"({"model":"m","input":"x","tools":[{"type":"custom","name":"sum",)"
                           R"("format":{"type":"grammar","syntax":"regex","definition":"[0-9]+"}}]})";
  const auto request = decoded<responses::Request>(text);
  CHECK(request.tools.at(0) ==
        responses::Tool{.type = "custom",
                        .name = "sum",
                        .format = responses::CustomToolFormat{
                            .type = "grammar", .syntax = "regex", .definition = "[0-9]+"}});
  CHECK(encoded(request) == text);
}

TEST_CASE("created_at is written without an exponent") {
  auto response = decoded<responses::Response>(R"({"created_at":1700000000,"output":[]})");
  CHECK(encoded(response).find(R"("created_at":1700000000,)") != std::string::npos);
  response.created_at = 1758326500.25;
  CHECK(encoded(response).find(R"("created_at":1758326500.25,)") != std::string::npos);
}

TEST_CASE("responses::Event is chosen by 'type' at any position") {
  const auto front = decoded<responses::Event>(
      R"({"type":"response.output_text.delta","sequence_number":4,"item_id":"i","output_index":1,"content_index":2,"delta":"x"})");
  const auto last = decoded<responses::Event>(
      R"({"sequence_number":4,"item_id":"i","output_index":1,"content_index":2,"delta":"x","type":"response.output_text.delta"})");
  CHECK(front == last);
  const auto* const delta = front.get_if<responses::TextDelta>();
  REQUIRE(delta != nullptr);
  CHECK(*delta ==
        responses::TextDelta{
            .sequence_number = 4, .item_id = "i", .output_index = 1, .content_index = 2, .delta = "x"});
  CHECK(front.text() == "x");
  CHECK(front.get_if<responses::TextDone>() == nullptr);
}

TEST_CASE("responses::Event without a type takes the frame's name") {
  json::Decoder decoder;
  responses::Event event;
  Error error;
  const std::string padded = R"({"delta":"x"})" + std::string(json::padding, ' ');
  REQUIRE(decoder.decode_any(std::string_view(padded).substr(0, 13), &event,
                             json::describe<responses::Event>(), json::Reading::tolerant, error,
                             "response.output_text.delta"));
  CHECK(event.text() == "x");
}

TEST_CASE("responses::Event keeps unknown events as they came") {
  for (const std::string text : {R"({"type":"keepalive","sequence_number":3})",
                                 R"({"trace_id":"t","n":1.10})", R"({"type":7})", R"({})"}) {
    const auto event = decoded<responses::Event>(text);
    REQUIRE(event.get_if<responses::UnknownEvent>() != nullptr);
    CHECK(encoded(event) == text);
  }
  CHECK(decoded<responses::Event>(R"({"type":"keepalive"})").type() == "keepalive");
}

TEST_CASE("responses::Event refuses what is no object") {
  for (const auto* text : {"", "[]", "\"x\"", "null", R"({"type":"keepalive")", R"({"a":tru})",
                           R"({"type":"response.output_text.delta","delta":"x"} x)", "{\"a\":\"\xff\"}"}) {
    INFO(text);
    const auto event = json::decode<responses::Event>(text);
    REQUIRE_FALSE(event);
    CHECK(event.error().kind == ErrorKind::decode);
  }
}

TEST_CASE("a delta of the wrong type is a decode error with its path") {
  const auto event = json::decode<responses::Event>(R"({"type":"response.output_text.delta","delta":5})");
  REQUIRE_FALSE(event);
  CHECK(event.error().path == "delta");
}

TEST_CASE("Event::text and reasoning_text give the delta of their kind") {
  const auto event = [](const std::string& type) {
    return json::decode<responses::Event>(R"({"type":"response.)" + type + R"(.delta","delta":"hm"})")
        .value();
  };
  CHECK(event("output_text").text() == "hm");
  CHECK(event("output_text").reasoning_text().empty());
  CHECK(event("reasoning_text").reasoning_text() == "hm");
  CHECK(event("reasoning_text").text().empty());
  CHECK(event("reasoning_summary_text").reasoning_text() == "hm");
}

TEST_CASE("HostedToolEvent has item_id and output_index, and keeps the rest") {
  const auto event = decoded<responses::Event>(
      R"({"type":"response.image_generation_call.partial_image","item_id":"ig_1","output_index":2,"partial_image_b64":"AA=="})");
  const auto* const hosted = event.get_if<responses::HostedToolEvent>();
  REQUIRE(hosted != nullptr);
  CHECK(hosted->type == "response.image_generation_call.partial_image");
  CHECK(hosted->item_id == "ig_1");
  CHECK(hosted->output_index == 2);
  REQUIRE(hosted->extra.find("partial_image_b64") != nullptr);
  CHECK(hosted->extra.find("partial_image_b64")->text() == R"("AA==")");
}

TEST_CASE("the compaction of a conversation is a HostedToolEvent") {
  const auto event = decoded<responses::Event>(
      R"({"type":"response.compaction.compacting","item_id":"cmp_1","output_index":0,"sequence_number":3})");
  const auto* const hosted = event.get_if<responses::HostedToolEvent>();
  REQUIRE(hosted != nullptr);
  CHECK(hosted->item_id == "cmp_1");
  CHECK(event.sequence_number() == 3);
}

TEST_CASE("responses::Event can be copied and moved") {
  const responses::Event delta(responses::TextDelta{.delta = "x"});
  responses::Event copy = delta;
  CHECK(copy == delta);
  CHECK(copy.text() == "x");
  copy = responses::Event(responses::RefusalDelta{.delta = "no"});
  CHECK_FALSE(copy == delta);
  CHECK_FALSE(responses::Event(responses::TextDelta{.delta = "y"}) == delta);
  CHECK_FALSE(responses::Event() == delta);
  responses::Event moved = std::move(copy);
  CHECK(moved.get_if<responses::RefusalDelta>()->delta == "no");
  CHECK(copy == responses::Event());  // the state of a moved-from event
  CHECK(responses::Event().type().empty());
  CHECK(encoded(responses::Event()) == "null");
  copy = delta;
  CHECK(copy == delta);
}

TEST_CASE("Event::visit calls the visitor with the event's type") {
  const responses::Event event(responses::LifecycleEvent{.type = "response.failed", .response = {}});
  const bool seen =
      event.visit([]<class T>(const T&) { return std::is_same_v<T, responses::LifecycleEvent>; });
  CHECK(seen);
  CHECK(event.get_if<responses::LifecycleEvent>()->is_terminal());
}

TEST_CASE("Response::to_input_items cuts long ids and leaves out members of answers") {
  const std::string id = "msg_" + std::string(80, 'a');
  const auto response = decoded<responses::Response>(
      R"({"store":false,"output":[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gA","status":null},)"
      R"({"type":"custom_tool_call_output","call_id":"d","output":"7","status":"completed"},)"
      R"({"type":"message","id":")" +
      id +
      R"(","role":"assistant","status":"completed","content":[{"type":"output_text","text":"x","annotations":[],"logprobs":[]}]},)"
      R"({"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":"{}","status":"completed","namespace":null,"created_by":{"a":1},"signature":"s"},)"
      R"({"type":"web_search_call","id":"ws_1","status":"completed"}]})");
  const responses::Request next{.model = "m", .input = response.to_input_items()};
  CHECK(
      encoded(next) ==
      R"({"model":"m","input":[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gA"},)"
      R"({"type":"custom_tool_call_output","call_id":"d","output":"7"},)"
      R"({"id":")" +
          id.substr(0, 64) +
          R"(","type":"message","role":"assistant","content":[{"type":"output_text","text":"x","annotations":[]}]},)"
          R"({"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":"{}","signature":"s"},)"
          R"({"type":"web_search_call","id":"ws_1","status":"completed"}]})");
}

TEST_CASE("Response::to_input_items leaves out reasoning that was not stored, and ids that refer to it") {
  auto response = decoded<responses::Response>(
      R"({"store":false,"output":[{"type":"reasoning","id":"rs_1","summary":[]},)"
      R"({"type":"message","id":"msg_1","role":"assistant","content":"x"},)"
      R"({"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":"{}"},)"
      R"({"type":"custom_tool_call","id":"ctc_1","call_id":"d","name":"g","input":"x"},)"
      R"({"type":"web_search_call","id":"ws_1"}]})");
  CHECK(to_json(response.to_input_items()).value().text() ==
        R"([{"type":"message","role":"assistant","content":"x"},)"
        R"({"type":"function_call","call_id":"c","name":"f","arguments":"{}"},)"
        R"({"type":"custom_tool_call","call_id":"d","name":"g","input":"x"},)"
        R"({"type":"web_search_call","id":"ws_1"}])");
  response.store = true;
  CHECK(response.to_input_items() == response.output);
}

TEST_CASE("Response::to_input_items leaves out reasoning that nothing follows") {
  const std::vector<responses::Item> thoughts{responses::Reasoning{.id = "rs_1", .encrypted_content = "gA"},
                                              responses::Reasoning{.id = "rs_2"}};
  responses::Response response{.output = thoughts, .store = false};
  CHECK(response.to_input_items().empty());
  response.store.reset();
  CHECK(response.to_input_items().empty());
  response.output.emplace_back(responses::Message{.id = "msg_1", .role = Role::assistant});
  response.output.insert(response.output.end(), thoughts.begin(), thoughts.end());
  REQUIRE(response.to_input_items().size() == 3);
  CHECK(std::get<responses::Message>(response.to_input_items().back()).id == "msg_1");
}

TEST_CASE("Response::to_input_items leaves out created_by of hosted tools") {
  const auto sent = [](const std::string& item) {
    const auto response = decoded<responses::Response>(R"({"output":[)" + item + "]}");
    return encoded(response.to_input_items().at(0));
  };
  CHECK(sent(R"({"type":"compaction","id":"cmp_1","encrypted_content":"e","created_by":"u"})") ==
        R"({"type":"compaction","id":"cmp_1","encrypted_content":"e"})");
  CHECK(
      sent(
          R"({"type":"shell_call_output","call_id":"c","created_by":"u","output":[{"stdout":"x","created_by":"u",)"
          R"("outcome":{"type":"exit","exit_code":0}},{"stdout":"\u00e9"}, 5 ],"max_output_length":1.0})") ==
      R"({"type":"shell_call_output","call_id":"c","output":[{"stdout":"x",)"
      R"("outcome":{"type":"exit","exit_code":0}},{"stdout":"\u00e9"},5],"max_output_length":1.0})");
  // Everything else is unchanged.
  const std::string call =
      R"({"type":"mcp_call", "arguments":"{\"created_by\":1}","output":"created_by","tool":{"created_by":"u"}})";
  CHECK(sent(call) == call);
}

TEST_CASE("Response::finish maps status and incomplete_details, and failure is there if it is an error") {
  struct Case {
    const char* text;
    Finish finish;
  };
  const auto row = GENERATE(values<Case>({
      {R"({"output":[]})", Finish::none},
      {R"({"output":[],"status":"in_progress"})", Finish::none},
      {R"({"output":[],"status":"completed"})", Finish::stop},
      {R"({"output":[{"type":"function_call"}],"status":"completed"})", Finish::tool_calls},
      {R"({"output":[{"type":"mcp_approval_request","id":"a"}],"status":"completed"})", Finish::tool_calls},
      {R"({"output":[],"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}})",
       Finish::length},
      {R"({"output":[],"status":"incomplete","incomplete_details":{"reason":"content_filter"}})",
       Finish::content_filter},
      {R"({"output":[],"status":"incomplete"})", Finish::other},
      {R"({"output":[],"status":"failed"})", Finish::error},
      {R"({"output":[],"status":"cancelled"})", Finish::other},
  }));
  INFO(row.text);
  auto response = decoded<responses::Response>(row.text);
  CHECK(response.finish() == row.finish);
  for (const auto detail : {"the response failed", "Oh."}) {
    const auto failure = response.failure();
    REQUIRE(failure.has_value() == (row.finish == Finish::error));
    if (failure) CHECK(failure->kind == ErrorKind::response_failed);
    if (failure) CHECK(failure->detail == detail);
    response.error = {.code = "server_error", .message = "Oh."};
  }
}

TEST_CASE("Response::open_items are the calls that the server has not answered") {
  const auto open = [](const std::string& output) {
    const auto response = decoded<responses::Response>(R"({"output":[)" + output + "]}");
    return response.open_items().size();
  };
  for (const std::string type : {"function_call", "custom_tool_call", "shell_call", "apply_patch_call",
                                 "computer_call", "local_shell_call"}) {
    CAPTURE(type);
    const auto call = R"({"type":")" + type + R"(","call_id":"c"})";
    CHECK(open(call) == 1);
    CHECK(open(call + R"(,{"type":")" + type + R"(_output","call_id":"c"})") == 0);
    CHECK(open(call + R"(,{"type":")" + type + R"(_output","call_id":"d"})") == 1);
  }
  // Databricks' agents run functions themselves.
  CHECK(open(R"({"type":"function_call","call_id":"c"},{"type":"function_call_output","call_id":"c"})") == 0);
  CHECK(open(R"({"type":"mcp_approval_request","id":"a"})") == 1);
  CHECK(open(R"({"type":"tool_search_call","call_id":"c","execution":"client"})") == 1);
  CHECK(open(R"({"type":"tool_search_call","call_id":null,"execution":"server"})") == 0);
  CHECK(open(R"({"type":"web_search_call","id":"w"},{"type":"mcp_call","id":"m"},{"type":"reasoning"})") ==
        0);
}

TEST_CASE("ResponseError::code may be a number") {
  const auto response = decoded<responses::Response>(R"({"output":[],"error":{"code":400,"message":"bad"}})");
  REQUIRE(response.error);
  CHECK(response.error->code == "400");
  const auto event = decoded<responses::Event>(R"({"type":"error","code":400,"message":"bad"})");
  REQUIRE(event.get_if<responses::ErrorEvent>() != nullptr);
  CHECK(event.get_if<responses::ErrorEvent>()->code == "400");
}

TEST_CASE("ResponseError::retryable by code, type and message") {
  for (const auto* code : {"server_error", "rate_limit_exceeded", "vector_store_timeout", "429", "503",
                           "server_is_overloaded", "slow_down", "invalid_response", ""}) {
    CAPTURE(code);
    CHECK(responses::ResponseError{.code = code}.retryable());
  }
  for (const auto* code : {"invalid_prompt", "invalid_base64_image", "image_too_large",
                           "image_content_policy_violation", "bio_policy", "misalignment_policy_violation",
                           "insufficient_quota", "context_length_exceeded", "400"}) {
    CAPTURE(code);
    CHECK_FALSE(responses::ResponseError{.code = code}.retryable());
  }
  CHECK(responses::ResponseError{.type = "service_unavailable_error"}.retryable());
  CHECK_FALSE(responses::ResponseError{.type = "invalid_request_error"}.retryable());
  CHECK_FALSE(responses::ResponseError{.code = "rate_limit_exceeded",
                                       .message = "Request too large for gpt-4.1: Limit 30000"}
                  .retryable());
}

TEST_CASE("Response::failure takes a text as the error's message") {
  const auto response = decoded<responses::Response>(R"({"status":"failed","output":[],"error":"it broke"})");
  REQUIRE(response.failure());
  CHECK(response.failure()->detail == "it broke");
}

}  // namespace
