// Answers of providers through a Client, in pieces: each cut gives the outcome and the facts of its vector.
#include "driver/operations.hpp"
#include "driver/vectors.hpp"
#include "inferwire/data_uri.hpp"
#include "support/base64.hpp"
#include "support/catch.hpp"
#include "wire/vectors.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>

namespace {

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;

/// Facts that `replay` gives; the others are the codec's, and tests/wire checks them.
constexpr std::string_view facts[] = {"text",
                                      "reasoning",
                                      "refusal",
                                      "finish_reason",
                                      "finish_reason_raw",
                                      "usage",
                                      "tool_calls",
                                      "id",
                                      "model",
                                      "status",
                                      "texts",
                                      "dims",
                                      "first",
                                      "vectors",
                                      "incomplete_reason",
                                      "encrypted_reasoning",
                                      "error"};

std::string without_edges(const std::string& text) {
  constexpr std::string_view white = " \t\r\n";
  const auto first = text.find_first_not_of(white);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(white) - first + 1);
}

/// `reply` with its `x_b64` as `x`.
json plain(const json& reply) {
  if (reply.is_array()) {
    json out = json::array();
    for (const auto& item : reply) out.push_back(plain(item));
    return out;
  }
  if (!reply.is_object()) return reply;
  json out = json::object();
  for (const auto& [name, value] : reply.items()) {
    if (name.ends_with("_b64")) {
      out[name.substr(0, name.size() - 4)] = from_base64(value.get<std::string>());
    } else {
      out[name] = plain(value);
    }
  }
  return out;
}

/// What `replay` answers the call of.
struct Answer {
  json operation{};
  std::string body{};
};

Answer answer_of(const json& vector) {
  const auto mode = vector.at("mode").get<std::string>();
  Answer answer{
      .operation = {{"op", "replay"},
                    {"provider", dialect_of(vector)},
                    {"endpoint", vector.at("endpoint") == "error" ? json("chat") : vector["endpoint"]},
                    {"mode", mode == "json" || mode == "http_error" ? "create" : "stream"},
                    {"status", vector.at("status")},
                    {"headers", json::array({{"Content-Type", vector.value("content_type", "")}})}},
      .body = wire_file(vector)};
  for (const auto& header : vector.value("headers", json::array()))
    answer.operation["headers"].push_back(header);
  if (mode == "eventstream") answer.body = from_base64(answer.body);
  if (mode == "http_error") {
    const auto envelope = json::parse(answer.body);
    answer.operation["status"] = envelope.at("status");
    answer.operation["reason"] = envelope.value("reason", "");
    answer.operation["headers"] = envelope.at("headers");
    answer.body = envelope.contains("body_base64") ? from_base64(envelope["body_base64"].get<std::string>())
                                                   : envelope.at("body").get<std::string>();
  }
  return answer;
}

json in_pieces(const std::string& body, std::size_t size) {
  json pieces = json::array();
  for (std::size_t at = 0; at < body.size(); at += size) pieces.push_back(to_base64(body.substr(at, size)));
  return pieces;
}

bool is_nothing(const json& fact) { return fact.empty() || fact == "" || fact == 0; }

void check_fact(const std::string& name, const json& expected, const json& found);

void check_members(const json& expected, const json& found) {
  for (const auto& [name, value] : expected.items()) {
    if (name == "retry_after") continue;  // as it stands in the header; retry_after_s is what it means
    check_fact(name, value, found.is_object() && found.contains(name) ? found[name] : json());
  }
}

void check_fact(const std::string& name, const json& expected, const json& found) {
  INFO(name << " = " << found << ", not " << expected);
  if (name == "first") {
    REQUIRE(found.size() >= expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(std::abs(found[i].get<double>() - expected[i].get<double>()) < 1e-5);
    }
  } else if (name == "usage" && expected.is_object()) {
    for (const auto& [count, value] : expected.items()) CHECK(found.value(count, 0) == value);
  } else if (name == "error" && expected.is_object()) {
    auto error = found;
    if (error.contains("retry_after_ms"))
      error["retry_after_s"] = error["retry_after_ms"].get<std::int64_t>() / 1000;
    check_members(expected, error);
  } else if (name == "tool_calls") {
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) check_members(expected[i], found[i]);
  } else if (expected.is_string() && found.is_string()) {
    CHECK(without_edges(found.get<std::string>()) == without_edges(expected.get<std::string>()));
  } else if (expected.is_null() || found.is_null()) {
    CHECK((is_nothing(expected) && is_nothing(found)));
  } else {
    CHECK(found == expected);
  }
}

void check(const json& vector, const json& reply) {
  const auto named = vector.at("outcome").get<std::string>();
  const auto outcome = named == "tolerated" ? "ok" : named;
  INFO(reply);
  REQUIRE(reply.value("outcome", "") == outcome);
  const auto& expected = vector.at("expect");
  for (const auto name : facts) {
    if (!expected.contains(name)) continue;
    const std::string place(name == "id" ? "response_id" : name);
    check_fact(std::string(name), expected[std::string(name)], reply.value(place, json()));
  }
}

}  // namespace

TEST_CASE("replayed answers of providers have the facts of their vectors, however they are cut") {
  for (const auto* const list : {"vectors", "malformed"}) {
    for (const auto& vector : wire_index().at(list)) {
      INFO(vector.at("id"));
      auto [operation, body] = answer_of(vector);
      for (const std::size_t size : {body.size() + 1, std::size_t{64}, std::size_t{7}, std::size_t{1}}) {
        INFO("in pieces of " << size);
        operation["chunks"] = in_pieces(body, size);
        check(vector, plain(inferwire_driver::answer(operation)));
      }
    }
  }
}
