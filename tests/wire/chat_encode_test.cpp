// Encoding: what is sent, and what is refused before it is sent.
#include "inferwire/from_json.hpp"
#include "support/catch.hpp"
#include "wire/documents.hpp"

#include <cmath>
#include <limits>

namespace {

using namespace inferwire;

std::string encoded(const chat::Request& request, std::span<const json::Override> overrides = {}) {
  auto out = json::encode(request, overrides);
  return out ? *out : "error: " + out.error().message();
}

TEST_CASE("chat::Request is encoded with the members that are set") {
  CHECK(
      encoded({.model = "m", .messages = {chat::system("Be brief."), chat::user("Hi")}}) ==
      R"({"model":"m","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}]})");
  CHECK(encoded({}) == R"({"messages":[]})");
}

TEST_CASE("chat::Request encodes members of every type") {
  chat::Request request{.messages = {chat::tool("call_1", "18:42")}};
  request.max_tokens = std::numeric_limits<std::int64_t>::min();
  request.temperature = 0.1;
  request.top_p = 1;
  request.stop = {"a", "\n"};
  request.stream = false;
  request.logit_bias = {{"2435", -100}, {"\"", 0.5}};
  request.tool_choice = chat::ToolChoiceMode(chat::ToolChoiceMode::automatic);
  request.response_format = chat::ResponseFormat{.type = "json_object"};
  request.extra_params = Json::raw(R"({"a": 1.10})");
  request.extra.set("store", Json{});
  CHECK(
      encoded(request) ==
      R"({"messages":[{"role":"tool","content":"18:42","tool_call_id":"call_1"}],"max_tokens":-9223372036854775808,)"
      R"("temperature":0.1,"top_p":1,"stop":["a","\n"],"stream":false,"logit_bias":{"2435":-100,"\"":0.5},)"
      R"("response_format":{"type":"json_object"},"tool_choice":"auto","extra_params":{"a": 1.10},"store":null})");
}

TEST_CASE("chat::Request encodes the members of OpenAI's own service") {
  CHECK(
      encoded({.messages = {},
               .safety_identifier = "u1",
               .prompt_cache_key = "k",
               .prompt_cache_options = chat::PromptCacheOptions{.mode = "explicit", .ttl = "30m"},
               .prompt_cache_retention = "24h",
               .service_tier = "flex",
               .verbosity = "low",
               .prediction = chat::Prediction{.content = "int main() {}"},
               .modalities = {"text", "audio"},
               .audio = chat::AudioOutput{.voice = "coral", .format = "wav"},
               .web_search_options = Json::raw("{}"),
               .store = true,
               .extra = {{"moderation", Json::raw(R"({"model":"m"})")}}}) ==
      R"({"messages":[],"safety_identifier":"u1","prompt_cache_key":"k","prompt_cache_options":{"mode":"explicit","ttl":"30m"},)"
      R"("prompt_cache_retention":"24h",)"
      R"("service_tier":"flex","verbosity":"low","prediction":{"type":"content","content":"int main() {}"},)"
      R"("modalities":["text","audio"],"audio":{"voice":"coral","format":"wav"},"web_search_options":{},)"
      R"("store":true,"moderation":{"model":"m"}})");
}

TEST_CASE("audio.voice is a name or a CustomVoice") {
  const std::string text = R"({"messages":[],"audio":{"voice":{"id":"voice_1"},"format":"wav"}})";
  CHECK(encoded({.messages = {},
                 .audio = chat::AudioOutput{.voice = chat::CustomVoice{.id = "voice_1"}, .format = "wav"}}) ==
        text);
  const auto read = inferwire::from_json<chat::Request>(Json::raw(text));
  REQUIRE(read);
  CHECK(std::get<chat::CustomVoice>(read->audio->voice).id == "voice_1");
}

TEST_CASE("what cannot be encoded is an error with its path") {
  struct Row {
    chat::Request request;
    const char* path;
    const char* detail;
  };
  const auto a = chat::user("a");
  const Row rows[] = {
      {{.messages = {a, chat::user("twelve bytes\xFF")}}, "messages[1].content", "invalid UTF-8 at byte 12"},
      {{.messages = {a, chat::user({chat::TextPart{.text = std::string(1000, 'x') + "\"\xC3"}})}},
       "messages[1].content[0].text",
       "invalid UTF-8 at byte 1001"},
      {{.messages = {a}, .temperature = std::nan("")}, "temperature", "not a finite number"},
      {{.messages = {a}, .logit_bias = {{"5", INFINITY}}}, "logit_bias.5", "not a finite number"},
      {{.messages = {chat::Message{.extra = {{"x", Json::raw("{\"a\":")}}}}},
       "messages[0].x",
       "not well-formed JSON: unexpected end at byte 5"},
      {{.messages = {a}, .extra = {{"x", Json::raw("1}, {\"y\":2")}}},
       "x",
       "not well-formed JSON: more text after the document at byte 1"},
      {{.messages = {a}, .extra_params = Json::raw("")},
       "extra_params",
       "not well-formed JSON: empty document at byte 0"},
      {{.messages = {a}, .extra_params = Json::raw("\xEF\xBB\xBF{}")},
       "extra_params",
       "byte order mark inside a document"},
      {{.model = "m", .messages = {a}, .extra = {{"model", Json::string("other")}}},
       "model",
       "given twice: as a member and in extra"},
  };
  for (const auto& [request, path, detail] : rows) {
    CAPTURE(path, detail);
    const auto out = json::encode(request);
    REQUIRE_FALSE(out);
    CHECK(out.error().kind == ErrorKind::invalid_request);
    CHECK(out.error().path == path);
    CHECK(out.error().detail == detail);
  }
}

TEST_CASE("tool_calls read as an empty list are replaced by those set later") {
  for (const std::string written : {"[]", "[ ]"}) {
    auto message = json::decode<chat::Message>(R"({"role":"assistant","tool_calls":)" + written + "}");
    REQUIRE(message);
    CHECK(json::encode(*message).value() == R"({"role":"assistant","tool_calls":)" + written + "}");
    message->tool_calls.push_back({.id = "a", .function = chat::FunctionCall{.name = "f"}});
    CHECK(
        json::encode(*message).value() ==
        R"({"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":""}}]})");
  }
}

TEST_CASE("a tool call's type read as '' is replaced by the one set later") {
  auto message = json::decode<chat::Message>(R"({"role":"assistant","tool_calls":[{"id":"c","type":""}]})");
  REQUIRE(message);
  message->tool_calls.at(0).type = "function";
  CHECK(json::encode(*message).value() ==
        R"({"role":"assistant","tool_calls":[{"id":"c","type":"function"}]})");
}

TEST_CASE("json::Override replaces members and extra of its name") {
  chat::Request request{.model = "m", .stream = false};
  request.extra.set("x", Json::raw("1"));
  request.extra.set("y", Json::raw("2"));
  const json::Override overrides[] = {{"stream", "true"}, {"model", ""}, {"x", "[]"}, {"missing", ""}};
  CHECK(encoded(request, overrides) == R"({"messages":[],"y":2,"stream":true,"x":[]})");
}

TEST_CASE("a chunk's choice without an end has finish_reason null") {
  const chat::Chunk chunk{.choices = {chat::ChunkChoice{.delta = {.content = "a"}}}};
  CHECK(json::encode(chunk).value() ==
        R"({"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]})");
}

TEST_CASE("doubles survive encoding and decoding") {
  const double number =
      GENERATE(0.0, -0.0, 0.1, 1e21, 5e-324, 1.7976931348623157e308, 123456789.123456789, 1.0 / 3);
  const auto out = json::encode(chat::Request{.temperature = number});
  REQUIRE(out);
  CHECK(json::decode<chat::Request>(*out)->temperature == number);
}

}  // namespace
