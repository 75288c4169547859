// Scripts in JSON: what they may say, and where a mistake is.
#include "inferwire/engine/script.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <string>
#include <variant>

using namespace inferwire;
using namespace inferwire_test;
namespace reply = inferwire::engine::reply;

TEST_CASE("parse_script reads a script from JSON") {
  const auto script = engine::parse_script(R"({
    "strict": true,
    "chaos": {"failures": 0.1, "cuts": 0.2, "stalls": 0, "slow_starts": 1},
    "rules": [
      {"name": "weather",
       "when": {"method": "POST", "path": "/v1/*", "model": "toy-*", "headers": {"x-a": "b*"},
                "last_user_contains": "a", "last_user_matches": "b+", "system_contains": "c",
                "any_text_contains": "d", "tool": "t", "tool_call_id": "i", "tool_result_contains": "r",
                "response_format": "text", "stream": true, "body": {"/temperature": 0.2}},
       "skip": 1, "times": 2,
       "replies": [{"text": "hi"},
                   {"message": {"text": "x", "calls": [{"name": "f", "arguments": {"a": 1}}]}},
                   {"message": {"parts": [{"type": "text", "text": "hi"}]}},
                   {"body": {"bytes": {"a": 1}, "status": 201, "content_type": "application/json",
                             "headers": {"x": "y"}, "streamed": true}},
                   {"failure": {"status": 429, "message": "m", "retry_after": 1}},
                   {"row": [0.5, 1]},
                   {"generate": {}}],
       "pacing": {"first_token_ms": 500, "tokens_per_second": 30, "jitter": 0.2},
       "fault": {"delay_ms": 1, "cut_after_events": 4, "cut_after_bytes": 5, "error_after_events": 6,
                 "stall_after_events": 7, "no_end_mark": true, "no_finish_reason": true, "no_usage": true,
                 "repeat_events": true, "empty_choices": true, "comments": true, "crlf": true,
                 "byte_order_mark": true, "no_space": true, "write_bytes": 8, "write_every_ms": 9,
                 "one_write": true, "content_type": "x/y"}}]})");
  INFO((script ? "" : script.error().message()));
  REQUIRE(script);
  CHECK(script->strict);
  CHECK(script->chaos.cuts == 0.2);
  REQUIRE(script->rules.size() == 1);
  const auto& rule = script->rules[0];
  CHECK(rule.when.headers[0].value == "b*");
  CHECK(rule.when.body[0].pointer == "/temperature");
  CHECK(rule.when.stream == true);
  CHECK(rule.skip == 1);
  CHECK(rule.times == 2);
  REQUIRE(rule.replies.size() == 7);
  CHECK(std::get<reply::Text>(rule.replies[0]).text == "hi");
  CHECK(std::get<reply::Message>(rule.replies[1]).calls[0].arguments == R"({"a":1})");
  CHECK(std::get<reply::Message>(rule.replies[2]).parts.size() == 1);
  CHECK(std::get<reply::Body>(rule.replies[3]).bytes == R"({"a":1})");
  CHECK(std::get<reply::Failure>(rule.replies[4]).retry_after == 1);
  CHECK(std::get<reply::Row>(rule.replies[5]).values.size() == 2);
  CHECK(rule.pacing->per_token == std::chrono::nanoseconds(33'333'333));
  CHECK(rule.fault.stall_after_events == 7U);
  CHECK(rule.fault.write_every == Duration(9));
  CHECK(rule.fault.content_type == "x/y");
}

TEST_CASE("parse_script refuses a mistake with its path") {
  struct Case {
    std::string script, path, detail;
  };
  const auto bad = GENERATE(values<Case>({
      {"{", "", "syntax error at byte 2"},
      {"[]", "", "expected an object"},
      {R"({"ruls":[]})", "ruls", "no such member"},
      {R"({"rules":{}})", "rules", "expected a list"},
      {R"({"rules":[{"when":{"stream":1}}]})", "rules[0].when.stream", "true or false"},
      {R"({"rules":[{"when":{"last_user_matches":"(("}}]})", "rules[0].when.last_user_matches",
       "regular expression"},
      {R"({"rules":[{"replies":[{}]}]})", "rules[0].replies[0]", "expected one of"},
      {R"({"rules":[{"replies":[{"text":"a","row":[1]}]}]})", "rules[0].replies[0]", "expected one of"},
      {R"({"rules":[{"replies":[{"row":[1,-1e300]}]}]})", "rules[0].replies[0].row[1]", "a float can hold"},
      {R"({"rules":[{"replies":[{"failure":{"status":200}}]}]})", "rules[0].replies[0].failure.status",
       "400 to 599"},
      {R"({"rules":[{"replies":[{"failure":{"status":4294967725}}]}]})", "rules[0].replies[0].failure.status",
       "400 to 599"},
      {R"({"rules":[{"replies":[{"failure":{"retry_after":9223372036854775808}}]}]})",
       "rules[0].replies[0].failure.retry_after", "at most"},
      {R"({"rules":[{"replies":[{"body":{"status":0}}]}]})", "rules[0].replies[0].body.status", "100 to 599"},
      {R"({"rules":[{"when":{"body":{"model":"m"}}}]})", "rules[0].when.body.model", "JSON pointer"},
      {R"({"rules":[{"when":{"body":{"/a~2":1}}}]})", "rules[0].when.body./a~2", "JSON pointer"},
      {R"({"rules":[{"fault":{"delay_ms":9223372036854775807}}]})", "rules[0].fault.delay_ms", "at most"},
      {R"({"rules":[{"fault":{"write_every_ms":86400001}}]})", "rules[0].fault.write_every_ms", "at most"},
      {R"({"rules":[{"pacing":{"first_token_ms":18446744073709551615}}]})", "rules[0].pacing.first_token_ms",
       "at most"},
      {R"({"rules":[{"pacing":{"tokens_per_second":1e-300}}]})", "rules[0].pacing.tokens_per_second",
       "a token a day"},
      {R"({"rules":[{"times":-1}]})", "rules[0].times", "not negative"},
      {R"({"rules":[{"pacing":{"tokens_per_second":0}}]})", "rules[0].pacing.tokens_per_second",
       "greater than 0"},
      {R"({"chaos":{"cuts":2}})", "chaos.cuts", "[0, 1]"},
  }));
  const auto script = engine::parse_script(bad.script);
  REQUIRE_FALSE(script);
  CHECK(script.error().kind == ErrorKind::decode);
  CHECK(script.error().path == bad.path);
  CHECK_THAT(script.error().detail, contains(bad.detail));
}
