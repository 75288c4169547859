// Recorded and documented answers of providers: each is decoded or refused according to its vector, and has
// the expected facts.
#include "inferwire/chat.hpp"
#include "support/catch.hpp"
#include "wire/documents.hpp"
#include "wire/error_body.hpp"
#include "wire/facts.hpp"
#include "wire/vectors.hpp"

#include <nlohmann/json.hpp>

#include <map>

namespace {

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;

/// The contents of an answer's parts besides its text.
void add_parts(const chat::Message& message, json& out) {
  out["citations"] = 0;
  const auto* const parts =
      message.content ? std::get_if<std::vector<chat::ContentPart>>(&*message.content) : nullptr;
  if (parts == nullptr) return;
  for (const auto& part : *parts) {
    if (const auto* text = std::get_if<chat::TextPart>(&part)) {
      if (text->citations) out["citations"] = json::parse(text->citations->text()).size();
    } else if (const auto* thought = std::get_if<chat::ReasoningPart>(&part)) {
      for (const auto& piece : thought->summary) {
        if (piece.signature) out["reasoning_signature"] = *piece.signature;
      }
    }
  }
}

json logprobs_of(const chat::Choice& choice) {
  json out = json::array();
  if (!choice.logprobs) return out;
  for (const auto& token : choice.logprobs->content) {
    out.push_back({{"token", token.token}, {"logprob", token.logprob}, {"top", token.top_logprobs.size()}});
  }
  return out;
}

/// The facts of `response` that a vector may contain.
json facts_of(const chat::Response& response) {
  json out = {{"text", response.text()}, {"id", response.id}, {"choices", response.choices.size()}};
  out["object"] = response.object.empty() ? json(nullptr) : json(response.object);
  out["created"] = count(response.created);
  std::map<std::int64_t, std::string> texts;
  for (const auto& answer : response.choices) texts[answer.index] = answer.message.text();
  out["texts_by_index"] = json::array();
  for (const auto& [index, text] : texts) out["texts_by_index"].push_back(text);
  out["model"] = response.model.empty() ? json(nullptr) : json(response.model);
  out["text_length"] = response.text().size();
  chat::Choice choice = response.choices.empty() ? chat::Choice{} : response.choices.front();
  for (const chat::Choice& candidate : response.choices) {
    if (candidate.index == 0) choice = candidate;
  }
  out["reasoning"] = choice.message.reasoning_text();
  out["refusal"] = choice.message.refusal.value_or("");
  out["annotations"] = choice.message.annotations.size();
  out["logprobs"] = logprobs_of(choice);
  add_parts(choice.message, out);
  out["finish_reason"] =
      response.finish() == chat::Finish::none ? json(nullptr) : json(name(response.finish()));
  if (choice.finish_reason) out["finish_reason_raw"] = choice.finish_reason->str();
  out["usage"] = nullptr;
  if (const auto& usage = response.usage; usage && usage->prompt()) {
    out["usage"] = {{"prompt", count(usage->prompt())},       {"completion", count(usage->completion())},
                    {"total", count(usage->total())},         {"cached", count(usage->cached())},
                    {"reasoning", count(usage->reasoning())}, {"cache_write", count(usage->cache_write())}};
  }
  out["tool_calls"] = json::array();
  out["tool_calls_raw"] = json::array();
  for (const chat::ToolCall& call : choice.message.tool_calls) {
    const std::string arguments = call.function ? call.function->arguments : "";
    const json parsed = json::parse(arguments.empty() ? "{}" : arguments, nullptr, false);
    const std::string called = call.function ? call.function->name : "";
    out["tool_calls"].push_back({{"id", call.id}, {"name", called}, {"arguments", parsed}});
    out["tool_calls_raw"].push_back({{"id", call.id},
                                     {"name", called},
                                     {"arguments_raw", arguments},
                                     {"arguments_valid", !parsed.is_discarded()}});
  }
  return out;
}

struct Folded {
  chat::Response response;
  bool decode_error{};
  bool stream_error{};
  bool done{};
  std::size_t chunks{};
  wire::ErrorFacts error;
};

Folded fold(const std::string& stream) {
  Folded out;
  chat::Accumulator accumulator;
  for (const std::string& data : inferwire_test::stream_data(stream)) {
    out.done = data == "[DONE]";
    if (out.done) break;
    if (data.empty()) continue;
    auto chunk = inferwire::json::decode<chat::Chunk>(data);
    if (!chunk) {
      out.decode_error = true;
      break;
    }
    if (auto error = wire::error_in(chunk->extra)) {
      out.stream_error = true;
      out.error = *error;
      if (!chunk->choices.empty()) accumulator.add(*chunk);
      break;
    }
    ++out.chunks;
    accumulator.add(*chunk);
  }
  out.response = accumulator.take(true);
  return out;
}

template <class Visit>
void each(const char* list, const char* mode, Visit visit) {
  std::size_t visited = 0;
  for (const json& vector : wire_index().at(list)) {
    if (vector.at("mode") != mode || (vector.at("endpoint") != "chat" && vector.at("endpoint") != "error"))
      continue;
    INFO(vector.at("id").get<std::string>());
    visit(vector);
    ++visited;
  }
  CHECK(visited > 5);
}

void check_answer(const json& vector) {
  const auto response = inferwire::json::decode<chat::Response>(wire_file(vector));
  if (vector.at("outcome") == "decode_error") {
    REQUIRE_FALSE(response);
    CHECK(response.error().kind == ErrorKind::decode);
    CHECK_FALSE(response.error().detail.empty());
    return;
  }
  if (!response) FAIL(response.error().message());
  check_facts(vector.at("expect"), facts_of(*response));
}

void check_stream(const json& vector) {
  const Folded folded = fold(wire_file(vector));
  CHECK(folded.decode_error == (vector.at("outcome") == "decode_error"));
  CHECK(folded.stream_error == (vector.at("outcome") == "stream_error"));
  json facts = facts_of(folded.response);
  facts["chunks"] = folded.chunks;
  facts["terminator"] = folded.done ? "done" : "eof";
  if (folded.stream_error) {
    facts["error"] = {
        {"message", folded.error.message}, {"code", folded.error.code}, {"type", folded.error.type}};
  }
  check_facts(vector.at("expect"), facts);
}

TEST_CASE("answers of providers give the facts that their vectors state") {
  each("vectors", "json", check_answer);
}

TEST_CASE("malformed answers are refused or tolerated as their vectors state") {
  each("malformed", "json", check_answer);
}

TEST_CASE("recorded streams fold to the facts that their vectors state") {
  each("vectors", "sse", check_stream);
}

TEST_CASE("malformed streams are refused or tolerated as their vectors state") {
  each("malformed", "sse", check_stream);
}

TEST_CASE("request bodies of all providers survive decoding and encoding") {
  std::size_t visited = 0;
  for (const json& vector : wire_index().at("requests")) {
    if (vector.at("endpoint") != "chat") continue;
    INFO(vector.at("id").get<std::string>());
    const std::string body = wire_file(vector);
    for (const auto reading : {inferwire::json::Reading::tolerant, inferwire::json::Reading::strict}) {
      const auto request = inferwire::json::decode<chat::Request>(body, reading);
      if (!request) FAIL(request.error().message());
      const auto encoded = inferwire::json::encode(*request);
      if (!encoded) FAIL(encoded.error().message());
      CHECK(json::parse(*encoded) == json::parse(body));
    }
    ++visited;
  }
  CHECK(visited > 10);
}

TEST_CASE("answers of providers survive decoding and encoding") {
  each("vectors", "json", [](const json& vector) {
    const auto response = inferwire::json::decode<chat::Response>(wire_file(vector));
    REQUIRE(response);
    const auto encoded = inferwire::json::encode(*response);
    if (!encoded) FAIL(encoded.error().message());
    const auto again = inferwire::json::decode<chat::Response>(*encoded);
    REQUIRE(again);
    CHECK(*again == *response);
  });
}

}  // namespace
