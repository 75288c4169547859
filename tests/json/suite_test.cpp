// The public JSON test suite, run through the check and through the decoder.
#include "inferwire/json.hpp"
#include "inferwire/nlohmann.hpp"
#include "json/codec.hpp"
#include "support/base64.hpp"
#include "support/catch.hpp"
#include "support/fixtures.hpp"
#include "wire/documents.hpp"

#include <nlohmann/json.hpp>

namespace {

using namespace inferwire;

struct Case {
  std::string name;
  std::string expect;  // "accept", "reject" or "either"
  std::string text;
};

const std::vector<Case>& suite() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> out;
    for (const auto& c : nlohmann::json::parse(inferwire_test::fixture("json_suite.json"))) {
      std::string text = inferwire_test::from_base64(c.value("input_base64", ""));
      for (const auto& part :
           c.value("input_parts", nlohmann::json::array())) {  // bytes, and their repetitions
        const std::string bytes = inferwire_test::from_base64(part.at(0).get<std::string>());
        for (int i = part.at(1).get<int>(); i > 0; --i) text += bytes;
      }
      out.push_back({c.at("name"), c.at("expect"), text});
    }
    return out;
  }();
  return cases;
}

/// Converts `value` to nlohmann's type with the read API.
nlohmann::json by_read_api(const Json& value) {
  if (value.is_object()) {
    nlohmann::json out = nlohmann::json::object();
    for (const Member& member : value.members()) out[member.name] = by_read_api(member.value);
    return out;
  }
  if (value.is_array()) {
    nlohmann::json out = nlohmann::json::array();
    for (const Json& item : value.items()) out.push_back(by_read_api(item));
    return out;
  }
  if (value.is_string()) return value.as_string().value();
  if (value.is_bool()) return value.as_bool().value();
  if (value.is_number()) return value.as_double().value();
  return nullptr;
}

TEST_CASE("json::check accepts and refuses the JSON suite as it says") {
  REQUIRE(suite().size() > 300);
  for (const Case& c : suite()) {
    INFO(c.name);
    const bool accepted = json::check(c.text).has_value();
    CHECK(Json::parse(c.text).has_value() == accepted);
    if (c.expect == "accept") CHECK(accepted);
    if (c.expect == "reject") CHECK_FALSE(accepted);
  }
}

TEST_CASE("the decoder refuses an unknown member exactly when json::check does") {
  for (const Case& c : suite()) {
    INFO(c.name);
    const std::string text = R"({"id":"a","unknown":)" + c.text + R"(,"model":"m"})";
    const bool accepted = json::check(text).has_value();
    const auto chunk = json::decode<chat::Chunk>(text);
    CHECK(chunk.has_value() == accepted);
    if (!chunk) CHECK(chunk.error().detail.find(" at byte ") != std::string::npos);
    if (chunk && chunk->extra.size() == 1) {
      CHECK(chunk->model == "m");
      CHECK(chunk->extra.find("unknown")->text() == json::trim(c.text));
    }
  }
}

TEST_CASE("Json reads the same values from the JSON suite as nlohmann") {
  std::size_t compared = 0;
  for (const Case& c : suite()) {
    const auto expected = nlohmann::json::parse(c.text, nullptr, false);
    const auto parsed = Json::parse(c.text);
    if (expected.is_discarded() || !parsed || c.text.starts_with("\xEF\xBB\xBF")) continue;
    INFO(c.name);
    CHECK(by_read_api(*parsed) == expected);
    ++compared;
  }
  CHECK(compared > 90);
}

}  // namespace
