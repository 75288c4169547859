// Every recorded document, with unknown members added to each of its objects, is decoded and encoded
// unchanged: known members as equal JSON values, unknown ones byte for byte.
#include "inferwire/chat.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "support/catch.hpp"
#include "wire/vectors.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using namespace inferwire;
using namespace inferwire_test;

constexpr std::string_view mark = "@unknown@";
constexpr std::string_view unknown = R"({"z": 1.10,"a":[12345678901234567890123, "\u00e4"],  "e":1E2})";

/// Members that map any names to values of one type: a member of another type would not be unknown there.
constexpr std::string_view dictionaries[] = {"metadata", "usage_context", "logit_bias"};

/// Adds an unknown member to every object.
void spread(ordered_json& value) {
  if (value.is_primitive()) return;
  for (auto& item : value.items()) {
    if (std::ranges::count(dictionaries, item.key()) == 0) spread(item.value());
  }
  if (value.is_object()) value["x_unknown"] = mark;
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

std::string with_unknown_members(const std::string& document) {
  auto value = ordered_json::parse(document);
  spread(value);
  auto text = value.dump();
  const auto quoted = '"' + std::string(mark) + '"';
  for (auto at = text.find(quoted); at != text.npos; at = text.find(quoted, at + unknown.size())) {
    text.replace(at, quoted.size(), unknown);
  }
  return text;
}

/// The expected document. Nulls of known members may be dropped; six spellings become the usual one:
/// arguments and content sent as objects become text, logprobs that LMI 0.29 wrapped in a list are unwrapped,
/// finishReason of Databricks' workspace API becomes finish_reason, the inputs of LMI become the input, and
/// the nested text.format of Databricks' documents becomes flat.
json comparable(const json& value, std::string_view name = {}) {
  if ((name == "arguments" || name == "content") && value.is_string()) {
    auto parsed = json::parse(value.get<std::string>(), nullptr, false);
    return parsed.is_object() ? comparable(parsed) : value;
  }
  if (value.is_array()) {
    if (name == "logprobs" && value.size() == 1 && value.front().is_object())
      return comparable(value.front());
    auto out = json::array();
    for (const auto& element : value) out.push_back(comparable(element));
    return out;
  }
  if (!value.is_object()) return value;
  auto out = json::object();
  for (const auto& item : value.items()) {
    const auto key = item.key() == "finishReason" ? "finish_reason"
                     : item.key() == "inputs"     ? "input"
                                                  : item.key();
    if (!item.value().is_null()) out[key] = comparable(item.value(), key);
  }
  if (name == "format" && out.contains("json_schema")) {
    out.update(json(out["json_schema"]));
    out.erase("json_schema");
  }
  return out;
}

template <class T>
void check(const std::string& document) {
  const auto sent = with_unknown_members(document);
  const auto decoded = from_json<T>(Json::raw(sent));
  if (!decoded) FAIL(decoded.error().message());
  const auto encoded = to_json(*decoded);
  if (!encoded) FAIL(encoded.error().message());
  const auto& text = encoded->text();
  CHECK(comparable(json::parse(text)) == comparable(json::parse(sent)));
  // In objects that have become text, the quotes are escaped.
  const auto in_text = count(text, R"({\"z\": 1.10,\"a\":[12345678901234567890123, )");
  CHECK(count(text, unknown) + in_text == count(sent, unknown));
  const auto again = from_json<T>(*encoded);
  REQUIRE(again);
  CHECK(*again == *decoded);
}

/// Every message of an answer can be stored, and is equal when it is read again.
void check_messages(const std::string& answer) {
  const auto response = from_json<chat::Response>(Json::raw(answer)).value();
  for (const auto& choice : response.choices) {
    for (const auto& message : {choice.message, choice.message.as_request()}) {
      CHECK(to_json(message).and_then(inferwire::from_json<chat::Message>).value() == message);
    }
  }
}

void check_items(const std::string& answer) {
  const auto response = from_json<responses::Response>(Json::raw(answer)).value();
  for (const auto& items : {response.output, response.to_input_items()}) {
    for (const auto& item : items) {
      CHECK(responses::to_json(item).and_then(inferwire::from_json<responses::Item>).value() == item);
    }
  }
}

}  // namespace

TEST_CASE("recorded answers with unknown members everywhere survive decoding and encoding") {
  std::size_t checked = 0;
  for (const json& vector : inferwire_test::wire_index().at("vectors")) {
    if (vector.at("mode") != "json") continue;
    INFO(vector.at("id").get<std::string>());
    const auto endpoint = vector.at("endpoint").get<std::string>();
    if (endpoint == "chat") {
      check<chat::Response>(wire_file(vector));
      check_messages(wire_file(vector));
    } else if (endpoint == "completions") {
      check<completions::Response>(wire_file(vector));
    } else if (endpoint == "responses") {
      check<responses::Response>(wire_file(vector));
      check_items(wire_file(vector));
    } else {
      continue;  // rows of numbers have several forms: see embeddings_test
    }
    ++checked;
  }
  CHECK(checked >= 20);
}

TEST_CASE("documented requests with unknown members survive decoding and encoding") {
  std::size_t checked = 0;
  for (const json& vector : inferwire_test::wire_index().at("requests")) {
    INFO(vector.at("id").get<std::string>());
    const auto endpoint = vector.at("endpoint").get<std::string>();
    if (endpoint == "chat") check<chat::Request>(wire_file(vector));
    if (endpoint == "completions") check<completions::Request>(wire_file(vector));
    if (endpoint == "embeddings") check<embeddings::Request>(wire_file(vector));
    if (endpoint == "responses") check<responses::Request>(wire_file(vector));
    ++checked;
  }
  CHECK(checked >= 20);
}

TEST_CASE("recorded chunks and events with unknown members survive decoding and encoding") {
  std::size_t checked = 0;
  for (const json& vector : inferwire_test::wire_index().at("vectors")) {
    if (vector.at("mode") != "sse") continue;
    INFO(vector.at("id").get<std::string>());
    const auto endpoint = vector.at("endpoint").get<std::string>();
    for (const auto& data : inferwire_test::stream_data(wire_file(vector))) {
      if (data == "[DONE]" || !json::accept(data) || json::parse(data).contains("error")) continue;
      INFO(data);
      if (endpoint == "chat") check<chat::Chunk>(data);
      if (endpoint == "completions") check<completions::Chunk>(data);
      if (endpoint == "responses") check<responses::Event>(data);
      ++checked;
    }
  }
  CHECK(checked > 100);
}
