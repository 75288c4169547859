/// \file
/// Recorded streams, whole and cut: whole ones fold to the known facts about them, and a cut is taken for a
/// complete answer only if it is one.

#include "client/cut_sizes.hpp"
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/completions.hpp"
#include "support/answered_client.hpp"
#include "support/base64.hpp"
#include "support/catch.hpp"
#include "support/mutation.hpp"
#include "wire/vectors.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using nlohmann::json;
namespace chat = inferwire::chat;

namespace {

/// The recorded streams of these endpoints, in any framing.
std::vector<json> recorded_streams(const std::set<std::string>& endpoints = {"chat", "completions"}) {
  std::vector<json> found;
  for (const auto* list : {"vectors", "malformed"}) {
    for (const auto& vector : inferwire_test::wire_index().at(list)) {
      const auto& mode = vector.at("mode");
      const bool streams = mode == "sse" || mode == "jsonl" || mode == "eventstream";
      if (streams && endpoints.contains(vector.at("endpoint"))) found.push_back(vector);
    }
  }
  return found;
}

std::string body_of(const json& vector) {
  auto body = inferwire_test::wire_file(vector);
  return vector.at("mode") == "eventstream" ? inferwire_test::from_base64(body) : body;
}

/// The media type inside an AWS event stream.
std::string inner_type(const json& vector) {
  for (const auto& header : vector.value("headers", json::array())) {
    if (header.at(0) == "X-Amzn-SageMaker-Content-Type") return header.at(1);
  }
  return "application/jsonlines";
}

inferwire::Client client_of(const json& vector, std::vector<std::string> chunks) {
  auto reply = inferwire::testing::Reply::stream(std::move(chunks));
  if (vector.at("mode") != "sse")
    reply.headers = {{"Content-Type", vector.at("content_type").get<std::string>()}};
  return inferwire_test::answering(reply.with("X-Amzn-SageMaker-Content-Type", inner_type(vector)));
}

inferwire::Collected<chat::Response> collect(const json& vector, std::vector<std::string> chunks) {
  const auto client = client_of(vector, std::move(chunks));
  return client.chat.stream({.model = "m", .messages = {chat::user("Hello")}}).collect();
}

/// The outcome of a stream of any endpoint: whether it was complete, and the folded document.
struct Outcome {
  bool complete{};
  std::string document{};
};

Outcome outcome_of(const json& vector, std::vector<std::string> chunks) {
  if (vector.at("endpoint") == "completions") {
    const auto client = client_of(vector, std::move(chunks));
    const auto collected = client.completions.stream({.model = "m", .prompt = "Hello"}).collect();
    return {static_cast<bool>(collected), to_json(collected.response).value().text()};
  }
  const auto collected = collect(vector, std::move(chunks));
  return {static_cast<bool>(collected), to_json(collected.response).value().text()};
}

/// A simple reader, for a second opinion on whether a stream is complete: it splits the text into lines and
/// blocks in one go, and reads the JSON with another library.
class PlainReader {
 public:
  PlainReader(const json& vector, const std::string& body) {
    const auto& mode = vector.at("mode");
    const bool framed = mode == "eventstream";
    const auto text = framed ? parts(body) : body;
    if (mode == "sse" || (framed && inner_type(vector) == "text/event-stream")) {
      for (const auto& data : inferwire_test::stream_data(text)) block(data);
    } else {
      read_lines(text);
    }
  }

  bool complete() const { return done_ || (finished_.contains(0) && finished_ == started_); }

 private:
  void read_lines(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) block(line);
  }

  /// Gives the payloads of whole messages.
  static std::string parts(const std::string& stream) {
    const auto number = [&stream](std::size_t at) {
      std::size_t value = 0;
      for (std::size_t i = 0; i < 4; ++i) value = value * 256 + static_cast<unsigned char>(stream[at + i]);
      return value;
    };
    std::string out;
    std::size_t at = 0;
    while (stream.size() - at >= 16 && number(at) >= 16 && number(at) <= stream.size() - at) {
      const auto head = stream.substr(at, 12 + number(at + 4));
      const auto payload = stream.substr(at + head.size(), number(at) - head.size() - 4);
      if (head.find("PayloadPart") != head.npos) out += payload;
      at += number(at);
    }
    return out;
  }

  void block(const std::string& data) {
    if (data == "[DONE]") done_ = true;
    const auto chunk = json::parse(data, nullptr, false);
    if (done_ || !chunk.is_object()) return;
    for (const auto& choice : chunk.value("choices", json::array())) {
      started_.insert(choice.value("index", 0));
      if (choice.value("finish_reason", json()).is_string()) finished_.insert(choice.value("index", 0));
    }
  }

  bool done_{};
  std::set<int> started_;
  std::set<int> finished_;
};

}  // namespace

TEST_CASE("every recorded stream folds to the text and end of its vector") {
  const auto streams = recorded_streams({"chat"});
  REQUIRE(streams.size() >= 30);
  for (const auto& stream : streams) {
    INFO(stream.at("id").get<std::string>());
    const auto collected = collect(stream, {body_of(stream)});
    const auto& known = stream.at("expect");
    const auto outcome = stream.at("outcome").get<std::string>();
    CHECK(static_cast<bool>(collected) == (outcome == "ok" || outcome == "tolerated"));
    if (known.contains("text")) CHECK(collected.response.text() == known["text"].get<std::string>());
    if (known.contains("finish_reason") && known["finish_reason"].is_string()) {
      CHECK(name(collected.response.finish()) == known["finish_reason"].get<std::string>());
    }
    if (known.contains("reasoning")) {
      CHECK(collected.response.choices.at(0).message.reasoning_text() ==
            known["reasoning"].get<std::string>());
    }
    if (known.contains("usage") && known["usage"].is_object()) {
      REQUIRE(collected.response.usage);
      CHECK(collected.response.usage->total() == known["usage"]["total"].get<std::int64_t>());
    }
  }
}

TEST_CASE("a recorded stream that is cut is complete where a plain reader says so, and only there") {
  for (const auto& stream : recorded_streams()) {
    const auto whole = body_of(stream);
    const auto known = stream.at("outcome").get<std::string>();
    const bool readable = known == "ok" || known == "tolerated";
    for (const auto size : inferwire_test::cut_sizes(whole)) {
      const auto head = whole.substr(0, size);
      const bool complete = outcome_of(stream, {head}).complete;
      if (!complete && !readable) continue;  // the plain reader passes over what cannot be read
      INFO(stream.at("id").get<std::string>() << " cut after " << size << " of " << whole.size() << " bytes");
      CHECK(complete == PlainReader(stream, head).complete());
    }
  }
}

TEST_CASE("no change of a stream's bytes makes it crash, hang or hold an error that says nothing") {
  std::mt19937 random(11);
  std::vector<std::pair<json, std::string>> streams;
  for (auto& stream : recorded_streams()) {
    auto body = body_of(stream);
    if (body.size() <= 20'000) streams.emplace_back(std::move(stream), std::move(body));
  }
  for (int round = 0; round < inferwire_test::mutations; ++round) {
    const auto& [stream, recorded] = streams[random() % streams.size()];
    const auto body = inferwire_test::mutated(recorded, random);
    const auto cut = body.empty() ? 0 : random() % body.size();
    const auto collected = collect(stream, {body.substr(0, cut), body.substr(cut)});
    if (!collected) {
      REQUIRE_FALSE(collected.error->detail.empty());
    } else {
      REQUIRE_FALSE(collected.error);
    }
  }
}

TEST_CASE("how a stream is split into pieces changes nothing") {
  for (const auto& stream : recorded_streams()) {
    const auto whole = body_of(stream);
    if (whole.size() > 20'000) continue;
    INFO(stream.at("id").get<std::string>());
    const auto expected = outcome_of(stream, {whole});
    std::vector<std::string> bytes;
    for (const char byte : whole) bytes.emplace_back(1, byte);
    const auto got = outcome_of(stream, std::move(bytes));
    CHECK(got.document == expected.document);
    CHECK(got.complete == expected.complete);
  }
}
