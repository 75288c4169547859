// Reading documents: what is an error, what reads as absent, and what is kept.
#include "support/catch.hpp"
#include "wire/documents.hpp"

namespace {

using namespace inferwire;
using json::Reading;

TEST_CASE("decoding errors name the path and what was expected") {
  const auto [text, path, detail] = GENERATE(table<std::string, std::string, std::string>({
      {R"({"choices":[{"message":{"content":true}}]})", "choices[0].message.content",
       "expected string or array"},
      {R"({"choices":[{"message":{}},{"index":1}]})", "choices[1].message", "missing"},
      {R"({"choices":[{"message":null}]})", "choices[0].message", "missing"},
      {R"({"choices":{}})", "choices", "expected array"},
      {R"({"choices":null})", "choices", "missing"},
      {R"({"choices":[null]})", "choices[0]", "expected object"},
      {R"({"choices":[[]]})", "choices[0]", "expected object"},
      {R"({})", "choices", "missing"},
      {R"([])", "", "expected object"},
      {R"("text")", "", "expected object"},
      {R"(null)", "", "expected object"},
      {R"(12)", "", "expected object"},
      {R"({"choices":[{"message":{"tool_calls":{}}}]})", "choices[0].message.tool_calls", "expected array"},
      {R"({"choices":[{"message":{"content":[{"type":"text","text":[]}]}}]})",
       "choices[0].message.content[0].text", "expected string"},
      {R"({"choices":[{"message":{"tool_calls":[{"function":{"arguments":7}}]}}]})",
       "choices[0].message.tool_calls[0].function.arguments", "expected string"},
  }));
  INFO(text);
  const auto response = json::decode<chat::Response>(text);
  REQUIRE_FALSE(response);
  CHECK(response.error().kind == ErrorKind::decode);
  CHECK(response.error().path == path);
  CHECK(response.error().detail == detail);
}

TEST_CASE("malformed JSON is an error at any position") {
  const auto [text] = GENERATE(table<std::string>({
      {""},
      {" \r\n\t"},
      {"{"},
      {R"({"choices":[],"unknown":tru})"},
      {R"({"choices":[],"unknown":{"a":01}})"},
      {R"({"choices":[],"unknown":"a":1})"},
      {R"({"choices":[],"unknown":[1,]})"},
      {R"({"choices":[],"unknown":"\q"})"},
      {R"({"choices":[],"un\qknown":1})"},
      {R"({"choices":[],"id":"a\q"})"},
      {R"({"choices":[],"id":"a":"b"})"},
      {R"({"choices":[],"id":"a" "model":"b"})"},
      {R"({"choices":[],"id":nul})"},
      {R"({"choices":[],"created":1x})"},
      {R"({"choices":[],"created":01})"},
      {R"({"choices":[],"created":-})"},
      {R"({"choices":[],"created":NaN})"},
      {R"({"choices":[],"usage":{"a":}})"},
      {R"({"choices":[] "id":1})"},
      {R"({"choices":[],})"},
      {R"({"choices":[{"message":{},}]})"},
      {R"({"choices":[]}})"},
      {R"({"choices":[]} {})"},
      {R"({"choices":[]},)"},
      {R"({"choices":[]}null)"},
      {R"({"choices"})"},
      {R"({"choices":[]"})"},
      {R"({"choices":[],5:1})"},
      {R"({'choices':[]})"},
      {"{\"choices\":[],\"id\":\"\xFF\"}"},
      {"{\"choices\":[],\"id\":\"a\nb\"}"},
      {std::string("{\"choices\":[],\"id\":\"a\0b\"}", 25)},
      {"{\"choices\":[]}\xEF\xBB\xBF"},
      {"\xEF\xBB\xBF\xEF\xBB\xBF{\"choices\":[]}"},
      {R"({"choices":[],"unknown":)" + std::string(10000, '[') + std::string(10000, ']') + "}"},
      {R"({"choices":)" + std::string(10000, '[') + std::string(10000, ']') + "}"},
      {std::string(100000, '[')},
  }));
  INFO(text.substr(0, 60));
  for (const Reading reading : {Reading::tolerant, Reading::strict}) {
    const auto response = json::decode<chat::Response>(text, reading);
    REQUIRE_FALSE(response);
    CHECK(response.error().kind == ErrorKind::decode);
    CHECK(inferwire_test::contains(" at byte ").match(response.error().detail));
  }
}

TEST_CASE("a byte order mark, white space, escaped names and repeated members are read") {
  const auto [text] = GENERATE(table<std::string>({
      {"\xEF\xBB\xBF{\"choices\":[]}"},
      {" \n{\"choices\"\t:\r[ ] } \n"},
      {R"({"\u0063hoices":[]})"},
      {R"({"choices":5,"choices":[]})"},
  }));
  INFO(text);
  const auto response = json::decode<chat::Response>(text);
  if (text.find(":5") != std::string::npos) {
    CHECK_FALSE(response);  // a wrong type is an error even if a later duplicate has the right one
  } else {
    REQUIRE(response);
    CHECK(response->choices.empty());
  }
}

TEST_CASE("the last of duplicate members counts") {
  const auto response = json::decode<chat::Response>(
      R"({"model":"first","choices":[{"message":{"role":"user","content":"a"},"message":{"content":"b"}}],"id":"x",
          "model":"second","id":null})");
  REQUIRE(response);
  CHECK(response->model == "second");
  CHECK(response->id.empty());
  CHECK(response->text() == "b");
  CHECK(response->choices[0].message.role.empty());
}

TEST_CASE("a member that is given again replaces what extra keeps of it, and nothing else") {
  const auto response =
      json::decode<chat::Response>(R"({"created":"soon","other":1,"created":7,"more":2,"choices":[]})");
  REQUIRE(response);
  CHECK(response->created == 7);
  CHECK(json::encode(*response).value() == R"({"created":7,"choices":[],"other":1,"more":2})");
}

TEST_CASE("strings with escapes, surrogates and NUL are read") {
  const auto response = json::decode<chat::Response>(
      R"({"choices":[{"message":{"content":"a\u0000b \ud83e\udd99 \ud83d \"q\" \\ \n"}}]})");
  REQUIRE(response);
  CHECK(response->text() == std::string("a\0b", 3) + " \xF0\x9F\xA6\x99 \xEF\xBF\xBD \"q\" \\ \n");
}

TEST_CASE("metadata of a wrong type is absent and kept in extra") {
  const auto [member, name, raw] = GENERATE(table<std::string, std::string, std::string>({
      {R"("created":"yesterday")", "created", "\"yesterday\""},
      {R"("created":12345678901234567890)", "created", "12345678901234567890"},
      {R"("created":1.5)", "created", "1.5"},
      {R"("created":{"a":[1,{"b":2}]})", "created", R"({"a":[1,{"b":2}]})"},
      {R"("usage":"none")", "usage", "\"none\""},
      {R"("usage":[1, 2])", "usage", "[1, 2]"},
      {R"("service_tier":7)", "service_tier", "7"},
      {R"("id":true)", "id", "true"},
      {R"("model":["a"])", "model", R"(["a"])"},
      {R"("object":"")", "object", "\"\""},  // explicitly empty: not absent, so it is sent again
  }));
  INFO(member);
  const auto response =
      json::decode<chat::Response>("{" + member + R"(,"choices":[],"system_fingerprint":"fp"})");
  REQUIRE(response);
  CHECK_FALSE(response->created);
  CHECK_FALSE(response->usage);
  CHECK_FALSE(response->service_tier);
  CHECK(response->id.empty());
  CHECK(response->model.empty());
  CHECK(response->system_fingerprint == "fp");
  REQUIRE(response->extra.find(name) != nullptr);
  CHECK(response->extra.find(name)->text() == raw);
  CHECK(json::encode(*response).value() ==
        R"({"choices":[],"system_fingerprint":"fp",")" + name + "\":" + raw + "}");
}

TEST_CASE("strict reading refuses what tolerant reading keeps") {
  const auto [text, path] = GENERATE(table<std::string, std::string>({
      {R"({"messages":[],"temperature":"hot"})", "temperature"},
      {R"({"messages":[],"max_tokens":1.5})", "max_tokens"},
      {R"({"messages":[],"stop":[1]})", "stop[0]"},
      {R"({"messages":[],"stop":[null]})", "stop[0]"},
      {R"({"messages":[],"logit_bias":{"5":"x"}})", "logit_bias.5"},
      {R"({"messages":[{"role":1}]})", "messages[0].role"},
      {R"({"messages":[],"tools":[{"function":{"strict":"yes"}}]})", "tools[0].function.strict"},
      {R"({"messages":[],"tool_choice":[]})", "tool_choice"},
      {R"({"messages":[{"role":"assistant","tool_calls":[{"id":7}]}]})", "messages[0].tool_calls[0].id"},
  }));
  INFO(text);
  CHECK(json::decode<chat::Request>(text, Reading::tolerant));
  const auto strict = json::decode<chat::Request>(text, Reading::strict);
  REQUIRE_FALSE(strict);
  CHECK(strict.error().path == path);
}

TEST_CASE("a list with a wrong element is absent and kept in extra") {
  const auto response = json::decode<chat::Response>(
      R"({"choices":[{"message":{"content":"x"},"logprobs":{"content":[{"token":"a","logprob":-1,"bytes":[1,"2"]}]}}]})");
  REQUIRE(response);
  const auto& token = response->choices[0].logprobs->content[0];
  CHECK(token.token == "a");
  CHECK_FALSE(token.bytes);
  CHECK(token.extra.find("bytes")->text() == R"([1,"2"])");
}

TEST_CASE("integers may be written with a fraction or an exponent") {
  const auto chunk = json::decode<chat::Chunk>(R"({"created":1.0e2,"usage":{"prompt_tokens":41.0}})");
  REQUIRE(chunk);
  CHECK(chunk->created == 100);
  CHECK(chunk->usage->prompt_tokens == 41);
}

TEST_CASE("content parts are chosen by type") {
  const auto message = json::decode<chat::Message>(
      R"({"role":"user","content":[{"type":"text","text":"a","cache_control":"ephemeral"},
          {"text":"tag last","type":"text","cache_control":{"type":"ephemeral","ttl":"1h"}},
          {"type":"video_url","video_url":{"url":"u"}}, "bare", null, {"no":"type"}, {"type":7},
          {"type":"image_url","image_url":{"url":"u"},"n":1.10}]})");
  REQUIRE(message);
  const auto& parts = std::get<std::vector<chat::ContentPart>>(*message->content);
  REQUIRE(parts.size() == 8);
  CHECK(std::get<std::string>(*std::get<chat::TextPart>(parts[0]).cache_control) == "ephemeral");
  CHECK(std::get<chat::CacheControl>(*std::get<chat::TextPart>(parts[1]).cache_control).ttl == "1h");
  CHECK(std::get<Unknown>(parts[2]).type() == "video_url");
  CHECK(std::get<Unknown>(parts[3]).json.text() == "\"bare\"");
  CHECK(std::get<Unknown>(parts[4]).json.is_null());
  CHECK(std::get<Unknown>(parts[5]).type().empty());
  CHECK(std::get<Unknown>(parts[6]).json.text() == R"({"type":7})");
  CHECK(std::get<chat::ImagePart>(parts[7]).extra.find("n")->text() == "1.10");
  CHECK(message->text() == "atag last");
}

TEST_CASE("input_audio and file are content parts") {
  constexpr std::string_view text =
      R"({"role":"user","content":[{"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}},)"
      R"({"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AA=="}},)"
      R"({"type":"file","file":{"file_id":"file-1"},"prompt_cache_breakpoint":{"mode":"explicit"}}]})";
  const auto message = json::decode<chat::Message>(text);
  REQUIRE(message);
  const auto& parts = std::get<std::vector<chat::ContentPart>>(*message->content);
  REQUIRE(parts.size() == 3);
  CHECK(std::get<chat::AudioPart>(parts[0]).input_audio.format == "wav");
  CHECK(std::get<chat::FilePart>(parts[1]).file.filename == "a.pdf");
  CHECK(std::get<chat::FilePart>(parts[2]).file.file_id == "file-1");
  CHECK(std::get<chat::FilePart>(parts[2]).extra.find("prompt_cache_breakpoint") != nullptr);
  CHECK(chat::to_json(*message)->text() == text);
}

TEST_CASE("content parts of a known type in another shape are kept as they are") {
  const std::string part =
      GENERATE(R"({"type":"input_audio","input_audio":"QUJD"})",  // Mistral's
               R"({"type":"input_audio","input_audio":null})", R"({"type":"input_audio"})",
               R"({"type":"file","file_id":"f"})", R"({"file":"f-1","type":"file"})",
               R"({"type":"image_url","image_url":"https://example.org/a.png"})");
  const auto text = R"({"role":"assistant","content":[)" + part + R"(,{"type":"text","text":"heard"}]})";
  const auto message = json::decode<chat::Message>(text);
  REQUIRE(message);
  const auto& parts = std::get<std::vector<chat::ContentPart>>(*message->content);
  CHECK(std::get<Unknown>(parts.at(0)).json.text() == part);
  CHECK(message->text() == "heard");
  CHECK(chat::to_json(*message)->text() == text);
}

TEST_CASE("unknown members survive byte for byte at every level") {
  const std::string text =
      R"({"id":"a","choices":[{"index":0,"message":{"role":"assistant","content":[{"type":"text","text":"t","x1":[ 1.10, {"k" : 12345678901234567890123} ]},)"
      R"({"type":"reasoning","summary":[{"type":"summary_text","text":"s","x2":"\u0041"}],"x3":{}}],)"
      R"("tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}","x4":null},"x5":[]}],"x6":-0.0},)"
      R"("finish_reason":"stop","logprobs":{"content":[{"token":"t","logprob":-0.5,"bytes":[116],"top_logprobs":[],"x7":1E2}],"x8":true},"x9":""}],)"
      R"("usage":{"prompt_tokens":1,"prompt_tokens_details":{"cached_tokens":0,"x10":{"a":1,"a":2}},"x11":"é"},"x\n12":"\ud83d"})";
  const auto response = json::decode<chat::Response>(text);
  REQUIRE(response);
  CHECK(json::encode(*response).value() == text);
}

TEST_CASE("arguments that are an object are read as text") {
  const auto message =
      json::decode<chat::Message>(R"({"tool_calls":[{"function":{"name":"f","arguments":{"a" : [1.0]}}}]})");
  REQUIRE(message);
  CHECK(message->tool_calls[0].function->arguments == R"({"a" : [1.0]})");
  CHECK(message->tool_calls[0].type == "function");
}

TEST_CASE("content that is an object is read as text") {  // Cloudflare, asked for JSON
  const std::string object = R"({"name" : "Ada", "age":36})";
  const auto message = json::decode<chat::Message>("{\"content\":" + object + "}");
  REQUIRE(message);
  CHECK(message->text() == object);
  const auto chunk =
      json::decode<chat::Chunk>(R"({"choices":[{"index":0,"delta":{"content":)" + object + "}}]}");
  REQUIRE(chunk);
  CHECK(chunk->text() == object);
  CHECK(json::decode<chat::Message>(R"({"content":{}})").value().text() == "{}");
  CHECK_FALSE(json::decode<chat::Message>("{\"content\":{\"a\":}}"));
  // Sent documents must follow the documentation.
  CHECK_FALSE(json::decode<chat::Request>(R"({"messages":[{"role":"user","content":{}}]})", Reading::strict));
}

TEST_CASE("content that is a number is read as text") {  // Cloudflare, for tokens that look like numbers
  const auto chunk = json::decode<chat::Chunk>(R"({"choices":[{"index":0,"delta":{"content":6}}]})");
  REQUIRE(chunk);
  CHECK(chunk->text() == "6");
  CHECK(json::decode<chat::Message>(R"({"content":1.50e3})").value().text() == "1.50e3");
  CHECK(json::decode<chat::Message>(R"({"reasoning":12})").value().reasoning_text() == "12");
  const auto called = json::decode<chat::ToolCall>(R"({"id":7})").value();
  CHECK(called.id == "7");
  CHECK(called.extra.empty());
  for (const std::string broken : {"07", "-", "1x", "1 2"}) {
    CHECK_FALSE(json::decode<chat::Message>("{\"content\":" + broken + "}"));
  }
  CHECK_FALSE(json::decode<chat::Request>(R"({"messages":[{"role":"user","content":6}]})", Reading::strict));
}

TEST_CASE("a choice without a message is read only where it was withheld or cut") {
  const auto [reason, is_answer] = GENERATE(table<std::string, bool>({
      {"\"content_filter\"", true},
      {"\"content_filter: PROHIBITED_CONTENT\"", true},
      {"\"SAFETY\"", true},
      {"\"error\"", true},
      {"\"tired\"", true},
      {"\"length\"", true},  // https://github.com/evalstate/fast-agent/issues/184
      {"\"MAX_TOKENS\"", true},
      {"\"stop\"", false},
      {"\"tool_calls\"", false},
      {"\"function_call\"", false},
      {"\"\"", false},
      {"null", false},
  }));
  for (const std::string message : {"", R"("message":null,)"}) {
    INFO(reason << " " << message);
    // Over an answer that had both: the previous values have no effect.
    chat::Response response;
    Error error;
    json::Decoder decoder;
    const auto decode = [&](std::string text) {
      text.resize(text.size() + json::padding);
      const std::string_view document(text.data(), text.size() - json::padding);
      return decoder.decode(document, response, Reading::tolerant, error);
    };
    REQUIRE(decode(R"({"choices":[{"message":{"content":"a"},"finish_reason":"content_filter"}]})"));
    CHECK(decode(R"({"choices":[{)" + message + R"("finish_reason":)" + reason + "}]}") == is_answer);
    if (is_answer) {
      CHECK(response.choices.at(0).message == chat::Message());
      CHECK("\"" + response.choices[0].finish_reason->str() + "\"" == reason);
    } else {
      CHECK(error.path == "choices[0].message");
      CHECK(error.detail == "missing");
    }
  }
  CHECK_FALSE(json::decode<chat::Response>(R"({"choices":[{}]})"));
}

TEST_CASE("Response::finish reads Gemini's STOP and MAX_TOKENS") {
  // https://github.com/QwenLM/qwen-code/pull/9884
  const auto whole = json::decode<chat::Response>(
      R"({"choices":[{"message":{"role":"assistant","content":"OK"},"index":0,"finish_reason":"STOP"}],)"
      R"("usage":{"completion_tokens":102,"prompt_tokens":8,"total_tokens":110},"id":"chat",)"
      R"("object":"chat.completion.chunk"})");
  REQUIRE(whole);
  CHECK(whole->finish() == chat::Finish::stop);
  const auto cut = json::decode<chat::Response>(
      R"({"choices":[{"message":{"role":"assistant"},"index":0,"finish_reason":"MAX_TOKENS"}],)"
      R"("usage":{"completion_tokens":5,"prompt_tokens":9,"total_tokens":14},"id":"chat",)"
      R"("object":"chat.completion.chunk"})");
  REQUIRE(cut);
  CHECK(cut->finish() == chat::Finish::length);
  CHECK(cut->choices.at(0).finish_reason == "MAX_TOKENS");
}

TEST_CASE("finishReason is read where finish_reason is null, in any order") {
  const auto [members, expected] = GENERATE(table<std::string, std::string>({
      {R"("finishReason":"stop")", "stop"},
      {R"("finish_reason":null,"finishReason":"stop")", "stop"},
      {R"("finishReason":"stop","finish_reason":null)", "stop"},
      {R"("finishReason":"stop","finish_reason":"length")", "length"},
      {R"("finish_reason":"length","finishReason":"stop")", "length"},
  }));
  INFO(members);
  const auto response = json::decode<chat::Response>(R"({"choices":[{"message":{},)" + members + "}]}");
  REQUIRE(response);
  CHECK(response->choices[0].finish_reason->str() == expected);
}

TEST_CASE("finishReason is read where finish_reason has a wrong type") {
  const auto response = json::decode<chat::Response>(
      R"({"choices":[{"message":{"content":"x"},"finish_reason":5,"finishReason":"stop"}]})");
  REQUIRE(response);
  CHECK(response->choices[0].finish_reason->str() == "stop");
  CHECK(json::encode(*response));
}

TEST_CASE("tool_choice of type allowed_tools is read and written") {
  const std::string text =
      R"({"model":"m","messages":[],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required",)"
      R"("tools":[{"type":"function","function":{"name":"tide"}},{"type":"custom","custom":{"name":"sum"}}]}}})";
  const auto request = json::decode<chat::Request>(text).value();
  const chat::AllowedTools allowed{
      .mode = chat::ToolChoiceMode::required,
      .tools = {{.function = chat::FunctionDefinition{.name = "tide"}},
                {.type = "custom", .custom = chat::CustomToolDefinition{.name = "sum"}}}};
  CHECK(request.tool_choice ==
        chat::ToolChoice(chat::NamedToolChoice{.type = "allowed_tools", .allowed_tools = allowed}));
  CHECK(json::encode(request).value() == text);
}

TEST_CASE("custom tools, tool_choice custom and deltas of custom calls are read and written") {
  const std::string text =
      R"({"model":"m","messages":[],"tools":[{"type":"custom","custom":{"name":"sum","description":"Adds",)"
      R"("format":{"type":"grammar","grammar":{"syntax":"regex","definition":"[0-9]+"}}}}],)"
      R"("tool_choice":{"type":"custom","custom":{"name":"sum"}}})";
  const auto request = json::decode<chat::Request>(text).value();
  const chat::CustomToolDefinition sum{
      .name = "sum",
      .description = "Adds",
      .format = chat::CustomToolFormat{.type = "grammar",
                                       .grammar = chat::Grammar{.syntax = "regex", .definition = "[0-9]+"}}};
  CHECK(request.tools.at(0) == chat::Tool{.type = "custom", .custom = sum});
  CHECK(std::get<chat::NamedToolChoice>(*request.tool_choice) ==
        chat::NamedToolChoice{.type = "custom", .custom = chat::NamedFunction{.name = "sum"}});
  CHECK(json::encode(request).value() == text);

  const auto chunk =
      json::decode<chat::Chunk>(
          R"({"choices":[{"delta":{"tool_calls":[{"index":0,"custom":{"name":"sum","input":"1+"}}]}}]})")
          .value();
  const auto& piece = chunk.choices.at(0).delta.tool_calls.at(0);
  CHECK(piece ==
        chat::ToolCallDelta{.index = 0, .custom = chat::CustomCallDelta{.name = "sum", .input = "1+"}});
}

TEST_CASE("decoding into a used struct gives the same as into a new one") {
  const std::string documents[] = {
      R"({"id":"a long identifier of the first","choices":[{"index":3,"delta":{"role":"assistant","content":"some longer text here"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3},"p":"padding padding padding"})",
      R"({"choices":[]})",
      R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_0123456789abcdef","type":"custom","function":{"name":"a_long_function_name","arguments":"{\"a\":"}},{"index":1}]}},{"index":1}],"obfuscation":"xxxxxxxxxxxxxxxxxxxxxx"})",
      R"({"choices":[{"delta":{"content":[{"type":"reasoning","summary":[{"text":"think about it for a while"}]},{"type":"text","text":"b"}]},"logprobs":{"content":[{"token":"t","logprob":-1}]}}]})",
      R"({"usage":{"completion_tokens_details":{"reasoning_tokens":4}},"created":1})",
      R"({"choices":[{"delta":{"content":123456789012345678901,"reasoning":1,"tool_calls":{"index":0,"id":7}}}]})",
  };
  json::Decoder decoder;
  chat::Chunk used;
  for (int round = 0; round < 3; ++round) {
    for (const std::string& first : documents) {
      for (const std::string& second : documents) {
        for (const std::string* text : {&first, &second}) {
          Error error;
          REQUIRE(decoder.decode_copy(*text, &used, json::describe<chat::Chunk>(), Reading::tolerant, error));
          REQUIRE(used == *json::decode<chat::Chunk>(*text));
        }
      }
    }
  }
}

TEST_CASE("logprobs are read as LMI streams them: in a list, with numbers for tokens") {
  const auto decoded = json::decode<chat::Chunk>(
      R"({"choices":[{"index":0,"delta":{"content":"Ebb"},"logprobs":[{"content":[{"token":"Ebb",)"
      R"("logprob":-0.5,"bytes":[69,98,98],"top_logprobs":[{"token":-0.25,"logprob":-0.25,"bytes":[45]}]}]}]}]})");
  REQUIRE(decoded);
  const auto& logprobs = decoded->choices.at(0).logprobs;
  REQUIRE(logprobs);
  REQUIRE(logprobs->content.size() == 1);
  CHECK(logprobs->content[0].token == "Ebb");
  CHECK(logprobs->content[0].top_logprobs.at(0).token == "-0.25");
  CHECK(logprobs->content[0].top_logprobs.at(0).logprob == -0.25);
  CHECK(decoded->choices[0].extra.empty());
}

TEST_CASE("a logprob that is absent or no number is that of a very unlikely token") {
  const auto top = [](const std::string& members) {
    return R"({"choices":[{"index":0,"message":{"content":"a"},"logprobs":{"content":[{"token":"a",)"
           R"("logprob":0.0,"bytes":null,"top_logprobs":[{"token":"b",)" +
           members + R"("bytes":null}]}]}}]})";
  };
  const auto [members, kept] = GENERATE(table<std::string, bool>({
      {"", false},
      {R"("logprob":null,)", false},
      {R"("logprob":"-inf",)", true},
      {R"("logprob":"",)", true},
      {R"("logprob":{},)", true},
  }));
  CAPTURE(members);
  const auto decoded = json::decode<chat::Response>(top(members));
  REQUIRE(decoded);
  const auto& token = decoded->choices.at(0).logprobs.value().content.at(0);
  CHECK(token.logprob == 0);
  CHECK(token.top_logprobs.at(0).logprob == -9999);
  CHECK((token.top_logprobs.at(0).extra.find("logprob") != nullptr) == kept);
  const auto again = to_json(*decoded)->text();
  CHECK_THAT(again,
             inferwire_test::contains(kept ? members.substr(0, members.size() - 1) : R"("logprob":-9999)"));
  CHECK((again.find("-9999") == again.npos) == kept);
}

TEST_CASE("logprobs that are a list are absent if empty, else kept in extra") {
  const auto chunk = [](const std::string& logprobs) {
    auto decoded =
        json::decode<chat::Chunk>(R"({"choices":[{"index":3,"logprobs":)" + logprobs + R"(,"delta":{}}]})");
    REQUIRE(decoded);
    CHECK(decoded->choices.at(0).index == 3);
    return decoded->choices[0];
  };
  CHECK_FALSE(chunk("[]").logprobs);
  CHECK_FALSE(chunk("null").logprobs);
  for (const std::string other :
       {R"([{"content":[]},{"content":[]}])", "[7]", "[[]]", R"([{"content":7}])"}) {
    INFO(other);
    const auto choice = chunk(other);
    const auto* kept = choice.extra.find("logprobs");
    if (kept != nullptr) {
      CHECK_FALSE(choice.logprobs);
      CHECK(kept->text() == other);
    } else {
      REQUIRE(choice.logprobs);  // a value of the wrong type is kept one level further down
      CHECK(choice.logprobs->extra.find("content") != nullptr);
    }
  }
  for (const std::string broken : {"[{}", "[{]", "[1", "[{},"}) {
    CHECK_FALSE(json::decode<chat::Chunk>(R"({"choices":[{"logprobs":)" + broken + "}]}"));
  }
}

TEST_CASE("logprobs.content may be a single token (AI21)") {
  const auto decoded = json::decode<chat::Response>(
      R"({"choices":[{"message":{"content":"a"},"logprobs":{"content":{"token":"a","logprob":-1,"top_logprobs":[]}}}]})");
  REQUIRE(decoded);
  CHECK(decoded->choices.at(0).logprobs.value().content.at(0).token == "a");
}

TEST_CASE("reasoning and usage are read in the spellings of vLLM, llama.cpp, Ollama and others") {
  struct Row {
    const char* server;
    const char* message;
    const char* usage;
    std::int64_t cached;
    std::int64_t reasoning;
  };
  const Row rows[] = {
      {"vLLM", R"({"content":"a","reasoning":"r","reasoning_content":null})",
       R"({"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,"prompt_tokens_details":{"cached_tokens":4}})",
       4, 0},
      {"llama.cpp", R"({"content":"a","reasoning_content":"r"})",
       R"({"completion_tokens":2,"prompt_tokens":9,"total_tokens":11,"prompt_tokens_details":{"cached_tokens":3}})",
       3, 0},
      {"Kimi", R"({"content":"a","reasoning_content":"r"})",
       R"({"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,"cached_tokens":8})", 8, 0},
      {"DeepSeek", R"({"content":"a","reasoning_content":"r"})",
       R"({"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,"prompt_cache_hit_tokens":7,)"
       R"("prompt_cache_miss_tokens":2})",
       7, 0},
      {"Ollama", R"({"content":"a","reasoning":"r"})",
       R"({"prompt_tokens":9,"completion_tokens":2,"total_tokens":11})", 0, 0},
      {"OpenAI", R"({"content":"a","reasoning_content":"r"})",
       R"({"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,"prompt_tokens_details":null,)"
       R"("completion_tokens_details":{"reasoning_tokens":1}})",
       0, 1},
  };
  for (const auto& row : rows) {
    INFO(row.server);
    const auto response =
        json::decode<chat::Response>(R"({"choices":[{"message":)" + std::string(row.message) +
                                     R"(}],"timings":{"n":1},"usage":)" + row.usage + "}");
    REQUIRE(response);
    CHECK(response->choices.at(0).message.reasoning_text() == "r");
    REQUIRE(response->usage);
    CHECK(response->usage->prompt() == 9);
    CHECK(response->usage->completion() == 2);
    CHECK(response->usage->total() == 11);
    CHECK(response->usage->cached().value_or(0) == row.cached);
    CHECK(response->usage->reasoning().value_or(0) == row.reasoning);
  }
}

TEST_CASE("Usage::total is the sum where the server gives none and there is one") {
  const auto total = [](inferwire::Optional<std::int64_t> prompt,
                        inferwire::Optional<std::int64_t> completion) {
    return inferwire::Usage{.prompt_tokens = prompt, .completion_tokens = completion}.total();
  };
  CHECK(total(2, 3) == 5);
  CHECK(total(0, 0) == 0);
  CHECK(total(INT64_MAX - 3, 3) == INT64_MAX);
  CHECK_FALSE(total(INT64_MAX - 2, 3));
  CHECK_FALSE(total(-1, 3));
  CHECK_FALSE(total(3, -1));
  CHECK_FALSE(total(2, {}));
  CHECK_FALSE(total({}, 2));
}

}  // namespace
