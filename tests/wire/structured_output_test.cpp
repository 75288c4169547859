#include "inferwire/structured_output.hpp"

#include "support/catch.hpp"
#include "wire/documents.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace inferwire;

struct River {
  std::string name{};
  int km{};
};
INFERWIRE_DESCRIBE(River, name, km)

chat::Response answer(std::string text, std::string finish = "stop") {
  chat::Response response;
  response.choices = {
      {.message = chat::assistant(std::move(text)), .finish_reason = inferwire::FinishReason(finish)}};
  return response;
}

const std::string rhine = R"({"name":"Rhine","km":1230})";

}  // namespace

TEST_CASE("format_of asks for a struct, and parse reads it") {
  chat::Request request{.model = "m"};
  request.response_format = chat::format_of<River>();
  CHECK(json::encode(request).value() ==
        R"({"model":"m","messages":[],"response_format":{"type":"json_schema","json_schema":{"name":"River",)"
        R"("schema":{"type":"object","properties":{"name":{"type":"string"},"km":{"type":"integer"}},)"
        R"("required":["name","km"],"additionalProperties":false},"strict":true}}})");
  responses::Request next{.model = "m"};
  next.text = responses::format_of<River>();
  CHECK(json::encode(next).value().find(R"("format":{"type":"json_schema","name":"River","schema":{)") !=
        std::string::npos);

  CHECK(parse<River>(answer(rhine)).value().km == 1230);
  CHECK(parse<River>(answer("{\n  \"name\": \"Rhine\",\n  \"km\": 1230\n}\n")).value().km == 1230);
  for (const auto& fenced : {"```json\n" + rhine + "\n```", "\n```\n" + rhine + "```\n"}) {
    CHECK(parse<River>(answer(fenced)).value().name == "Rhine");
  }
  const auto response = json::decode<responses::Response>(
      R"({"status":"completed","output":[{"type":"message","role":"assistant","content":[)"
      R"({"type":"output_text","text":"{\"name\":\"Rhine\",\"km\":1230}"}]}]})");
  REQUIRE(response);
  CHECK(parse<River>(*response).value().km == 1230);
}

TEST_CASE("parse<T> works with Result::and_then") {
  const auto km = [](const River& river) { return river.km; };
  const inferwire::Result<chat::Response> reply = answer(rhine), cut = answer("{", "length");
  CHECK(reply.and_then(parse<River>).transform(km).value() == 1230);
  CHECK(cut.and_then(parse<River>).error().kind == ErrorKind::length);
  const inferwire::Result<responses::Response> empty = responses::Response();
  CHECK(empty.and_then(parse<River>).error().kind == ErrorKind::schema);
}

TEST_CASE("parse<T> of a response passes over messages of another phase or without the document") {
  const auto message = [](std::string text, inferwire::Optional<std::string> phase = {}) {
    responses::Message said = responses::assistant(std::move(text));
    said.phase = std::move(phase);
    return said;
  };
  const auto read = [](std::vector<responses::Item> output) {
    responses::Response response;
    response.status = responses::ResponseStatus::completed;
    response.output = std::move(output);
    return parse<River>(response);
  };
  const std::string elbe = R"({"name":"Elbe","km":1094})";
  for (const std::string& comment : {std::string("I will look it up."), elbe}) {
    CAPTURE(comment);
    CHECK(read({message(comment, "commentary"), message(rhine, "final_answer")}).value().km == 1230);
    CHECK(read({message(rhine), message(comment, "later")}).value().km == 1230);
    CHECK(read({message(comment), message(rhine)}).value().km == 1230);
  }
  CHECK(read({message(rhine), message("That was all.")}).value().km == 1230);
  CHECK(read({message(rhine.substr(0, 9)), message(rhine.substr(9))}).value().km == 1230);

  const auto no_answer = read({message(elbe, "commentary"), message("The Rhine.", "final_answer")});
  REQUIRE_FALSE(no_answer);
  CHECK(no_answer.error().kind == ErrorKind::schema);
  CHECK(no_answer.error().body == "The Rhine.");
  CHECK(read({message(elbe, "commentary")}).error().kind == ErrorKind::schema);
}

TEST_CASE("parse<T> tells cut, refused, empty and invalid answers apart, and keeps their text") {
  const auto check = [](const chat::Response& response, ErrorKind kind, std::string_view detail) {
    const auto river = parse<River>(response);
    REQUIRE_FALSE(river);
    CHECK(river.error().kind == kind);
    CHECK_THAT(river.error().detail, inferwire_test::contains(std::string(detail)));
    CHECK(river.error().body == response.text());
  };
  check(answer(R"({"name":"Rhi)", "length"), ErrorKind::length, "cut");
  check(answer(R"({"name":"Rhi)", "content_filter"), ErrorKind::content_filter, "filter");
  check(answer(R"({"name":"Rhi)", "network_error"), ErrorKind::truncated, "broke the answer off");
  check(answer("The Rhine."), ErrorKind::schema, "not JSON");
  check(answer(R"({"name":"Rhine","km":"long"})"), ErrorKind::schema, "an integer");
  check(answer("```json"), ErrorKind::schema, "not JSON");
  check(answer("```json\n" + rhine), ErrorKind::schema, "not JSON");
  check(answer("json\n" + rhine + "```"), ErrorKind::schema, "not JSON");
  auto refused = answer("");
  refused.choices[0].message.refusal = "I would rather not.";
  check(refused, ErrorKind::refusal, "I would rather not.");
  auto refused_in_part = answer("");
  refused_in_part.choices[0].message.content =
      std::vector<chat::ContentPart>{chat::RefusalPart{.refusal = "Nor would I."}};
  check(refused_in_part, ErrorKind::refusal, "Nor would I.");
  check({}, ErrorKind::schema, "no choice");

  responses::Response incomplete;
  incomplete.status = responses::ResponseStatus::incomplete;
  incomplete.incomplete_details = responses::IncompleteDetails{.reason = "max_output_tokens"};
  CHECK(parse<River>(incomplete).error().kind == ErrorKind::length);
}

TEST_CASE("beginning_of completes a cut document") {
  const std::pair<std::string, std::string> rows[] = {
      {"", "null"},
      {" ", "null"},
      {"```json", "null"},
      {"```json\n{\"a\"", "{}"},
      {"\n```json\n{\"a\"", "{}"},
      {"{", "{}"},
      {R"({"na)", "{}"},
      {R"({"name")", "{}"},
      {R"({"name":)", "{}"},
      {R"({"name":"Rh)", R"({"name":"Rh"})"},
      {R"({"name":"Rh\)", R"({"name":"Rh"})"},
      {R"({"name":"Rh\u00)", R"({"name":"Rh"})"},
      {R"({"name":"Rh\ud83d)", R"({"name":"Rh"})"},
      {R"({"name":"Rh\ud83d\ude00)", R"({"name":"Rh\ud83d\ude00"})"},
      {R"({"name":"Rh\ud83d\)", R"({"name":"Rh"})"},
      {R"({"name":"Rh\ud83d","km":1)", R"({"name":"Rh\ud83d"})"},  // half a character, which JSON allows
      {R"({"name":"Rh\ud83d\n)", R"({"name":"Rh\ud83d\n"})"},
      {"{\"name\":\"Rh\xC3", R"({"name":"Rh"})"},
      {R"({"name":"Rhine")", R"({"name":"Rhine"})"},
      {R"({"name":"Rhine","km":12)", R"({"name":"Rhine"})"},
      {R"({"name":"Rhine","km":12,)", R"({"name":"Rhine","km":12})"},
      {R"({"a":tru)", "{}"},
      {R"({"a":true)", R"({"a":true})"},
      {R"({"a":[1,[2,{"b":"c)", R"({"a":[1,[2,{"b":"c"}]]})"},
      {R"([1, 2)", "[1]"},
      {R"("wo)", R"("wo")"},
      {R"({"a":1}  )", R"({"a":1})"},
      // not JSON
      {R"({"a":1]x)", R"({"a":1})"},
      {R"({"a" 5)", "{}"},
      {"{\"k\":1,\"a\":\"line\nnext\",\"b\":2", R"({"k":1,"a":"line"})"},
      {R"({"a":"x\qyz)", R"({"a":"x"})"},
      {R"({"a":"\u12G4")", R"({"a":""})"},
      {R"({"a":"\ud83d\uZZ")", R"({"a":""})"},
      {"{\"a\":\"ok\",\"b\":\"\x80 rest\"}", R"({"a":"ok","b":""})"},
      {"{\"a\x80\":1}", "{}"},
      {"hello", "null"},
      {R"({"a":hello,)", "{}"},
  };
  for (const auto& [text, shown] : rows) {
    CAPTURE(text);
    CHECK(inferwire::beginning_of(text).text() == shown);
  }
}

TEST_CASE("beginning_of a hostile text takes linear time") {
  CHECK(inferwire::beginning_of(std::string(1'000'000, '[')).is_array());
  CHECK(inferwire::beginning_of("[\"" + std::string(1'000'000, 'a')).items().size() == 1);
}

TEST_CASE("beginning_of every cut is valid and never shorter than the one before") {
  const std::string text =
      "{\"name\": \"Rh\\\"\\u00e9\xC3\xA9\\ud83d\\ude00\", \"km\": [1230, -1.5e3, {\"x\": null}], \"deep\": "
      "{\"in\": {\"side\": [true, false, []]}}}";
  std::size_t longest = 0;
  for (std::size_t size = 1; size <= text.size(); ++size) {
    CAPTURE(size);
    const auto shown = inferwire::beginning_of(std::string_view(text).substr(0, size));
    CHECK(shown.is_object());
    CHECK(inferwire::Json::parse(shown.text()));
    CHECK(shown.text().size() + 8 >= longest);  // except closed brackets
    longest = std::max(longest, shown.text().size());
  }
  CHECK(inferwire::beginning_of(text).text() == text);
}
