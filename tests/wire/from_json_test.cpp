// The inverse of to_json: what it refuses, and with which messages.
#include "inferwire/from_json.hpp"

#include "inferwire/chat.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/models.hpp"
#include "inferwire/nlohmann.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "inferwire/schema.hpp"
#include "support/catch.hpp"
#include "wire/vectors.hpp"

#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

using namespace inferwire;
using namespace inferwire_test;

template <class T>
Error refusal(std::string text) {
  const auto read = from_json<T>(Json::raw(std::move(text)));
  if (read) FAIL("it was read");
  return read.error();
}

template <class T>
void check_refused(const std::string& text, std::string_view path, const std::string& detail) {
  CAPTURE(text);
  const auto error = refusal<T>(text);
  CHECK(error.kind == ErrorKind::decode);
  CHECK(error.path == path);
  CHECK_THAT(error.detail, contains(detail));
}

struct Bridge {
  int spans{};
};
INFERWIRE_DESCRIBE(Bridge, spans)

template <class T>
concept Readable = requires(const Json& json) { from_json<T>(json); };

}  // namespace

TEST_CASE("from_json of a request refuses members of a wrong type") {
  check_refused<chat::Message>(R"({"role":5})", "role", "expected string");
  check_refused<chat::Message>(R"({"role":"user","content":7})", "content", "expected");
  check_refused<chat::Request>(R"({"model":"m"})", "messages", "missing");
  check_refused<chat::Request>(R"({"messages":[{"role":"user"},{"role":["user"]}]})", "messages[1].role",
                               "expected string");
  check_refused<chat::Request>(R"({"messages":[],"temperature":"hot"})", "temperature", "expected number");
  check_refused<chat::Request>(R"({"messages":[],"seed":9223372036854775808})", "seed", "expected");
  check_refused<chat::Request>(R"({"messages":[],"top_p":1e999})", "top_p", "a number no double can hold");
  check_refused<completions::Request>(R"({"prompt":"a","n":1.5})", "n", "expected");
  check_refused<embeddings::Request>(R"({"input":{}})", "input", "expected");
  check_refused<responses::Request>(R"({"input":"a","store":"no"})", "store", "expected");
  check_refused<responses::Item>(R"({"type":"function_call","call_id":"c","name":[]})", "name",
                                 "expected string");
  check_refused<responses::Item>("[]", "", "expected");
}

TEST_CASE("from_json of an answer needs choices or output, and keeps the rest") {
  check_refused<chat::Response>(R"({"id":"c"})", "choices", "missing");
  check_refused<chat::Response>(R"({"choices":[{"message":{"content":true}}]})", "choices[0].message.content",
                                "expected");
  check_refused<chat::Chunk>(R"({"choices":[{"delta":[]}]})", "choices[0].delta", "expected object");
  check_refused<completions::Response>(R"({"id":"c"})", "choices", "missing");
  check_refused<completions::Response>(R"({"choices":7})", "choices", "expected");
  check_refused<responses::Response>(R"({"id":"r"})", "output", "missing");
  check_refused<responses::Response>(R"({"output":"text"})", "output", "expected");
  check_refused<responses::Event>(R"(7)", "", "expected object");
  check_refused<models::List>(R"({"data":7})", "data", "expected");
  const auto response = from_json<chat::Response>(Json::raw(R"({"created":"today","choices":[]})")).value();
  CHECK(*response.extra.find("created") == Json::string("today"));
  CHECK(to_json(response).value().text() == R"({"choices":[],"created":"today"})");
}

TEST_CASE("from_json of an answer flags a tool call that was cut") {
  const auto response = from_json<chat::Response>(Json::raw(
      R"({"choices":[{"finish_reason":"length","message":{"tool_calls":[{"function":{"arguments":"{\"a"}}]}}]})"));
  CHECK(response.value().choices.at(0).message.tool_calls.at(0).is_incomplete());
}

TEST_CASE("from_json of embeddings puts them in the order of their inputs") {
  const auto read = from_json<embeddings::Response>(
      Json::raw(R"({"data":[{"index":1,"embedding":[1]},{"index":0,"embedding":"AAAAPw=="}]})"));
  CHECK(read.value().data.at(0).embedding == std::vector<float>{0.5F});
  CHECK(to_json(*read).and_then(from_json<embeddings::Response>).value() == *read);
  check_refused<embeddings::Response>(R"({"data":[{"index":1,"embedding":[1]}]})", "data", "0 is missing");
  for (const auto& vector : wire_index().at("vectors")) {
    if (vector.at("endpoint") != "embeddings") continue;
    INFO(vector.at("id").get<std::string>());
    const auto answer = from_json<embeddings::Response>(Json::raw(wire_file(vector))).value();
    CHECK(to_json(answer).and_then(from_json<embeddings::Response>).value() == answer);
  }
}

TEST_CASE("from_json reads lists of models") {
  const std::string text = R"({"object":"list","data":[{"id":"m","created":1,"x_unknown":1.10}]})";
  const auto list = from_json<models::List>(Json::raw(text)).value();
  CHECK(to_json(list).value().text() == text);
  CHECK(to_json(list.data.at(0)).and_then(from_json<models::Model>).value() == list.data.at(0));
}

TEST_CASE("from_json and to_json of kept responses and lists") {
  const std::string page =
      R"({"object":"list","data":[{"id":"msg_1","type":"message","role":"user","content":"Hi"}],)"
      R"("first_id":"msg_1","last_id":"msg_1","has_more":true,"x_unknown":1.10})";
  CHECK(from_json<responses::List>(Json::raw(page))
            .and_then([](const auto& list) { return to_json(list); })
            .value()
            .text() == page);
  check_refused<responses::List>(R"({"object":"list"})", "data", "missing");
  const std::string gone = R"({"id":"resp_1","object":"response","deleted":true})";
  const auto deletion = from_json<responses::Deletion>(Json::raw(gone)).value();
  CHECK(deletion.deleted);
  CHECK(to_json(deletion).value().text() == gone);
  check_refused<responses::Deletion>(R"({"deleted":true})", "id", "missing");
}

TEMPLATE_TEST_CASE("from_json refuses cut, deep and invalid text with its path", "", chat::Message,
                   chat::Request, chat::Response, chat::Chunk, completions::Request, completions::Response,
                   completions::Chunk, embeddings::Request, embeddings::Response, models::Model, models::List,
                   responses::Item, responses::Request, responses::Response, responses::Event,
                   responses::List) {
  const std::string prompt = std::is_same_v<TestType, completions::Request> ? R"("a")" : "{}";
  const std::string text =
      R"({"type":"error","role":"user","input":"a","messages":[],"choices":[],"data":[],)"
      R"("output":[],"prompt":)" +
      prompt + "}";
  REQUIRE(from_json<TestType>(Json::raw(text)));
  for (std::size_t size = 0; size < text.size(); ++size) {
    CAPTURE(size);
    CHECK_THAT(refusal<TestType>(text.substr(0, size)).detail, contains(" at byte "));
  }
  CHECK_THAT(refusal<TestType>(text + "x").detail, contains(" at byte "));
  for (const std::size_t levels : {std::size_t{300}, std::size_t{100'000}}) {
    const auto deep = text.substr(0, text.size() - 1) + R"(,"x_deep":)" + std::string(levels, '[') +
                      std::string(levels, ']') + "}";
    CHECK_THAT(refusal<TestType>(deep).detail, contains("nested too deeply"));
  }
}

TEST_CASE("a chat::Request survives to_json and from_json") {
  chat::Request request{.model = "m", .messages = {chat::user("Name a river.")}, .temperature = 0.1};
  request.messages.push_back(
      {.role = "assistant", .tool_calls = {{.id = "c", .function = chat::FunctionCall{.name = "f"}}}});
  request.extra.set("min_p", Json::raw("0.050"));
  const auto stored = to_json(request).value().text();
  CHECK(Json::parse(stored).and_then(from_json<chat::Request>).value() == request);
}

TEST_CASE("to_json and from_json take vectors of messages and items") {
  const std::vector<chat::Message> messages{chat::user("Name a river."), chat::assistant("The Rhine.")};
  const auto stored = to_json(messages).value();
  CHECK(stored.text() ==
        R"([{"role":"user","content":"Name a river."},{"role":"assistant","content":"The Rhine."}])");
  CHECK(from_json<std::vector<chat::Message>>(stored).value() == messages);
  const std::vector<responses::Item> items{responses::user("Name a river."),
                                           responses::FunctionCall{.call_id = "c", .name = "f"},
                                           Unknown{Json::raw(R"({"type":"novelty"})")}};
  CHECK(to_json(items).and_then(from_json<std::vector<responses::Item>>).value() == items);
  CHECK(to_json(std::vector<responses::Item>()).value().text() == "[]");

  check_refused<std::vector<chat::Message>>(R"([{"role":"user"},{"role":5}])", "[1].role", "expected string");
  check_refused<std::vector<chat::Message>>(R"([null])", "[0]", "expected object");
  check_refused<std::vector<chat::Message>>(R"([{"role":"user"})", "", " at byte ");
  check_refused<std::vector<responses::Item>>(R"([{"type":"function_call","name":[]}])", "[0].name",
                                              "expected string");
  for (const auto* no_list : {"{}", "7", "null"}) {
    check_refused<std::vector<chat::Message>>(no_list, "", "expected array");
    check_refused<std::vector<responses::Item>>(no_list, "", "expected array");
  }
  const auto unsent = to_json(std::vector{chat::user("a"), chat::user("\xFF")});
  REQUIRE_FALSE(unsent);
  CHECK(unsent.error().path == "[1].content");
}

TEST_CASE("from_json and to_json work beside nlohmann's functions of the same name") {
  const nlohmann::json value = {{"role", "user"}, {"content", "Hi"}};
  CHECK(from_json<chat::Message>(value).value() == chat::user("Hi"));
  CHECK(inferwire::from_json<chat::Message>(value.get<Json>()).value() == chat::user("Hi"));
  const nlohmann::json list = std::vector<Json>{Json::raw("1"), to_json(chat::user("Hi")).value()};
  CHECK(list.at(1) == value);
  CHECK(list.get<std::vector<Json>>().at(0) == Json::raw("1"));
  CHECK(value.get<std::map<std::string, std::string>>().at("content") == "Hi");
}

TEST_CASE("to_json may be qualified with inferwire, like from_json") {
  const auto check = [](const auto& value) {
    const auto qualified = inferwire::to_json(value);
    REQUIRE(qualified);
    CHECK(qualified->text() == to_json(value)->text());  // `using namespace inferwire` is in effect here
  };
  const chat::Request request{.model = "m", .messages = {chat::user("Hi")}};
  const std::vector<responses::Item> items{responses::user("Hi")};
  check(Bridge{3});
  check(request);
  check(request.messages);
  check(request.messages[0]);
  check(items);
  check(items[0]);
  check(responses::user("Hi"));
  check(responses::Request{.model = "m", .input = items});
  check(responses::Deletion{.id = "r"});
  check(completions::Request{.model = "m", .prompt = "Hi"});
  check(embeddings::Request{.model = "m", .input = "Hi"});
  check(models::Model{.id = "m"});
}

TEST_CASE("from_json takes only types that have to_json") {
  STATIC_REQUIRE(Readable<chat::Request>);
  STATIC_REQUIRE_FALSE(Readable<chat::Choice>);
  STATIC_REQUIRE_FALSE(Readable<std::string>);
}

TEST_CASE("from_json takes text as well as Json") {
  CHECK(from_json<chat::Message>(R"({"role":"user","content":"Hello"})") == chat::user("Hello"));
  CHECK(from_json<chat::Message>(std::string("{")).error().kind == ErrorKind::decode);
  CHECK(from_json<chat::Message>(R"({"role":5})").error().path == "role");
}
