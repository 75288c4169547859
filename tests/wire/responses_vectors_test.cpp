// Recorded and documented answers of the Responses API: each is decoded or refused according to its vector,
// and has the expected facts.
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "support/catch.hpp"
#include "wire/documents.hpp"
#include "wire/facts.hpp"
#include "wire/vectors.hpp"

#include <nlohmann/json.hpp>

namespace {

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;

/// The facts of `response` that a vector may contain.
json facts_of(const responses::Response& response) {
  json out = {
      {"text", response.output_text()}, {"id", response.id},        {"reasoning", response.reasoning_text()},
      {"refusal", response.refusal()},  {"finish_reason", nullptr}, {"usage", nullptr},
      {"tool_calls", json::array()}};
  if (response.status) out["status"] = response.status->str();
  if (response.finish() != Finish::none) out["finish_reason"] = name(response.finish());
  if (response.incomplete_details) out["incomplete_reason"] = response.incomplete_details->reason;
  if (const auto& error = response.error) out["error"] = {{"code", error->code}, {"message", error->message}};
  if (const auto& usage = response.usage) {
    out["usage"] = {{"prompt", count(usage->prompt())},
                    {"completion", count(usage->completion())},
                    {"total", count(usage->total())},
                    {"cached", usage->cached().value_or(0)},
                    {"reasoning", count(usage->reasoning())}};
  }
  for (const auto* call : response.tool_calls()) {
    const auto arguments = call->parsed_arguments();
    out["tool_calls"].push_back({{"id", call->call_id},
                                 {"name", call->name},
                                 {"arguments", arguments ? json::parse(arguments->text()) : json()}});
  }
  for (const auto& item : response.output) {
    const auto* const reasoning = std::get_if<responses::Reasoning>(&item);
    if (reasoning != nullptr && reasoning->encrypted_content) {
      out["encrypted_reasoning"] = *reasoning->encrypted_content;
    }
  }
  return out;
}

std::vector<json> vectors(const char* list, const char* mode) {
  std::vector<json> found;
  for (const json& vector : wire_index().at(list)) {
    if (vector.at("endpoint") != "responses") continue;
    if (mode == nullptr || vector.at("mode") == mode) found.push_back(vector);
  }
  REQUIRE_FALSE(found.empty());
  return found;
}

json without_nulls(json value) {
  if (value.is_object()) {
    json out = json::object();
    for (const auto& [key, member] : value.items()) {
      if (!member.is_null()) out[key] = without_nulls(member);
    }
    return out;
  }
  if (value.is_array()) {
    for (auto& element : value) element = without_nulls(element);
  }
  return value;
}

template <class T>
void check_round_trip(const std::string& text) {
  const auto decoded = inferwire::json::decode<T>(text);
  if (!decoded) FAIL(decoded.error().message());
  const auto encoded = inferwire::json::encode(*decoded);
  if (!encoded) FAIL(encoded.error().message());
  CHECK(without_nulls(json::parse(*encoded)) == without_nulls(json::parse(text)));
  const auto again = inferwire::json::decode<T>(*encoded);
  REQUIRE(again);
  CHECK(*again == *decoded);
}

TEST_CASE("answers of the Responses API give the facts that their vectors state") {
  for (const auto* list : {"vectors", "malformed"}) {
    for (const json& vector : vectors(list, "json")) {
      INFO(vector.at("id").get<std::string>());
      const auto response = inferwire::json::decode<responses::Response>(wire_file(vector));
      if (vector.at("outcome") == "decode_error") {
        REQUIRE_FALSE(response);
        CHECK(response.error().kind == ErrorKind::decode);
        CHECK(response.error().path == "output");
        continue;
      }
      if (!response) FAIL(response.error().message());
      check_facts(vector.at("expect"), facts_of(*response));
    }
  }
}

TEST_CASE("answers of the Responses API survive decoding and encoding") {
  for (const json& vector : vectors("vectors", "json")) {
    INFO(vector.at("id").get<std::string>());
    check_round_trip<responses::Response>(wire_file(vector));
  }
}

TEST_CASE("every event of a recorded Responses stream is known and survives decoding and encoding") {
  std::size_t events = 0;
  for (const json& vector : vectors("vectors", "sse")) {
    INFO(vector.at("id").get<std::string>());
    for (const std::string& data : inferwire_test::stream_data(wire_file(vector))) {
      if (data == "[DONE]") continue;
      INFO(data);
      check_round_trip<responses::Event>(data);
      const auto event = inferwire::json::decode<responses::Event>(data);
      const bool documented = event->type() != "keepalive";  // OpenAI sends it nevertheless
      CHECK((event->get_if<responses::UnknownEvent>() == nullptr) == documented);
      CHECK(event->type() == json::parse(data).at("type").get<std::string>());
      ++events;
    }
  }
  CHECK(events > 40);
}

TEST_CASE("recorded Responses streams fold to the facts that their vectors state") {
  for (const auto* list : {"vectors", "malformed"}) {
    for (const json& vector : vectors(list, "sse")) {
      INFO(vector.at("id").get<std::string>());
      responses::Accumulator accumulator;
      std::size_t events = 0;
      for (const std::string& data : inferwire_test::stream_data(wire_file(vector))) {
        if (data == "[DONE]") break;
        const auto event = inferwire::json::decode<responses::Event>(data);
        if (!event) FAIL(event.error().message());
        accumulator.add(*event);
        ++events;
      }
      json facts = facts_of(accumulator.take(true));
      facts["events"] = events;
      check_facts(vector.at("expect"), facts);
    }
  }
}

TEST_CASE("requests of the Responses API survive decoding and encoding, flat and nested") {
  for (const json& vector : vectors("requests", nullptr)) {
    INFO(vector.at("id").get<std::string>());
    const json body = json::parse(wire_file(vector));
    const bool nested = vector.at("id").get<std::string>().ends_with("_nested");
    for (const auto reading : {inferwire::json::Reading::tolerant, inferwire::json::Reading::strict}) {
      const auto request = inferwire::json::decode<responses::Request>(body.dump(), reading);
      if (!request) FAIL(request.error().message());
      const auto spelling = nested ? inferwire::json::Spelling::nested : inferwire::json::Spelling::flat;
      const auto encoded = inferwire::json::encode(*request, {}, spelling);
      if (!encoded) FAIL(encoded.error().message());
      CHECK(json::parse(*encoded) == body);
    }
  }
}

}  // namespace
