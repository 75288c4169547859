// The accumulator beyond the recorded streams: the oddities of servers, one by one.
#include "support/catch.hpp"
#include "wire/documents.hpp"

namespace {

using namespace inferwire;

chat::Response fold(const std::vector<std::string>& chunks, bool complete = true) {
  chat::Accumulator accumulator;
  for (const std::string& text : chunks) {
    const auto chunk = json::decode<chat::Chunk>(text);
    if (!chunk) FAIL(chunk.error().message());
    accumulator.add(*chunk);
  }
  return accumulator.take(complete);
}

/// A chunk with one choice whose delta is `delta`.
std::string delta(const std::string& text) { return R"({"choices":[{"index":0,"delta":)" + text + "}]}"; }

std::string folded_message(const std::vector<std::string>& deltas) {
  std::vector<std::string> chunks;
  for (const std::string& text : deltas) chunks.push_back(delta(text));
  return json::encode(fold(chunks).choices.at(0).message).value();
}

TEST_CASE("chat::Accumulator folds deltas into the message of a whole answer") {
  using Row = std::pair<std::vector<std::string>, std::string>;
  const auto [deltas, message] = GENERATE(values<Row>({
      // strings
      {{R"({"role":"assistant","content":""})", R"({"content":"a"})", R"({"content":null})",
        R"({"content":"b"})"},
       R"({"role":"assistant","content":"ab"})"},
      // the role is not doubled; an empty one is ignored
      {{R"({"role":"","content":"a"})", R"({"role":"assistant"})", R"({"role":"assistant"})"},
       R"({"role":"assistant","content":"a"})"},
      {{R"({})"}, R"({"role":"assistant"})"},
      // lists and strings alternate
      {{R"({"content":"a"})", R"({"content":[{"type":"text","text":"b"}]})", R"({"content":"c"})",
        R"({"content":""})", R"({"content":[]})"},
       R"({"role":"assistant","content":[{"type":"text","text":"abc"}]})"},
      // reasoning, its signature, then text
      {{R"({"content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"x","signature":""}]}]})",
        R"({"content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"y","signature":""}]}]})",
        R"({"content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"","signature":"S=="}]}]})",
        R"({"content":"t"})"},
       R"({"role":"assistant","content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"xy","signature":"S=="}]},{"type":"text","text":"t"}]})"},
      // a second block of reasoning after a signature
      {{R"({"content":[{"type":"reasoning","summary":[{"text":"x","signature":"S"}]}]})",
        R"({"content":[{"type":"reasoning","summary":[{"text":"y"}]}]})"},
       R"({"role":"assistant","content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"x","signature":"S"}]},{"type":"reasoning","summary":[{"type":"summary_text","text":"y"}]}]})"},
      // what reasoning says besides its summary; a refusal in a list
      {{R"({"content":[{"type":"reasoning","summary":[{"text":"x"}],"effort":1}]})",
        R"({"content":[{"type":"reasoning","summary":[{"text":"y"}],"effort":2}]})"},
       R"({"role":"assistant","content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"xy"}],"effort":2}]})"},
      {{R"({"content":[{"type":"refusal","refusal":"No"}]})",
        R"({"content":[{"type":"refusal","refusal":"."}]})"},
       R"({"role":"assistant","content":[{"type":"refusal","refusal":"No."}]})"},
      // a complete answer to a streamed call keeps its parts separate
      {{R"({"content":[{"type":"reasoning","summary":[{"text":"x","signature":"S"},{"text":"y"}]},{"type":"reasoning","summary":[{"text":"z"}]},{"type":"text","text":"a"},{"type":"text","text":"b"}]})"},
       R"({"role":"assistant","content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"x","signature":"S"},{"type":"summary_text","text":"y"}]},{"type":"reasoning","summary":[{"type":"summary_text","text":"z"}]},{"type":"text","text":"a"},{"type":"text","text":"b"}]})"},
      // empty parts do not separate others
      {{R"({"content":[{"type":"reasoning","summary":[]},{"type":"text","text":"a"}]})",
        R"({"content":[{"type":"reasoning","summary":[]},{"type":"refusal","refusal":""},{"type":"text","text":"b"}]})"},
       R"({"role":"assistant","content":[{"type":"text","text":"ab"}]})"},
      // all citations of pieces are kept
      {{R"({"content":[{"type":"text","text":"a","citations":[1]}]})",
        R"({"content":[{"type":"text","text":"b","citations":[2, 3 ]}]})",
        R"({"content":[{"type":"text","text":"c","citations":[]}]})",
        R"({"content":[{"type":"text","text":"d","citations":[{"n":4}]}]})"},
       R"({"role":"assistant","content":[{"type":"text","text":"abcd","citations":[1,2, 3,{"n":4}]}]})"},
      {{R"({"content":[{"type":"text","text":"a","citations":[]}]})",
        R"({"content":[{"type":"text","text":"b","citations":[2]}]})",
        R"({"content":[{"type":"text","text":"c","citations":[2]}]})"},
       R"({"role":"assistant","content":[{"type":"text","text":"abc","citations":[2]}]})"},
      {{R"({"content":[{"type":"text","text":"a","citations":[12]}]})",
        R"({"content":[{"type":"text","text":"b","citations":[2]}]})",
        R"({"content":[{"type":"text","text":"c","citations":[2]}]})"},
       R"({"role":"assistant","content":[{"type":"text","text":"abc","citations":[12,2]}]})"},
      // numbers become their digits (Cloudflare)
      {{R"({"content":"1"})", R"({"content":6})", R"({"content":-0.50 })", R"({"reasoning_content":7})",
        R"({"reasoning_content":"8"})"},
       R"({"role":"assistant","content":"16-0.50","reasoning_content":"78"})"},
      // unknown parts are kept
      {{R"({"content":[{"type":"chart","n":1}]})"},
       R"({"role":"assistant","content":[{"type":"chart","n":1}]})"},
      // both spellings of reasoning
      {{R"({"reasoning":"a"})", R"({"reasoning":"b"})"}, R"({"role":"assistant","reasoning":"ab"})"},
      {{R"({"reasoning":"a","reasoning_content":"a"})", R"({"reasoning":"b","reasoning_content":"b"})"},
       R"({"role":"assistant","reasoning_content":"ab","reasoning":"ab"})"},
      {{R"({"reasoning":"a"})", R"({"reasoning_content":"b"})",
        R"({"reasoning":"c","reasoning_content":"c"})"},
       R"({"role":"assistant","reasoning_content":"abc","reasoning":"abc"})"},
      {{R"({"reasoning":"a","reasoning_content":"b"})"},
       R"({"role":"assistant","reasoning_content":"ba","reasoning":"ba"})"},
      // a third, with what has to be sent back: https://github.com/BerriAI/litellm/issues/35021
      {{R"({"reasoning_text":"think"})", R"({"reasoning_text":" more"})",
        R"({"content":"Hi","reasoning_opaque":"OPAQ"})",
        R"({"reasoning_text":null,"reasoning_opaque":null})"},
       R"({"role":"assistant","content":"Hi","reasoning_text":"think more","reasoning_opaque":"OPAQ"})"},
      // refusal, deprecated function call
      {{R"({"refusal":"No"})", R"({"refusal":"."})"}, R"({"role":"assistant","refusal":"No."})"},
      {{R"({"function_call":{"name":"f","arguments":"{"}})", R"({"function_call":{"arguments":"}"}})"},
       R"({"role":"assistant","function_call":{"name":"f","arguments":"{}"}})"},
      {{R"({"function_call":{"name":"get_","arguments":""}})",
        R"({"function_call":{"name":"weather","arguments":"{"}})",
        R"({"function_call":{"name":"","arguments":"}"}})"},
       R"({"role":"assistant","function_call":{"name":"get_weather","arguments":"{}"}})"},
      // unknown members: the last that is not null; empty lists of known members are ignored
      {{R"({"x":1,"tool_calls":[]})", R"({"x":2})", R"({"x":null})"}, R"({"role":"assistant","x":2})"},
      {{R"({"annotations":[{"type":"url_citation"}]})"},
       R"({"role":"assistant","annotations":[{"type":"url_citation"}]})"},
      {{R"({"audio":{"id":"a","data":"AA"}})", R"({"audio":{"data":"BB","transcript":"t"}})"},
       R"({"role":"assistant","audio":{"id":"a","data":"AABB","transcript":"t"}})"},
      // Mistral's reasoning, and parts of the same type in another form
      {{R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"x \"}]}\""}]}]})",
        R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"y"},{"type":"text","text":"z"}]}]})",
        R"({"content":[{"type":"thinking","thinking":"w","signature":"S"}]})", R"({"content":"a"})",
        R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"v"}]}]})"},
       R"({"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"x \"}]}\"yz"}]},)"
       R"({"type":"thinking","thinking":"w","signature":"S"},{"type":"text","text":"a"},)"
       R"({"type":"thinking","thinking":[{"type":"text","text":"v"}]}]})"},
      // and what is not text alone
      {{R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"x"}]}]})",
        R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"y"}],"signature":"S"}]})",
        R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"z"}],"closed":true,"n":1}]})",
        R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"v","n":1}]}]})",
        R"({"content":[{"type":"thinking","thinking":[{"type":"image","url":"w"}]}]})",
        R"({"content":[{"type":"thinking","thinking":"u"}]})",
        R"({"content":[{"type":"doubting","thinking":[{"type":"text","text":"t"}]}]})"},
       R"({"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"x"}]},)"
       R"({"type":"thinking","thinking":[{"type":"text","text":"y"}],"signature":"S"},)"
       R"({"type":"thinking","thinking":[{"type":"text","text":"z"}],"closed":true,"n":1},)"
       R"({"type":"thinking","thinking":[{"type":"text","text":"v","n":1}]},)"
       R"({"type":"thinking","thinking":[{"type":"image","url":"w"}]},{"type":"thinking","thinking":"u"},)"
       R"({"type":"doubting","thinking":[{"type":"text","text":"t"}]}]})"},
      // https://github.com/open-webui/open-webui/issues/30089
      {{R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"x"}],"closed":true}]})",
        R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"y"}],"closed":false}]})",
        R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"z"}]}]})",
        R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"w"}],"closed":1}]})"},
       R"({"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"xyz"}],"closed":false},)"
       R"({"type":"thinking","thinking":[{"type":"text","text":"w"}],"closed":1}]})"},
      {{R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"x"}],"closed":true},)"
        R"({"type":"thinking","thinking":[{"type":"text","text":"y"}],"closed":true},{"type":"text","text":"a"}]})"},
       R"({"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"x"}],"closed":true},)"
       R"({"type":"thinking","thinking":[{"type":"text","text":"y"}],"closed":true},{"type":"text","text":"a"}]})"},
      // OpenRouter's blocks of reasoning, by their index
      {{R"({"reasoning_details":[{"type":"reasoning.text","text":"x","index":0,"signature":null}]})",
        R"({"reasoning_details":[{"type":"reasoning.text","text":"y","index":0},)"
        R"({"type":"reasoning.encrypted","data":"AA","index":1}]})",
        R"({"reasoning_details":[{"type":"reasoning.text","signature":"S","index":0}]})",
        R"({"reasoning_details":[{"type":"reasoning.encrypted","data":"BB","index":1},{"text":"own"},7]})",
        R"({"reasoning_details":[]})"},
       R"({"role":"assistant","reasoning_details":[{"type":"reasoning.text","text":"xy","index":0,"signature":"S"},)"
       R"({"type":"reasoning.encrypted","data":"AABB","index":1},{"text":"own"}]})"},
      {{R"({"reasoning_details":[{"type":"reasoning.summary","summary":"x","index":0}]})",
        R"({"reasoning_details":[{"type":"reasoning.encrypted","data":"AA","index":0}]})",
        R"({"reasoning_details":[{"type":"reasoning.summary","summary":"y","index":0}]})"},
       R"({"role":"assistant","reasoning_details":[{"type":"reasoning.summary","summary":"x","index":0},)"
       R"({"type":"reasoning.encrypted","data":"AA","index":0},)"
       R"({"type":"reasoning.summary","summary":"y","index":0}]})"},
      // and without an index
      {{R"({"reasoning_details":[{"type":"reasoning.text","text":"x"}]})",
        R"({"reasoning_details":[{"type":"reasoning.text","text":"y"}]})",
        R"({"reasoning_details":[{"type":"reasoning.text","signature":"S"}]})",
        R"({"reasoning_details":[{"type":"reasoning.text","text":"z"},{"type":"reasoning.encrypted","data":"A"}]})",
        R"({"reasoning_details":[{"type":"reasoning.encrypted","data":"B"}]})"},
       R"({"role":"assistant","reasoning_details":[{"type":"reasoning.text","text":"xy","signature":"S"},)"
       R"({"type":"reasoning.text","text":"z"},{"type":"reasoning.encrypted","data":"A"},)"
       R"({"type":"reasoning.encrypted","data":"B"}]})"},
      // LiteLLM's blocks: in pieces until 2026, see https://github.com/BerriAI/litellm/issues/29428
      {{R"({"content":"","reasoning_content":"Step 1. ","thinking_blocks":[)"
        R"({"type":"thinking","thinking":"Step 1. ","signature":""}]})",
        R"({"content":"","reasoning_content":"Step 2.","thinking_blocks":[)"
        R"({"type":"thinking","thinking":"Step 2.","signature":""}]})",
        R"({"content":"","thinking_blocks":[{"type":"thinking","thinking":"","signature":"sig-final"}]})",
        R"({"content":"","thinking_blocks":[{"type":"redacted_thinking","data":"AA"}]})",
        R"({"content":"","thinking_blocks":[{"type":"thinking","thinking":"Step 3.","signature":null}]})",
        R"({"content":"Hi"})"},
       R"({"role":"assistant","content":"Hi","reasoning_content":"Step 1. Step 2.","thinking_blocks":[)"
       R"({"type":"thinking","thinking":"Step 1. Step 2.","signature":"sig-final"},)"
       R"({"type":"redacted_thinking","data":"AA"},{"type":"thinking","thinking":"Step 3."}]})"},
      // and complete since
      {{R"({"content":"","reasoning_content":"Step 1. "})", R"({"content":"","reasoning_content":"Step 2."})",
        R"({"content":"","reasoning_content":"","thinking_blocks":[)"
        R"({"type":"thinking","thinking":"Step 1. Step 2.","signature":"sig-final"}]})"},
       R"({"role":"assistant","content":"","reasoning_content":"Step 1. Step 2.","thinking_blocks":[)"
       R"({"type":"thinking","thinking":"Step 1. Step 2.","signature":"sig-final"}]})"},
  }));
  CHECK(folded_message(deltas) == message);
}

TEST_CASE("chat::Accumulator takes the reasoning from reasoning_details alone") {
  // MiniMax, with reasoning_split.
  const auto detail = [](const std::string& text) {
    return delta(R"({"reasoning_details":[{"type":"reasoning.text","id":"reasoning-text-1",)"
                 R"("format":"MiniMax-response-v1","index":0,"text":")" +
                 text + R"("}]})");
  };
  const auto response = fold({detail("The user"), detail(" is asking"), delta(R"({"content":"Hi"})")});
  CHECK(response.reasoning_text() == "The user is asking");
  CHECK(response.text() == "Hi");
}

TEST_CASE("chat::Accumulator joins the pieces of tool calls by index, id and order") {
  using Row = std::pair<std::vector<std::string>, std::string>;
  // Each row: the elements of tool_calls, delta by delta; then "id name arguments" of each call.
  const auto [pieces, expected] = GENERATE(values<Row>({
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":""}}])",
        R"([{"index":0,"function":{"arguments":"{\"x\""}}])",
        R"([{"index":0,"function":{"arguments":":1}"}}])"},
       R"(a f {"x":1};)"},
      // two interleaved, with a gap in the indices
      {{R"([{"index":3,"id":"a","function":{"name":"f","arguments":"1"}}])",
        R"([{"index":1,"id":"b","function":{"name":"g","arguments":"2"}}])",
        R"([{"index":3,"function":{"arguments":"3"}},{"index":1,"function":{"arguments":"4"}}])"},
       "a f 13;b g 24;"},
      // a server that always sends index 0
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}])",
        R"([{"index":0,"id":"b","function":{"name":"f","arguments":"[]"}}])",
        R"([{"index":0,"function":{"arguments":"!"}}])"},
       "a f {};b f []!;"},
      // and sends no ids
      {{R"([{"index":0,"function":{"name":"f","arguments":"{\"x\":1}"}}])",
        R"([{"index":0,"id":"","function":{"name":"f","arguments":"{}"}}])",
        R"([{"index":0,"function":{"name":"f"}}])"},
       R"(* f {"x":1};* f {};)"},
      // another name after complete arguments, with the same id as well, or after a piece without a name
      {{R"([{"index":0,"function":{"name":"f","arguments":"{}"}}])",
        R"([{"index":0,"function":{"name":"g","arguments":""}}])"},
       "* f {};* g ;"},
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}])",
        R"([{"index":0,"id":"a","function":{"name":"g","arguments":"{}"}}])"},
       "a f {};a g {};"},
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}])",
        R"([{"index":0,"id":"a","function":{"name":"fg","arguments":"[]"}}])"},
       "a f {};a fg [];"},
      {{R"([{"id":"a","function":{"name":"f","arguments":"{}"}}])",
        R"([{"id":"a","function":{"name":"g","arguments":""}}])"},
       "a f {};a g ;"},
      {{R"([{"index":0,"function":{"name":"f","arguments":""}}])",
        R"([{"index":0,"function":{"arguments":""}}])",
        R"([{"index":0,"function":{"name":"g","arguments":"{}"}}])"},
       "* f ;* g {};"},
      // a name in pieces, without an id
      {{R"([{"index":0,"function":{"name":"get_","arguments":""}}])",
        R"([{"index":0,"function":{"name":"weather","arguments":"{}"}}])"},
       "* get_weather {};"},
      // a name repeated in every piece
      {{R"([{"index":0,"function":{"name":"f","arguments":"{\"x\""}}])",
        R"([{"index":0,"function":{"name":"f","arguments":":1}"}}])"},
       R"(* f {"x":1};)"},
      // a name in pieces: https://github.com/continuedev/continue/pull/5849 (Gemini)
      {{R"([{"index":0,"id":"a","function":{"name":"edit_ex","arguments":"{\"x\""}}])",
        R"([{"index":0,"function":{"name":"isting_file","arguments":":1}"}}])"},
       R"(a edit_existing_file {"x":1};)"},
      {{R"([{"index":0,"id":"a","function":{"name":"get_"}}])",
        R"([{"index":0,"id":"a","function":{"name":"weather","arguments":"{}"}}])"},
       "a get_weather {};"},
      {{R"([{"index":0,"id":"a","function":{"name":"get_","arguments":""}}])",
        R"([{"index":0,"function":{"arguments":""}}])",
        R"([{"index":0,"function":{"name":"weather","arguments":"{}"}}])"},
       "a get_weather {};"},
      // that grows: each piece repeats the one before
      {{R"([{"index":0,"id":"a","function":{"name":"get_"}}])",
        R"([{"index":0,"id":"a","function":{"name":"get_weather","arguments":"{"}}])",
        R"([{"index":0,"id":"a","function":{"name":"get_weather","arguments":"}"}}])"},
       "a get_weather {};"},
      // a server that makes up an id for every piece
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}])",
        R"([{"index":0,"id":"b","function":{"arguments":"}"}}])"},
       "a f {};"},
      {{R"([{"id":"a","function":{"name":"f","arguments":"{"}}])",
        R"([{"id":"b","function":{"arguments":"}"}}])"},
       "a f {};"},
      // no index: by id
      {{R"([{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"g"}}])",
        R"([{"id":"a","function":{"arguments":"1"}}])", R"([{"id":"b","function":{"arguments":"2"}}])"},
       "a f 1;b g 2;"},
      // neither: the latest; a name after complete arguments begins the next
      {{R"([{"id":"a","function":{"name":"f"}}])", R"([{"function":{"arguments":"{}"}}])",
        R"([{"id":"","function":{"name":"f","arguments":"[]"}}])"},
       "a f {};* f [];"},
      // a name repeated in every piece, until the arguments are complete
      {{R"([{"function":{"name":"f","arguments":"{\"x\":\"}"}}])",
        R"([{"function":{"name":"f","arguments":"\\"}}])", R"([{"function":{"name":"f","arguments":"\"}"}}])",
        R"([{"function":{"name":"f","arguments":"\",\"y\":{}"}}])",
        R"([{"function":{"name":"f","arguments":"} "}}])", R"([{"function":{"name":"f","arguments":"{}"}}])"},
       R"(* f {"x":"}\"}","y":{}} ;* f {};)"},
      // white space after complete arguments begins no call
      {{R"([{"index":0,"function":{"name":"f","arguments":"{}"}}])",
        R"([{"index":0,"function":{"name":"f","arguments":"\n "}}])",
        R"([{"index":0,"function":{"name":"f","arguments":"[]"}}])"},
       "* f {}\n ;* f [];"},
      {{R"([{"function":{"name":"f","arguments":"{}"}}])", R"([{"function":{"name":"f","arguments":" "}}])",
        R"([{"function":{"name":"f","arguments":"[]"}}])"},
       "* f {} ;* f [];"},
      // arguments that are closed but not JSON are not complete
      {{R"([{"function":{"name":"f","arguments":"{x}"}}])", R"([{"function":{"name":"f","arguments":"{}"}}])",
        R"([{"function":{"name":"f","arguments":"{}"}}])"},
       "* f {x}{}{};"},
      // arguments as an object
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":{"x":1}}}])"}, R"(a f {"x":1};)"},
      // neither index nor id: several pieces go by position (Kimi)
      {{R"([{"id":"weather_0","type":"function","function":{"name":"weather","arguments":""}},)"
        R"({"id":"time_1","type":"function","function":{"name":"time","arguments":""}}])",
        R"([{"function":{"arguments":"{\"location\":\"San Francisco\"}"}},)"
        R"({"function":{"arguments":"{\"zone\":\"UTC\"}"}}])",
        R"([{"function":{"arguments":" "}}])"},
       R"(weather_0 weather {"location":"San Francisco"};time_1 time {"zone":"UTC"} ;)"},
      {{R"([{"id":"a","function":{"name":"f"}}])",
        R"([{"function":{"arguments":"{"}},{"function":{"arguments":"}"}}])"},
       "a f {};"},
      // an index that comes late
      {{R"([{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"g"}}])",
        R"([{"index":0,"function":{"arguments":"1"}}])",
        R"([{"index":1,"id":"b","function":{"arguments":"2"}}])",
        R"([{"index":0,"function":{"arguments":"3"}}])"},
       "a f 13;b g 2;"},
      {{R"([{"id":"a","function":{"name":"f"}}])", R"([{"index":0,"id":"b","function":{"name":"g"}}])"},
       "a f ;b g ;"},
      // one call under several indices (LocalAI)
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}])",
        R"([{"index":1,"id":"a","function":{"name":"f"}}])",
        R"([{"index":1,"id":"a","function":{"arguments":"{\"x\":1}"}}])",
        R"([{"index":2,"id":"a","function":{"name":"f"}}])"},
       R"(a f {"x":1};)"},
      // and several calls under one id
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}])",
        R"([{"index":1,"id":"a","function":{"name":"f","arguments":"[]"}}])",
        R"([{"index":2,"id":"a","function":{"name":"g","arguments":"{}"}}])"},
       "a f {};a f [];a g {};"},
      // arguments under the index of the next call: https://github.com/agno-agi/agno/issues/8880 (DeepSeek)
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":""}}])",
        R"([{"index":0,"function":{"arguments":"{\"x\":1}"}}])",
        R"([{"index":0,"id":"b","function":{"name":"g","arguments":""}}])",
        R"([{"index":1,"function":{"arguments":"{\"y\""}}])",
        R"([{"index":1,"function":{"arguments":":2}"}}])",
        R"([{"index":1,"id":"c","function":{"name":"h","arguments":""}}])",
        R"([{"index":2,"function":{"arguments":"{}"}}])"},
       R"(a f {"x":1};b g {"y":2};c h {};)"},
      // under an index for each piece: https://github.com/dirac-run/dirac/issues/215 (Nebius, Cerebras)
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":""}}])",
        R"([{"index":1,"function":{"arguments":"{\"x\":"}}])",
        R"([{"index":2,"function":{"arguments":"1}"}}])"},
       R"(a f {"x":1};)"},
      // and with pieces that are empty or blank
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":""}}])",
        R"([{"index":1,"function":{"arguments":""}}])", R"([{"index":2,"function":{"arguments":"{\"x\":"}}])",
        R"([{"index":3,"function":{"arguments":" "}}])", R"([{"index":4,"function":{"arguments":"1}"}}])"},
       R"(a f {"x": 1};)"},
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}])",
        R"([{"index":1,"function":{"arguments":"\n"}}])", R"([{"index":1,"function":{"arguments":"}"}}])"},
       "a f {\n};"},
      // and after complete arguments
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}])",
        R"([{"index":1,"function":{"arguments":"{}"}}])"},
       "a f {};*  {};"},
      // arguments repeated at the end: https://github.com/vllm-project/vllm/issues/42167 and 51697
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{\"date\": \"2025-03-26\", "}}])",
        R"([{"index":0,"function":{"arguments":"\"type\": \"x\""}}])",
        R"([{"id":null,"type":null,"index":0,"function":{"name":null,"arguments":)"
        R"("{\"date\": \"2025-03-26\", \"type\": \"x\"}"}}])"},
       R"(a f {"date": "2025-03-26", "type": "x"};)"},
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{\"city\": \"Seattle\"}"}}])",
        R"([{"index":0,"function":{"arguments":"{\"city\": \"Seattle\"}"}}])"},
       R"(a f {"city": "Seattle"};)"},
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}])",
        R"([{"index":0,"function":{"arguments":"{\"city\": \"Orlando\"}"}}])"},
       R"(a f {"city": "Orlando"};)"},
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}])",
        R"([{"index":0,"function":{"arguments":"1}"}}])",
        R"([{"index":0,"function":{"arguments":"{\"x\":1}"}}])",
        R"([{"index":0,"function":{"arguments":"\n"}}])"},
       "a f {\"x\":1}\n;"},
      // in each piece, as far as they are there: https://github.com/NousResearch/hermes-agent/pull/35718
      // (Baidu)
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x"}}])",
        R"([{"index":0,"function":{"arguments":"{\"x\":1,"}}])",
        R"([{"index":0,"function":{"arguments":"{\"x\":1,\"y\":2}"}}])"},
       R"(a f {"x":1,"y":2};)"},
      // whole in each piece: https://github.com/NousResearch/hermes-agent/issues/6841
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{\"a\":1}"}}])",
        R"([{"index":0,"function":{"arguments":"{\"a\":1}"}}])",
        R"([{"index":0,"function":{"arguments":"{\"a\":1}"}}])"},
       R"(a f {"a":1};)"},
      // an object inside of another that begins like it
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}])",
        R"([{"index":0,"function":{"arguments":"{\"x\":1}"}}])",
        R"([{"index":0,"function":{"arguments":"}"}}])"},
       R"(a f {"x":{"x":1}};)"},
      // an empty object first: https://github.com/BerriAI/litellm/issues/4537 (Claude),
      // https://github.com/microsoft/autogen/pull/7549 (Gemini)
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}])",
        R"([{"index":0,"function":{"arguments":"{\"location\":"}}])",
        R"([{"index":0,"function":{"arguments":" \"Boston\"}"}}])"},
       R"(a f {"location": "Boston"};)"},
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":{}}}])",
        R"([{"index":0,"function":{"arguments":""}}])",
        R"([{"index":0,"function":{"arguments":"{\"stock\": \"MSFT\"}"}}])"},
       R"(a f {"stock": "MSFT"};)"},
      // others, or a part of them
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}])",
        R"([{"index":0,"function":{"arguments":"{\"x\":2}"}}])"},
       R"(a f {"x":1}{"x":2};)"},
      {{R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}])",
        R"([{"index":0,"function":{"arguments":"{\"x\":"}}])"},
       R"(a f {"x":{"x":;)"},
      // calls of nothing
      {{R"([{"index":0,"id":"x","type":"function","function":{"name":"","arguments":" "}}])",
        R"([{"index":1,"id":"a","function":{"name":"f"}},{"index":2,"id":"","type":"function"}])"},
       "a f ;"},
      // an id that is a number (TGI)
      {{R"([{"index":0,"id":7,"function":{"name":"f"}}])",
        R"([{"index":0,"id":7,"function":{"arguments":"{}"}}])"},
       "7 f {};"},
      // one call in place of a list (TGI)
      {{R"({"index":0,"id":"","type":"function","function":{"name":"f","arguments":"{\"x\":"}})",
        R"({"index":0,"id":"","type":"function","function":{"name":null,"arguments":"1}"}})"},
       R"(* f {"x":1};)"},
  }));
  std::vector<std::string> chunks;
  for (const std::string& calls : pieces) chunks.push_back(delta("{\"tool_calls\":" + calls + "}"));
  std::string facts;
  const auto response = fold(chunks);
  for (const chat::ToolCall& call : response.choices.at(0).message.tool_calls) {
    const bool generated = call.id.starts_with("call_") && call.id.size() == 29;
    facts += (generated ? "*" : call.id) + " " + call.function->name + " " + call.function->arguments + ";";
    CHECK(call.has_generated_id() == generated);
    CHECK(call.type == "function");
  }
  CHECK(facts == expected);
}

TEST_CASE("chat::Accumulator takes no arguments for repeated in a call that may have been cut") {
  const auto arguments_at = [](const std::string& finish) {
    const auto piece = [&finish](const std::string& arguments) {
      return R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":)" +
             arguments + R"(}}]},"finish_reason":)" + finish + "}]}";
    };
    const auto response = fold({piece(R"("{\"a\":")"), piece(R"("{\"a\":1}")")});
    return response.choices.at(0).message.tool_calls.at(0).function->arguments;
  };
  for (const auto* cut : {R"("length")", R"("content_filter")", R"("error")"}) {
    CAPTURE(cut);
    CHECK(arguments_at(cut) == R"({"a":{"a":1})");
  }
  CHECK(arguments_at(R"("tool_calls")") == R"({"a":1})");
}

TEST_CASE("generated tool call ids depend on the call's contents") {
  const auto id_of = [](const std::string& head, const std::string& call) {
    const auto response =
        fold({"{" + head + R"("choices":[{"index":0,"delta":{"tool_calls":[{"id":"",)" + call + "}]}}]}"});
    return response.choices.at(0).message.tool_calls.at(0).id;
  };
  const std::string call = R"("function":{"name":"f","arguments":"{\"x\":1}"})";
  const auto id = id_of(R"("created":1,)", call);
  CHECK(id == id_of(R"("created":1,)", call));
  CHECK(id != id_of(R"("created":2,)", call));
  CHECK(id != id_of(R"("created":1,"id":"a",)", call));
  CHECK(id != id_of(R"("created":1,)", R"("function":{"name":"g","arguments":"{\"x\":1}"})"));
  CHECK(id != id_of(R"("created":1,)", R"("function":{"name":"f","arguments":"{\"x\":2}"})"));
  CHECK(id_of("", R"("type":"custom","custom":{"name":"f","input":"a"})") !=
        id_of("", R"("type":"custom","custom":{"name":"f","input":"b"})"));
}

TEST_CASE("chat::Accumulator joins 'images' and 'executed_tools' as their servers mean them") {
  const auto message = [](const std::vector<std::string>& deltas) {
    std::vector<std::string> chunks;
    for (const auto& text : deltas) chunks.push_back(delta(text));
    return fold(chunks).choices.at(0).message;
  };
  const auto text_of = [](const chat::Message& folded, const char* name) {
    const Json* const list = folded.extra.find(name);
    return list != nullptr ? list->text() : "";
  };
  // OpenRouter: one image per delta.
  const auto painted = message({R"({"images":[{"url":"a","index":0}]})", R"({"content":"b"})",
                                R"({"images":[]})", R"({"images":[{"url":"c","index":0}]})"});
  CHECK(text_of(painted, "images") == R"([{"url":"a","index":0},{"url":"c","index":0}])");
  // Groq: a tool by its index, once it is called and once it has run.
  const auto searched = message({R"({"executed_tools":[{"index":0,"type":"search","arguments":"a"}]})",
                                 R"({"executed_tools":[{"index":1,"type":"search","arguments":"b"}]})",
                                 R"({"executed_tools":[{"index":0,"type":"search","output":"A"}]})"});
  CHECK(text_of(searched, "executed_tools") == R"([{"index":0,"type":"search","arguments":"a","output":"A"},)"
                                               R"({"index":1,"type":"search","arguments":"b"}])");
}

TEST_CASE("chat::Accumulator folds calls of custom tools") {
  const auto response = fold(
      {delta(R"({"tool_calls":[{"index":0,"id":"a","type":"custom","custom":{"name":"f","input":"x"}}]})"),
       delta(R"({"tool_calls":[{"index":0,"custom":{"name":"g","input":"y"}}]})")});
  const chat::ToolCall& call = response.choices.at(0).message.tool_calls.at(0);
  CHECK(call.type == "custom");
  CHECK(call.custom->name == "fg");
  CHECK(call.custom->input == "xy");
  // under the index of the next call
  const auto counted = fold(
      {delta(R"({"tool_calls":[{"index":0,"id":"a","type":"custom","custom":{"name":"f","input":""}}]})"),
       delta(R"({"tool_calls":[{"index":1,"custom":{"input":"x"}}]})")});
  REQUIRE(counted.tool_calls().size() == 1);
  CHECK(counted.tool_calls()[0]->custom->input == "x");
}

TEST_CASE("chat::Accumulator tells custom calls with the same index apart by id and name") {
  const auto response = fold(
      {delta(R"({"tool_calls":[{"index":0,"id":"a","type":"custom","custom":{"name":"f","input":"x"}}]})"),
       delta(R"({"tool_calls":[{"index":0,"id":"b","type":"custom","custom":{"name":"g","input":"y"}}]})"),
       delta(R"({"tool_calls":[{"index":0,"id":"b","custom":{"input":"z"}}]})")});
  const auto& calls = response.choices.at(0).message.tool_calls;
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].custom->input == "x");
  CHECK(calls[1].custom->name == "g");
  CHECK(calls[1].custom->input == "yz");
  // One id for two inputs: neither call is taken for the other.
  const auto alike = fold(
      {delta(R"({"tool_calls":[{"index":0,"id":"a","type":"custom","custom":{"name":"f","input":"x"}}]})"),
       delta(R"({"tool_calls":[{"index":1,"id":"a","type":"custom","custom":{"name":"f","input":"y"}}]})")});
  CHECK(alike.tool_calls().size() == 2);
}

TEST_CASE("chat::Accumulator takes id and model from the first chunk, usage from the last") {
  const auto response = fold({
      R"({"id":"","object":"chat.completion.chunk","choices":[],"usage":null})",
      R"({"id":"first","model":"m","created":5,"choices":[{"index":1,"delta":{"role":"critic","content":"b"}},{"index":0,"delta":{"content":"a"}}],"usage":{"prompt_tokens":1,"completion_tokens":2}})",
      R"({"id":"second","model":"other","created":6,"choices":[{"index":0,"delta":{},"finish_reason":"stop","stop_reason":7}],"usage":{"prompt_tokens":null,"completion_tokens":3,"total_tokens":4,"prompt_tokens_details":{"cached_tokens":7}},"obfuscation":"x","y":1})",
      R"({"choices":[{"index":0,"delta":{},"finish_reason":""}],"usage":null})",
  });
  CHECK(
      json::encode(response).value() ==
      R"({"id":"first","object":"chat.completion","created":5,"model":"m","choices":[)"
      R"({"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop","stop_reason":7},)"
      R"({"index":1,"message":{"role":"critic","content":"b"},"finish_reason":null}],)"
      R"("usage":{"prompt_tokens":1,"completion_tokens":3,"total_tokens":4,"prompt_tokens_details":{"cached_tokens":7}},"y":1})");
}

TEST_CASE("chat::Accumulator takes created from a later chunk, and usage from x_groq or a choice") {
  const auto response = fold({R"({"created":0,"choices":[]})", R"({"created":5,"choices":[]})",
                              R"({"choices":[],"x_groq":{"usage":{"prompt_tokens":1}}})"});
  CHECK(response.created == 5);
  REQUIRE(response.usage);
  CHECK(response.usage->prompt_tokens == 1);
  const auto kimi = fold({R"({"choices":[{"index":0,"delta":{},"usage":{"prompt_tokens":2}}]})"});
  REQUIRE(kimi.usage);
  CHECK(kimi.usage->prompt_tokens == 2);
}

TEST_CASE("chat::Accumulator folds 100,000 pieces of reasoning in linear time") {
  chat::Accumulator accumulator;
  const auto piece = json::decode<chat::Chunk>(
      delta(R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"0123456789"}]}]})"));
  REQUIRE(piece);
  for (int i = 0; i < 100'000; ++i) accumulator.add(*piece);
  CHECK(accumulator.take(true).choices.at(0).message.reasoning_text().size() == 1'000'000);
}

TEST_CASE("chat::Accumulator takes each member of usage from the last chunk that has it") {
  const auto response = fold({
      R"({"choices":[],"usage":{"completion_tokens_details":{"reasoning_tokens":1,"audio_tokens":2,"x":1}}})",
      R"({"choices":[],"usage":{"completion_tokens_details":{"reasoning_tokens":3,"accepted_prediction_tokens":4,"rejected_prediction_tokens":5,"x":2}}})",
  });
  CHECK(
      json::encode(response).value() ==
      R"({"choices":[],"usage":{"completion_tokens_details":)"
      R"({"reasoning_tokens":3,"audio_tokens":2,"accepted_prediction_tokens":4,"rejected_prediction_tokens":5,"x":2}}})");
}

TEST_CASE("chat::Accumulator replaces a value of the wrong type by a later good one") {
  const auto response = fold({
      R"({"choices":[],"usage":{"prompt_tokens":1.5,"x":1,"prompt_tokens_details":{"cached_tokens":"a"}}})",
      R"({"choices":[],"usage":{"prompt_tokens":1,"prompt_tokens_details":{"cached_tokens":2}}})",
  });
  CHECK(json::encode(response).value() ==
        R"({"choices":[],"usage":{"prompt_tokens":1,"prompt_tokens_details":{"cached_tokens":2},"x":1}})");
  const std::string part = R"({"content":[{"type":"reasoning","summary":[{"text":"x","signature":)";
  CHECK(folded_message({part + R"(5}]}]})", part + R"("S"}]}]})"}) ==
        R"({"role":"assistant","content":[{"type":"reasoning","summary":[)"
        R"({"type":"summary_text","text":"xx","signature":"S"}]}]})");
}

TEST_CASE("chat::Accumulator keeps values over null and empty strings") {
  const auto response = fold({R"({"system_fingerprint":"","service_tier":"","choices":[]})",
                              R"({"system_fingerprint":"fp","service_tier":"flex","choices":[{"index":0,)"
                              R"("extra_fields":"safe"}]})",
                              R"({"system_fingerprint":"","choices":[{"index":0,"extra_fields":null}]})"});
  CHECK(response.system_fingerprint == "fp");
  CHECK(response.service_tier == "flex");
  CHECK(response.choices.at(0).extra_fields.value().text() == R"("safe")");
  // LiteLLM
  const auto called = fold(
      {delta(
           R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{","signature":"S"}}]})"),
       delta(R"({"tool_calls":[{"index":0,"function":{"arguments":"}","signature":null}}]})")});
  CHECK(called.choices.at(0).message.tool_calls.at(0).function->extra.find("signature")->text() == R"("S")");
}

TEST_CASE("chat::Accumulator keeps the members of usage over null") {
  const auto response = fold({
      R"({"choices":[],"usage":{"prompt_tokens":1,"x":3,"prompt_tokens_details":{"cached_tokens":2,"image_tokens":7}}})",
      R"({"choices":[],"usage":{"prompt_tokens":null,"x":null,"prompt_tokens_details":{"cached_tokens":null,"image_tokens":null}}})",
      R"({"choices":[],"usage":{"prompt_tokens_details":null}})",
  });
  CHECK(
      json::encode(response).value() ==
      R"({"choices":[],"usage":{"prompt_tokens":1,"prompt_tokens_details":{"cached_tokens":2,"image_tokens":7},"x":3}})");
}

TEST_CASE("a chat::Accumulator may be moved inside a stream") {
  const auto chunk = [](const std::string& text) { return json::decode<chat::Chunk>(delta(text)).value(); };
  chat::Accumulator first;
  first.add(chunk(R"({"content":"a"})"));
  chat::Accumulator second = std::move(first);
  second.add(chunk(R"({"content":"b"})"));
  first = std::move(second);
  first.add(chunk(R"({"content":"c"})"));
  CHECK(first.take(true).text() == "abc");
}

TEST_CASE("chat::Accumulator appends logprobs") {
  const auto piece = [](const std::string& lists) {
    return R"({"choices":[{"index":0,"delta":{},"logprobs":{)" + lists + "}}]}";
  };
  const auto said = piece(R"("content":[{"token":"a","logprob":-1}],"refusal":null)");
  const auto refused = piece(R"("content":null,"refusal":[{"token":"b","logprob":-2}])");
  const auto response = fold({said, refused, said, refused, refused});
  CHECK(response.choices.at(0).logprobs->content.size() == 2);
  CHECK(response.choices.at(0).logprobs->refusal.size() == 3);
  // https://github.com/abetlen/llama-cpp-python/issues/1787; vLLM's token_ids
  const auto older = [](const std::string& lists, const std::string& ids) {
    return R"({"choices":[{"index":0,"delta":{},"token_ids":)" + ids + R"(,"logprobs":{"tokens":)" + lists +
           R"(,"top_logprobs":null}}]})";
  };
  const auto choice =
      fold({older(R"(["a"])", "[1,2]"), older(R"(["a"])", "[3]"), older("null", "[3]")}).choices.at(0);
  CHECK(choice.logprobs->extra.find("tokens")->text() == R"(["a","a"])");
  CHECK(choice.logprobs->extra.find("top_logprobs")->is_null());
  CHECK(choice.extra.find("token_ids")->text() == "[1,2,3,3]");
}

TEST_CASE("chat::Accumulator keeps annotations once that are repeated, beside the delta as well") {
  const auto cited = [](const std::string& url) {
    return R"("annotations":[{"type":"url_citation","url_citation":{"url":")" + url + R"("}}])";
  };
  // https://github.com/laravel/ai/issues/1012
  CHECK(folded_message({"{" + cited("a") + "}", "{" + cited("b") + "}", "{" + cited("a") + "}"}) ==
        R"({"role":"assistant","annotations":[{"type":"url_citation","url_citation":{"url":"a"}},)"
        R"({"type":"url_citation","url_citation":{"url":"b"}}]})");
  // A list may name one twice.
  const std::string twice =
      R"("annotations":[{"type":"url_citation","x":1},{"type":"url_citation","x":2},{"type":"url_citation","x":1}])";
  CHECK(folded_message({"{" + twice + "}", "{" + twice + "}"}) == R"({"role":"assistant",)" + twice + "}");
  const std::string doubled = R"({"choices":[{"index":0,"delta":{},)" + twice + "}]}";
  CHECK("\"annotations\":" + fold({doubled, doubled}).choices.at(0).extra.find("annotations")->text() ==
        twice);
  // https://github.com/BerriAI/litellm/pull/23662
  const auto beside = [&](const std::string& url) {
    return R"({"choices":[{"index":0,"delta":{},)" + cited(url) + "}]}";
  };
  const auto choice = fold({beside("a"), beside("b"), beside("b"), beside("a")}).choices.at(0);
  CHECK(
      choice.extra.find("annotations")->text() ==
      R"([{"type":"url_citation","url_citation":{"url":"a"}},{"type":"url_citation","url_citation":{"url":"b"}}])");
}

TEST_CASE("started_choices and finished_choices count choices") {
  chat::Accumulator accumulator;
  CHECK(accumulator.started_choices() == 0);
  accumulator.add(*json::decode<chat::Chunk>(R"({"choices":[{"index":0},{"index":5}]})"));
  CHECK(accumulator.started_choices() == 2);
  CHECK(accumulator.finished_choices() == 0);
  accumulator.add(*json::decode<chat::Chunk>(R"({"choices":[{"index":5,"finish_reason":"stop"}]})"));
  CHECK(accumulator.finished_choices() == 1);
}

TEST_CASE("new_tool_calls gives each call as soon as it is complete, once") {
  const auto calls = [](const std::string& pieces, const std::string& finish = "null") {
    return R"({"id":"c","choices":[{"index":0,"delta":{"tool_calls":)" + pieces + R"(},"finish_reason":)" +
           finish + "}]}";
  };
  /// The calls given after each chunk: "name arguments;" of each.
  const auto given = [](const std::vector<std::string>& chunks) {
    chat::Accumulator accumulator;
    CHECK(accumulator.new_tool_calls().empty());
    std::vector<std::string> out;
    std::vector<chat::ToolCall> all;
    for (const auto& text : chunks) {
      accumulator.add(*json::decode<chat::Chunk>(text));
      out.emplace_back();
      for (auto& call : accumulator.new_tool_calls()) {
        out.back() += call.function->name + " " + call.function->arguments + ";";
        all.push_back(std::move(call));
      }
      CHECK(accumulator.new_tool_calls().empty());
    }
    const auto whole = accumulator.take(true).choices.at(0).message.tool_calls;
    REQUIRE(all.size() <= whole.size());
    CHECK(std::equal(all.begin(), all.end(), whole.begin(), [](const auto& call, const auto& same) {
      return call.id == same.id && call.function == same.function;
    }));
    CHECK(accumulator.new_tool_calls().empty());
    return out;
  };
  using Given = std::vector<std::string>;
  const std::string f = R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}])";
  const std::string more = R"([{"index":0,"function":{"arguments":":1}"}}])";
  const std::string g = R"([{"index":1,"function":{"name":"g","arguments":"{}"}}])";
  const std::string h = R"([{"index":2,"id":"c","function":{"name":"h"}}])";
  CHECK(given({calls(f), calls(more), calls(g), calls(h), calls("[]", "\"tool_calls\"")}) ==
        Given{"", "", "f {\"x\":1};", "g {};", "h ;"});
  // Interleaved: calls after an incomplete one wait for it.
  CHECK(given({calls(f), calls(g), calls(h), calls(more), calls("[]", "\"stop\"")}) ==
        Given{"", "", "", "f {\"x\":1};g {};", "h ;"});
  // A late head does not change an id that was already given.
  const std::string no_id = R"({"choices":[{"index":0,"delta":{"tool_calls":[)";
  CHECK(
      given(
          {no_id +
               R"({"index":0,"function":{"name":"f","arguments":"{}"}},{"index":1,"function":{"name":"g"}}]}}]})",
           calls("[]", "\"tool_calls\"")}) == Given{"f {};", "g ;"});
  // A call repeated under another index is given once.
  const auto again = [&calls](const std::string& index) {
    return calls(R"([{"index":)" + index + R"(,"id":"a","function":{"name":"f","arguments":"{}"}}])");
  };
  CHECK(given({again("0"), again("1"), again("2"), calls("[]", "\"tool_calls\"")}) ==
        Given{"", "f {};", "", ""});
  // Arguments that vLLM repeats at the end are given once.
  CHECK(given({calls(f), calls(R"([{"index":0,"function":{"arguments":"{\"x\":1}"}}])", "\"tool_calls\"")}) ==
        Given{"", "f {\"x\":1};"});
  // Arguments that each piece repeats are given at the end: before, they may be those of a part.
  CHECK(given({calls(R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}])"),
               calls(R"([{"index":0,"function":{"arguments":"{\"x\":1}"}}])"),
               calls(R"([{"index":0,"function":{"arguments":"{\"x\":1}"}}])"), calls(g),
               calls("[]", "\"tool_calls\"")}) == Given{"", "", "", "", "f {\"x\":1};g {};"});
  // Calls of nothing are not given.
  CHECK(given({calls(R"([{"index":0,"id":"x"}])"), calls(g), calls("[]", "\"tool_calls\"")}) ==
        Given{"", "", "g {};"});
  // Calls that a limit or a filter may have cut off are not given.
  CHECK(given({calls(f), calls(more), calls(g, "\"length\"")}) == Given{"", "", "f {\"x\":1};"});
  CHECK(given({calls(f), calls(more, "\"content_filter\"")}) == Given{"", ""});
}

TEST_CASE("is_incomplete() flags calls that a broken stream may have cut") {
  const std::vector<std::string> chunks = {
      R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]}}]})",
      R"({"choices":[{"index":1,"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]})"};
  const auto broken = fold(chunks, false);
  CHECK(broken.choices.at(0).message.tool_calls.at(0).is_incomplete());
  CHECK(broken.choices.at(1).message.tool_calls.at(0).extra.empty());
  // An end marker does not finish a choice without a finish reason; complete arguments do.
  const auto marked = fold(chunks, true);
  CHECK(marked.choices.at(0).message.tool_calls.at(0).is_incomplete());
  const auto whole = fold(
      {R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}}]})"},
      true);
  CHECK(whole.choices.at(0).message.tool_calls.at(0).extra.empty());
}

TEST_CASE("is_incomplete() flags calls that a limit, a filter or an error may have cut") {
  for (const std::string finish : {"length", "content_filter", "error", "tool_calls", "stop"}) {
    CAPTURE(finish);
    const auto answer = fold(
        {R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]}}]})",
         R"({"choices":[{"index":0,"delta":{},"finish_reason":")" + finish + R"("}]})"},
        true);
    const bool whole = finish == "tool_calls" || finish == "stop";
    CHECK(answer.choices.at(0).message.tool_calls.at(0).is_incomplete() != whole);
  }
}

TEST_CASE("chat::Accumulator folds 100,000 pieces of arguments in linear time") {
  chat::Accumulator accumulator;
  chat::Chunk chunk;
  chunk.choices = {chat::ChunkChoice{.index = 0}};
  auto& calls = chunk.choices[0].delta.tool_calls;
  calls = {chat::ToolCallDelta{.function = chat::FunctionCallDelta{.name = "f", .arguments = "[{}"}}};
  accumulator.add(chunk);
  calls[0].function->arguments = ",{}";
  for (int i = 0; i < 100'000; ++i) accumulator.add(chunk);
  calls[0].function->arguments = "]";
  accumulator.add(chunk);
  calls[0].function->arguments = "{}";
  accumulator.add(chunk);
  const auto response = accumulator.take(true);
  REQUIRE(response.choices.at(0).message.tool_calls.size() == 2);
  CHECK(response.choices[0].message.tool_calls[0].function->arguments.size() == 300'004);
}

TEST_CASE("chat::Accumulator keeps a bounded number of unknown members") {
  const auto chunk = [](const std::string& prefix, int count, int value) {
    std::string members;
    for (int i = 0; i < count; ++i) {
      members += ",\"" + prefix + std::to_string(i) + "\":" + std::to_string(value);
    }
    return R"({"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"t")" + members +
           "}],\"audio\":{\"data\":\"AA\"" + members + "}" + members +
           "}}],\"usage\":{\"completion_tokens_details\":{\"audio_tokens\":1" + members + "}}" + members +
           "}";
  };
  const auto response = fold({chunk("a", 200, 1), chunk("b", 50'000, 2), chunk("a", 200, 3)});
  const auto& message = response.choices.at(0).message;
  const auto& part = std::get<std::vector<chat::ContentPart>>(message.content.value()).at(0);
  for (const Extra* extra : {&response.extra, &message.extra, &std::get<chat::TextPart>(part).extra,
                             &response.usage->completion_tokens_details->extra}) {
    CHECK(extra->size() == 256);
    REQUIRE(extra->find("a199") != nullptr);
    CHECK(extra->find("a199")->text() == "3");
  }
  REQUIRE(message.audio);
  CHECK(message.audio->members().size() == 256);
  CHECK(message.audio->find("/data")->as_string() == "AAAAAA");
}

TEST_CASE("chat::Accumulator is not grown by huge indices") {
  chat::Accumulator accumulator;
  chat::Chunk chunk;
  for (std::int64_t i = 0; i < 65'600; ++i) {
    chunk.choices = {chat::ChunkChoice{.index = i * 1'000'000'007}};
    const chat::FunctionCallDelta function{.name = "f"};
    chunk.choices[0].delta.tool_calls = {chat::ToolCallDelta{.index = INT64_MAX - i, .function = function}};
    chunk.choices.push_back(chat::ChunkChoice{.index = 0});
    chunk.choices[1].delta.tool_calls = {chat::ToolCallDelta{.index = -i, .function = function}};
    accumulator.add(chunk);
  }
  const auto response = accumulator.partial();
  CHECK(response.choices.size() == 65'536);
  CHECK(response.choices.at(0).message.tool_calls.size() == 1024);
  CHECK(accumulator.take(true) == response);
  CHECK(accumulator.started_choices() == 0);
}

TEMPLATE_TEST_CASE("an Accumulator that was moved from is as new", "", chat::Accumulator,
                   completions::Accumulator, responses::Accumulator) {
  TestType moved;
  TestType target = std::move(moved);
  CHECK(moved.partial() == TestType().partial());  // NOLINT: that is the test
  target = std::move(moved);
  CHECK(moved.take(true) == TestType().take(true));  // NOLINT
}

}  // namespace
