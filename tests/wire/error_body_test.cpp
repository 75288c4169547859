#include "wire/error_body.hpp"

#include "json/text.hpp"
#include "support/catch.hpp"
#include "support/mutation.hpp"
#include "wire/documents.hpp"
#include "wire/vectors.hpp"

#include <nlohmann/json.hpp>

#include <random>

namespace {

using namespace inferwire;
using namespace inferwire_test;

TEST_CASE("error bodies of all providers give the facts that their vectors state") {
  std::size_t visited = 0;
  for (const char* list : {"vectors", "malformed"}) {
    for (const auto& vector : wire_index().at(list)) {
      if (vector.at("mode") != "http_error") continue;
      INFO(vector.at("id").get<std::string>());
      const auto http = nlohmann::json::parse(inferwire_test::wire_file(vector));
      const auto facts = wire::read_error_body(http.value("body", ""), http.value("reason", ""));
      const auto& expected = vector.at("expect").at("error");
      if (expected.contains("message")) CHECK(facts.message == expected.at("message").get<std::string>());
      // SageMaker gives its code in a header
      if (expected.contains("code") && vector.at("provider") != "sagemaker")
        CHECK(facts.code == expected.at("code").get<std::string>());
      if (expected.contains("type")) CHECK(facts.type == expected.at("type").get<std::string>());
      if (expected.contains("param")) CHECK(facts.param == expected.at("param").get<std::string>());
      if (expected.contains("original_code"))
        CHECK(facts.original_code == expected.at("original_code").get<std::string>());
      if (expected.contains("original_status"))
        CHECK(facts.original_status == expected.at("original_status").get<int>());
      ++visited;
    }
  }
  CHECK(visited > 30);
}

TEST_CASE("of a long error body the members at its beginning are read") {
  const std::string filler(wire::most_error_bytes, 'x');
  const auto body = R"({"error":{"message":"too long","code":"c","input":")" + filler + R"(","param":"p"}})";
  for (const std::string_view text :
       {std::string_view(body), std::string_view(body).substr(0, filler.size())}) {
    const auto facts = wire::read_error_body(text, "");
    CHECK(facts.message == "too long");
    CHECK(facts.code == "c");
    CHECK(facts.param.empty());
  }
  const auto text = wire::read_error_body("slow down" + filler, "");
  CHECK(text.message.starts_with("slow downx"));
}

TEST_CASE("read_error_body reads message and code in many forms") {
  using Row = std::tuple<std::string, std::string, std::string>;
  const auto [body, message, code] = GENERATE(values<Row>({
      {"RESOURCE_EXHAUSTED: slow down", "slow down", "RESOURCE_EXHAUSTED"},
      {"\"BAD_REQUEST: quoted\"", "quoted", "BAD_REQUEST"},
      {"Note: not a code", "Note: not a code", ""},
      {R"({"error_code":"X","message":"X: said twice"})", "said twice", "X"},
      {R"({"detail":"gone","status":"404","scimType":"noTarget"})", "gone", "noTarget"},
      {R"({"errors":[{"message":"first"}]})", "first", ""},
      {R"({"errors":[{"message":"first","code":10000},{"message":"second"}],"success":false})",
       "first; second", "10000"},
      {R"({"errors":{"message":"only","code":5006},"success":false,"result":{}})", "only", "5006"},
      {R"({"errors":["one","two"]})", "one; two", ""},
      {R"({"message":["one","two"],"statusCode":400})", "one; two", ""},
      {R"({"message":{"detail":"said so"}})", "said so", ""},
      {R"({"error":{"message":{"detail":[{"loc":["body","x"],"msg":"no"}]},"code":7}})", "body.x: no", "7"},
      {R"({"error":{"message":{"message":"inside"}}})", "inside", ""},
      {R"({"error":null,"message":{"reasons":["odd"]}})", R"({"error":null,"message":{"reasons":["odd"]}})",
       ""},
      {R"({"error":null,"message":{}})", "Reason", ""},
      {R"({"error":{"code":"C"}})", "Reason", "C"},
      {R"({"error":{"message":"m","code":429}})", "m", "429"},
      {R"({"error":{"message":"m","metadata":{"raw":"upstream"}}})", "m", ""},
      {R"({"error":{"message":"Provider returned error","metadata":{"raw":"upstream"}}})", "upstream", ""},
      {R"({"OriginalMessage":"m"})", "m", ""},
      {R"({"message":" [ {\"message\":\"inside\"} ] "})", "inside", ""},
      {R"({"error":"API 1.2"})", "API 1.2", ""},
      {R"({"error":"invalid_token","error_description":"it has expired"})", "it has expired",
       "invalid_token"},
      {R"({"foo":1})", R"({"foo":1})", ""},
      {"{}", "Reason", ""},
      {"null", "null", ""},
      {"<!DOCTYPE html><body><pre>trace\n  here</pre>", "trace here", ""},
      {"<HTML><body>Just <b>this</b></body>", "Just this", ""},
      {"<html", "Reason", ""},
      {R"({"error":{"message":"\n<html><title>502</title></html>"}})", "502", ""},
      {"", "Reason", ""},
      {R"x({"code":500,"error":"error=ErrorInfo(message='no', type='T', param=None, code=400)"})x", "no",
       "500"},
      {R"({"error_code":"A","message":"{\"message\":\"{\\\"message\\\":\\\"deep\\\"}\"}"})", "deep", "A"},
      {"bad \xFF byte", "bad \xEF\xBF\xBD byte", ""},
  }));
  INFO(body);
  const auto facts = wire::read_error_body(body, "Reason");
  CHECK(facts.message == message);
  CHECK(facts.code == code);
}

TEST_CASE("read_error_body takes a type of AWS without its namespace") {
  const std::string body = R"({"__type":"com.amazonaws.bedrock#ThrottlingException","message":"slow down"})";
  CHECK(wire::read_error_body(body, "").type == "ThrottlingException");
}

TEST_CASE("read_error_body takes the whole body where it finds no message") {
  CHECK(wire::read_error_body(R"({"error":{"code":"C"}})", "").message == R"({"error":{"code":"C"}})");
  CHECK(wire::read_error_body(R"({"error":null})", "").message.empty());
}

TEST_CASE("read_error_body cuts long facts between characters") {
  const auto code_of = [](const std::string& code) {
    return wire::read_error_body(R"({"error":{"message":"m","code":")" + code + "\"}}", "").code;
  };
  const std::string long_code(1000, 'x');
  const auto size = code_of(long_code).size();
  CHECK(size < long_code.size());
  CHECK(code_of(long_code.substr(0, size)) == long_code.substr(0, size));
  // "é" is two bytes, which must not be separated by the cut.
  for (std::size_t before = size - 3; before <= size; ++before) {
    const auto cut = code_of(long_code.substr(0, before) + "\u00e9" + long_code);
    CAPTURE(before, cut.size());
    CHECK(json::invalid_utf8(cut) == std::string_view::npos);
    CHECK(cut.size() == (before == size - 1 ? size - 1 : size));
  }
}

TEST_CASE("read_error_body reads an error inside a list") {  // Gemini
  const auto facts = wire::read_error_body(
      R"( [{"error":{"code":429,"message":"slow down","status":"RESOURCE_EXHAUSTED","details":[)"
      R"({"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"38s"}]}}
]
)",
      "");
  CHECK(facts.message == "slow down");
  CHECK(facts.code == "429");
  REQUIRE(facts.retry_delay);
  CHECK(facts.retry_delay->count() == 38000);
}

TEST_CASE("read_error_body takes retry_after and request id from google.rpc details") {
  const std::string error =
      R"({"error_code":"X","message":"m","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retry_delay":"1.5s"},
          {"@type":"type.googleapis.com/google.rpc.RequestInfo","request_id":"r1"},
          {"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TOO_FAST"}]})";
  const bool in_detail = GENERATE(false, true);  // FastAPI
  const auto facts = wire::read_error_body(in_detail ? "{\"detail\":" + error + "}" : error, "");
  REQUIRE(facts.retry_delay);
  CHECK(facts.retry_delay->count() == 1500);
  CHECK(facts.request_id == "r1");
  CHECK(facts.original_code == "TOO_FAST");
  CHECK(facts.is_object);
}

TEST_CASE("error_in_document tells an error from an answer") {
  using Row = std::tuple<std::string, bool>;
  const auto [text, is_error] = GENERATE(values<Row>({
      {R"({"error":{"message":"m"}})", true},
      {R"({"error":"m"})", true},
      {R"({"error_code":"X","message":"m"})", true},
      {R"({"object":"error","message":"m","type":"T","code":400})", true},
      {R"({"code":424,"error":"m"})", true},
      {R"({"error":null,"choices":[]})", false},
      {R"({"error":{},"choices":[]})", false},
      {R"({"error":"","choices":[]})", false},
      {R"({"choices":[]})", false},
      {R"({"choices":[],"message":"m"})", false},
      // a code alone does not make an error
      {R"({"error_code":null,"choices":[]})", false},
      {R"({"error_code":"","choices":[]})", false},
      {R"({"error_code":null,"message":"m"})", false},
      {R"({"message":"m","code":null})", false},
      {R"({"message":"m","code":7})", true},
      // other documents also have `message` and `type`
      {R"({"type":"message_start","message":{"id":"m"}})", false},
      {R"({"type":"response.notice","message":"m"})", false},
      {R"({"code":"c","message":{"id":"m"}})", false},
      {R"({"code":"c","message":""})", false},
      {R"({"type":"error","message":"m"})", true},
      {R"({"type":"BadRequestError","message":"m","code":null})", true},
      {R"({"type":"ValidationException","message":"m"})", true},
      // MiniMax sends a status in every answer
      {R"({"choices":null,"base_resp":{"status_code":1008,"status_msg":"m"}})", true},
      {R"({"choices":null,"base_resp":{"status_code":0,"status_msg":""}})", false},
      // Z.ai, New API, iFlow, Cloudflare, Baidu
      {R"({"code":500,"msg":"m","success":false})", true},
      {R"({"code":401,"msg":"m","data":null})", true},
      {R"({"status":"449","msg":"m","body":null})", true},
      {R"({"success":false,"errors":[{"code":7009,"message":"m"}],"messages":[],"result":{}})", true},
      {R"({"error_code":336100,"error_msg":"m","id":"as-1"})", true},
      // answers have such members as well
      {R"({"code":200,"msg":"m"})", false},
      {R"({"code":10000,"msg":"m"})", false},
      {R"({"code":500,"msg":"m","success":true})", false},
      {R"({"code":500,"msg":"m","data":[1]})", false},
      {R"({"code":500,"msg":"m","items":[1]})", false},
      {R"({"success":false})", false},
      {R"({"success":false,"errors":[{"message":"m"}],"result":{"a":1}})", false},
      {R"({"type":"tool_result","success":false,"msg":"m"})", false},
  }));
  INFO(text);
  const auto chunk = json::decode<chat::Chunk>(text);
  REQUIRE(chunk);
  const auto decoded = wire::error_in(chunk->extra);
  CHECK(decoded.has_value() == is_error);
  CHECK(wire::error_in_document(text).has_value() == is_error);
  if (decoded) CHECK(decoded->message == "m");
  CHECK_FALSE(wire::error_in_document("not JSON {\"error\":1}"));
}

TEST_CASE(
    "error_in_unread takes a text with any number as code for an error, but not one that says success") {
  const std::string refused = R"({"code":1001,"msg":"m","header":{"v":1}})";
  const auto found = wire::error_in_unread(refused);
  REQUIRE(found);
  CHECK(found->message == "m");
  CHECK(found->code == "1001");
  CHECK_FALSE(wire::error_in_document(refused));
  CHECK_FALSE(wire::error_in_unread(R"({"code":200,"msg":"OK"})"));
  CHECK_FALSE(wire::error_in_unread(R"({"code":"SUCCESS","msg":"ok","result":{"a":1}})"));
  CHECK(wire::error_in_unread(R"({"code":"1211","msg":"m"})"));
  CHECK(wire::error_in_unread(R"({"code":"X","success":false,"msg":"m","result":{"a":1}})"));
  CHECK_FALSE(wire::error_in_unread(R"({"code":1001,"msg":"m","choices":[1]})"));
}

TEST_CASE("error_in_document reads LMI's details.finish_reason 'error'") {
  const std::string line = R"({"token":{"text":""},"details":{"finish_reason":"error"}})";
  CHECK(wire::error_in_document(line));
  CHECK(wire::error_in(json::decode<chat::Chunk>(line).value().extra));
  CHECK_FALSE(wire::error_in_document(R"({"token":{"text":""},"details":{"finish_reason":"length"}})"));
}

TEST_CASE("error_in_document reads a list of one error") {  // Gemini, in a stream
  const auto found = wire::error_in_document(R"([{"error":{"code":503,"message":"m"}}])");
  REQUIRE(found);
  CHECK(found->message == "m");
  CHECK_FALSE(wire::error_in_document(R"([{"id":"model"}])"));
  CHECK_FALSE(wire::error_in_document(R"([{"error":"a"},{"error":"b"}])"));
}

TEST_CASE("error_in beside choices reads only 'error'") {
  const auto in_answer = [](const std::string& members) {
    const auto chunk = json::decode<chat::Chunk>("{\"choices\":[{\"index\":0}]," + members + "}");
    return wire::error_in(chunk.value().extra, true).has_value();
  };
  CHECK(in_answer(R"("error":{"message":"m"})"));
  CHECK_FALSE(in_answer(R"("error_code":"X","message":"m")"));
  CHECK_FALSE(in_answer(R"("code":"X","message":"m")"));
  CHECK_FALSE(in_answer(R"("base_resp":{"status_code":1,"status_msg":"m"})"));
}

TEST_CASE("read_error_body reads 'code' where error_code is null") {
  const auto facts = wire::read_error_body(R"({"error_code":null,"code":"c","message":"m"})", "");
  CHECK(facts.code == "c");
  CHECK(facts.message == "m");
}

TEST_CASE("read_error_body takes any bytes") {
  std::mt19937 random(7);
  std::vector<std::string> bodies;
  for (const auto& vector : wire_index().at("vectors")) {
    if (vector.at("mode") != "http_error") continue;
    bodies.push_back(nlohmann::json::parse(inferwire_test::wire_file(vector)).value("body", ""));
  }
  bodies.push_back("<html><title>a</title><pre>b</pre></html>");
  for (int round = 0; round < 20000; ++round) {
    const auto body = inferwire_test::mutated(bodies[random() % bodies.size()], random);
    const auto facts = wire::read_error_body(body, "reason");
    REQUIRE(json::invalid_utf8(facts.message + facts.code + facts.type) == std::string::npos);
    REQUIRE((!facts.message.empty() || !facts.code.empty()));
  }
}

TEST_CASE("read_error_body of a huge body takes bounded time and memory") {
  const auto facts = wire::read_error_body(std::string(8u << 20, 'x'), "");
  CHECK(facts.message.size() <= 4096);
  CHECK(wire::read_error_body(std::string(8u << 20, '<'), "r").message.size() <= 4096);
}

}  // namespace
