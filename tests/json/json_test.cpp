#include "inferwire/json.hpp"

#include "inferwire/chat.hpp"
#include "inferwire/nlohmann.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <limits>
#include <sstream>

namespace {

using namespace inferwire;

TEST_CASE("Json keeps text byte for byte") {
  const auto [text] =
      GENERATE(table<std::string>({{"12345678901234567890123"}, {"1.10"}, {"{\"b\": 1,  \"a\":\t[ ]}"}}));
  const auto parsed = Json::parse(text);
  REQUIRE(parsed);
  CHECK(parsed->text() == text);
  CHECK(Json::parse(" \n" + text + "\t")->text() == text);
}

TEST_CASE("Json::parse names the byte of an error") {
  const auto [text, detail] = GENERATE(table<std::string, std::string>({
      {"", "empty document at byte 0"},
      {"  ", "empty document at byte 2"},
      {"{\"a\":tru}", "unexpected character at byte 8"},
      {"{\"a\":01}", "number with a leading zero at byte 6"},
      {"[1,2", "unexpected end at byte 4"},
      {"{} x", "more text after the document at byte 3"},
      {"\"a\xFF\"", "invalid UTF-8 at byte 2"},
      {"\"a\nb\"", "control character in a string at byte 2"},
      {"\"a\\qb\"", "invalid escape at byte 2"},
      {"[NaN]", "unexpected character at byte 1"},
      {std::string(257, '[') + std::string(257, ']'), "nested too deeply at byte 256"},
      {std::string(100000, '['), "nested too deeply at byte 256"},
  }));
  const auto parsed = Json::parse(text);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().kind == ErrorKind::decode);
  CHECK(parsed.error().detail == detail);
}

TEST_CASE("Json::parse takes 256 levels") {
  CHECK(Json::parse(std::string(256, '[') + std::string(256, ']')));
}

TEST_CASE("Json::find takes JSON pointers, and names of members") {
  const Json json =
      *Json::parse(R"({"a":{"b/c":[10,{"~":true}],"":"empty"},"a\n":1,"d":1,"d":2,"e/f~1":3,"e":{"f/":4}})");
  const auto [pointer, expected] = GENERATE(table<std::string, std::optional<std::string>>({
      {"/a/b~1c/0", "10"},
      {"/a/b~1c/1/~0", "true"},
      {"/a/", "\"empty\""},
      {"/a\n", "1"},
      {"/d", "2"},  // the last of two members
      {"/a/b~1c/2", std::nullopt},
      {"/a/b~1c/-", std::nullopt},
      {"/a/b~1c/00", std::nullopt},
      {"/a/b~1c/01", std::nullopt},
      {"/missing", std::nullopt},
      {"/d/0", std::nullopt},
      {"d", "2"},
      {"a\n", "1"},
      {"e/f~1", "3"},
      {"b/c", std::nullopt},
  }));
  INFO(pointer);
  const auto found = json.find(pointer);
  REQUIRE(found.has_value() == expected.has_value());
  if (found) CHECK(found->text() == *expected);
  CHECK(json.find("")->text() == json.text());
}

TEST_CASE("as_string, as_int and others give nothing for another type") {
  const Json text = Json::string("7");
  CHECK(text.as_string() == "7");
  CHECK_FALSE(text.as_int());
  CHECK_FALSE(text.as_double());
  CHECK_FALSE(text.as_bool());
  CHECK(text.items().empty());
  CHECK(text.members().empty());
  CHECK(Json::raw("[1,2]").members().empty());
  CHECK(Json::raw("{\"a\":1}").items().empty());
  CHECK(Json::raw("[1,").items().size() == 1);  // raw() trusts its text, which may be malformed
  CHECK(Json{}.is_null());
}

TEST_CASE("as_int reads a number that is an integer in any notation") {
  const auto [text, expected] = GENERATE(table<std::string, Optional<std::int64_t>>({
      {"12", 12},
      {" -1.20e1 ", -12},
      {"1e18", 1'000'000'000'000'000'000},
      {"-9223372036854775808", INT64_MIN},
      {"9223372036854775808", std::nullopt},
      {"-9223372036854775809.0", std::nullopt},
      {"1.5", std::nullopt},
      {"4503599627370496.3", std::nullopt},
      {"1.00000000000000000001", std::nullopt},
      {"1e-400", std::nullopt},
      {"01", std::nullopt},
      {"[1]", std::nullopt},
  }));
  CAPTURE(text);
  CHECK(Json::raw(text).as_int() == expected);
}

TEST_CASE("Extra keeps order, replaces in place and finds the last of two") {
  Extra extra;
  extra.append("a", Json::raw("1"));
  extra.append("b", Json::raw("2"));
  extra.append("a", Json::raw("3"));
  CHECK(extra.find("a")->text() == "3");
  extra.set("b", Json::raw("4"));
  extra.set("c", Json{});
  REQUIRE(extra.size() == 4);
  CHECK(extra.begin()[1].value.text() == "4");
  extra.erase("a");
  CHECK(extra.size() == 2);
  CHECK(extra.find("a") == nullptr);
}

TEST_CASE("Extra is made of a list of members") {
  const Extra extra{{"a", Json::raw("1")}, {"b", Json::raw("2")}, {"a", Json::raw("3")}};
  REQUIRE(extra.size() == 2);
  CHECK(extra.begin()->name == "a");
  CHECK(extra.find("a")->text() == "3");
  CHECK(Extra({}).empty());
  CHECK(Extra(extra) == extra);
}

TEST_CASE("Json is made of numbers, booleans and strings") {
  CHECK(Json::number(5).text() == "5");
  CHECK(Json::number(std::int64_t{-5}).text() == "-5");
  CHECK(Json::number(std::numeric_limits<std::uint64_t>::max()).text() == "18446744073709551615");
  CHECK(Json::number(0.05).text() == "0.05");
  CHECK(Json::number(0.05F).text() == "0.05");
  CHECK(Json::number(1.7e9).text() == "1700000000");
  CHECK(Json::number(1e22).as_double() == 1e22);
  CHECK(Json::boolean(true).text() == "true");
  CHECK(Json::boolean(false).text() == "false");

  const auto number_of = [](auto value) { return requires { Json::number(value); }; };
  const auto boolean_of = [](auto value) { return requires { Json::boolean(value); }; };
  CHECK_FALSE(number_of(true));
  CHECK_FALSE(number_of('5'));
  CHECK_FALSE(number_of("5"));
  CHECK_FALSE(boolean_of("false"));
  CHECK_FALSE(boolean_of(1));
}

TEST_CASE("Json::number of NaN or infinity is refused when it is sent") {
  constexpr auto infinite = std::numeric_limits<double>::infinity();
  for (const double number : {infinite, -infinite, std::numeric_limits<double>::quiet_NaN()}) {
    const auto json = GENERATE_COPY(Json::number(number), Json::number(static_cast<float>(number)));
    CHECK_FALSE(json.is_null());
    CHECK_FALSE(json.is_number());
    chat::Request request;
    request.extra.set("min_p", json);
    const auto sent = to_json(request);
    REQUIRE_FALSE(sent);
    CHECK(sent.error().kind == ErrorKind::invalid_request);
    CHECK(sent.error().path == "min_p");
  }
}

TEST_CASE("Json goes into an ostream as its text") {
  std::ostringstream out;
  out << Json::raw("[1.10]") << '\n';
  CHECK(out.str() == "[1.10]\n");
}

TEST_CASE("Json::one_line has no line breaks") {
  CHECK(Json::raw("{\n  \"a\": 1,\r\n  \"b\": \"\\n\"}").one_line() == "{   \"a\": 1,    \"b\": \"\\n\"}");
  chat::Chunk chunk;
  chunk.extra.set("more", Json::raw("{\n\n}"));
  CHECK(to_json(chunk)->one_line().find('\n') == std::string::npos);
}

TEST_CASE("Json and nlohmann::json convert into each other") {
  const nlohmann::ordered_json schema = {{"type", "object"}, {"b", 1}, {"a", {1.5, nullptr, true}}};
  const chat::FunctionDefinition function{.name = "f", .parameters = schema};
  CHECK(function.parameters->text() == R"({"type":"object","b":1,"a":[1.5,null,true]})");
  const nlohmann::ordered_json back = *function.parameters;
  CHECK(back == schema);
  CHECK(to_inferwire(nlohmann::json{{"x", 1}}).text() == R"({"x":1})");
  CHECK(nlohmann::json("\xFF").get<Json>().text() == "\"\xEF\xBF\xBD\"");
}

TEST_CASE("Json that is not valid becomes a discarded nlohmann value") {
  const nlohmann::json value = Json::raw("{\"cut\":");
  CHECK(value.is_discarded());
}

TEST_CASE("Json with a number beyond the range of a double becomes a discarded nlohmann value") {
  for (const std::string text : {"1e400", "-1e400", R"({"a":[1e400],"b":"fine"})"}) {
    CAPTURE(text);
    const auto json = Json::parse(text);
    REQUIRE(json);
    CHECK(nlohmann::json(*json).is_discarded());
    CHECK(nlohmann::ordered_json(*json).is_discarded());
  }
  CHECK(nlohmann::json(Json::raw("1e-400")) == 0.0);
  CHECK(nlohmann::json(Json::raw("12345678901234567890123")) == 12345678901234567890123.0);
}

}  // namespace
