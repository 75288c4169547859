// Runs every vector of tests/fixtures/sse_vectors.json, cut in every way. The vectors repeat the public
// suites (web-platform-tests, Chromium, .NET, ...), or follow the HTML standard; each names its source.
#include "protocol/sse_events.hpp"
#include "protocol/vectors.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace inferwire_test;
using nlohmann::json;

namespace {

const json& vectors() {
  static const json all = inferwire_test::vectors_of("sse_vectors.json");
  return all;
}

/// The digits of a number that may be too large for every integer type.
std::string digits_of(const json& number) {
  if (number.is_null()) return {};
  return number.is_number_float() ? "123456789012345678901234567890" : number.dump();
}

SeenStream expectation(const json& vector, const json& events) {
  SeenStream expected;
  for (const auto& event : events) {
    expected.events.push_back({text_of(event, "event"), text_of(event, "data"), text_of(event, "id"),
                               digits_of(event.value("retry", json())), 0});
  }
  expected.last_event_id = vector["expected_last_event_id"].get<std::string>();
  expected.retry = digits_of(vector["expected_retry"]);
  return expected;
}

/// What the parser has to give. It passes on bytes that are not UTF-8, which such vectors accept as a
/// variant.
SeenStream expectation(const json& vector) {
  auto expected = expectation(vector, vector["expected"]);
  if (vector.contains("also_accept")) {
    expected = expectation(vector, vector["also_accept"][0]["expected"]);
    if (!expected.events.empty()) {
      expected.last_event_id = expected.events.back().id;
    }
  }
  return expected;
}

}  // namespace

TEST_CASE("every event stream of the vectors is read the same under every split") {
  REQUIRE(vectors().size() == 254);
  for (const auto& vector : vectors()) {
    const auto name = vector["name"].get<std::string>();
    const auto input = input_of(vector);
    const auto expected = expectation(vector);
    for (const auto& cut : cuts_of(vector, input.size())) {
      inferwire::protocol::SseParser parser;
      if (vector.contains("initial_last_event_id")) {
        parser.start_after(vector["initial_last_event_id"].get<std::string>());
      }
      const auto seen = parse_in_pieces(std::move(parser), input, cut);
      if (seen != expected) {
        CAPTURE(name, cut, seen.events.size(), seen.last_event_id, seen.retry);
        REQUIRE(seen == expected);
      }
    }
    SUCCEED(name);
  }
}

TEST_CASE("SseParser gives an event with the byte that ends it") {
  for (const auto& vector : vectors()) {
    const auto input = input_of(vector);
    if (input.size() > 4096) continue;
    inferwire::protocol::SseParser parser;
    std::vector<std::size_t> every_byte(input.size());
    for (std::size_t i = 0; i < input.size(); ++i) every_byte[i] = i + 1;
    const auto seen = parse_in_pieces(std::move(parser), input, every_byte);
    const auto due = vector["dispatch_by"].get<std::vector<std::size_t>>();
    CAPTURE(vector["name"].get<std::string>());
    REQUIRE(seen.events.size() == due.size());
    for (std::size_t i = 0; i < due.size(); ++i) REQUIRE(seen.events[i].at <= due[i]);
  }
}
