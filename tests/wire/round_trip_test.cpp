// Every recorded answer, with unknown members put into each of its objects, goes through the structs and
// comes out the same: as JSON values what is known, byte for byte what is not.
#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

#include "inferwire/chat.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/responses.hpp"
#include "json/codec.hpp"
#include "support/catch.hpp"
#include "wire/documents.hpp"
#include "wire/embeddings.hpp"
#include "wire/vectors.hpp"

namespace {

using nlohmann::json;
using nlohmann::ordered_json;
namespace chat = inferwire::chat;
namespace completions = inferwire::completions;
namespace responses = inferwire::responses;
using inferwire_test::wire_file;

constexpr std::string_view mark = "@unknown@";
constexpr std::string_view unknown = R"({"z": 1.10,"a":[12345678901234567890123, "\u00e4"],  "e":1E2})";

/// Puts a member that nobody knows into every object.
void spread(ordered_json& value) {
  if (value.is_primitive()) return;
  for (auto& item : value.items()) spread(item.value());
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

/// What is promised to come out equal. Nulls of known members may be dropped; three spellings become the
/// usual one: arguments that came as an object are sent as text, logprobs that LMI 0.29 wrapped in a list are
/// not, and finishReason, of Databricks' workspace API, is finish_reason.
json comparable(const json& value, std::string_view name = {}) {
  if (name == "arguments" && value.is_string()) {
    auto parsed = json::parse(value.get<std::string>(), nullptr, false);
    return parsed.is_discarded() ? value : comparable(parsed);
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
    const auto key = item.key() == "finishReason" ? std::string("finish_reason") : item.key();
    if (!item.value().is_null()) out[key] = comparable(item.value(), key);
  }
  return out;
}

template <class T>
void check(const std::string& document) {
  const auto sent = with_unknown_members(document);
  const auto decoded = inferwire::json::decode<T>(sent);
  if (!decoded) FAIL(decoded.error().message());
  const auto encoded = inferwire::json::encode(*decoded);
  if (!encoded) FAIL(encoded.error().message());
  CHECK(comparable(json::parse(*encoded)) == comparable(json::parse(sent)));
  // In arguments, which are text by now, the quotes are escaped.
  const auto in_arguments = count(*encoded, R"({\"z\": 1.10,\"a\":[12345678901234567890123, )");
  CHECK(count(*encoded, unknown) + in_arguments == count(sent, unknown));
  const auto again = inferwire::json::decode<T>(*encoded);
  REQUIRE(again);
  CHECK(*again == *decoded);
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
    } else if (endpoint == "completions") {
      check<completions::Response>(wire_file(vector));
    } else if (endpoint == "responses") {
      check<responses::Response>(wire_file(vector));
    } else {
      continue;  // rows of numbers have a decoder, and tests, of their own
    }
    ++checked;
  }
  CHECK(checked >= 20);
}

TEST_CASE("so do the chunks and events of recorded streams") {
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
