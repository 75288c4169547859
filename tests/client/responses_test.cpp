// The Responses API as callers see it.
#include "inferwire/responses.hpp"

#include "client/cut_sizes.hpp"
#include "inferwire/client.hpp"
#include "inferwire/response_events.hpp"
#include "inferwire/testing/manual_clock.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/answered_client.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/mutation.hpp"
#include "wire/vectors.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <memory>
#include <random>

namespace {

using namespace inferwire;
using namespace inferwire_test;
using inferwire::testing::Reply;
using nlohmann::json;

Client streaming(std::vector<std::string> chunks) { return answering(Reply::stream(std::move(chunks))); }
Client streaming_agent(std::vector<std::string> chunks) {
  return answering(Reply::stream(std::move(chunks)), {.provider = Provider::databricks(), .api_key = key});
}

const responses::Request question{.model = "m", .input = "Name a rock."};

const std::string whole =
    R"({"id":"resp_1","object":"response","status":"completed","model":"m1","output":[{"type":"message",)"
    R"("id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"Basalt","annotations":[]}]}]})";

std::string event(const std::string& data) { return "data: " + data + "\n\n"; }
const std::string piece =
    event(R"({"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Bas"})");
std::string state(const std::string& type, const std::string& response) {
  return event(R"({"type":"response.)" + type + R"(","response":)" + response + "}");
}

/// The error that ends the stream.
inferwire::Error last_error(Stream<responses::Event> stream) {
  inferwire::Error last;
  while (const auto* element = stream.next()) {
    if (!*element) last = element->error();
  }
  return last;
}

TEST_CASE("responses.create sends the request and decodes the answer") {
  const AnsweredClient service(Reply::json(whole));
  const auto reply =
      service.client.responses.create({.model = "m", .input = "Name a rock.", .max_output_tokens = 16});
  REQUIRE(reply);
  CHECK(reply->output_text() == "Basalt");
  CHECK(reply->finish() == Finish::stop);
  CHECK(service.sent().url == "https://api.openai.com/v1/responses");
  CHECK(json::parse(service.sent().body) ==
        json{{"model", "m"}, {"input", "Name a rock."}, {"max_output_tokens", 16}, {"stream", false}});
}

TEST_CASE("a Responses request to Databricks has the model in its body") {
  const AnsweredClient service(Reply::json(whole), {.provider = Provider::databricks(), .api_key = key});
  REQUIRE(service.client.responses.create(question));
  CHECK(service.sent().url == "https://in-process.invalid/serving-endpoints/responses");
  CHECK(json::parse(service.sent().body)["model"] == "m");
}

TEST_CASE("tools are spelled nested where the provider's row or the call says so") {
  auto request = question;
  request.tools = {{.name = "tide"}};
  const json flat = json::parse(R"([{"type":"function","name":"tide"}])");
  const json nested = json::parse(R"([{"type":"function","function":{"name":"tide"}}])");
  auto row = Provider::databricks();
  const auto sent = [&](const CallOptions& options) {
    const AnsweredClient service(Reply::json(whole), {.provider = row, .api_key = key});
    REQUIRE(service.client.responses.create(request, options));
    return json::parse(service.sent().body)["tools"];
  };
  CHECK(sent({}) == flat);
  CHECK(sent({.nested_tools = true}) == nested);
  row.nested_tools = true;
  CHECK(sent({}) == nested);
  CHECK(sent({.nested_tools = false}) == flat);
}

TEST_CASE("responses.stream gives the events and collects the last response") {
  const AnsweredClient service(
      Reply::stream({state("created", R"({"id":"r","status":"in_progress","output":[]})"), piece,
                     state("completed", whole), event("{not even JSON, but nobody reads on"), done}));
  std::string text;
  std::vector<std::string> types;
  auto stream = service.client.responses.stream(question);
  for (auto& got : stream) {
    if (!got) FAIL(got.error().message());
    text += got->text();
    types.push_back(got->type());
  }
  CHECK(text == "Bas");
  CHECK(types ==
        std::vector<std::string>{"response.created", "response.output_text.delta", "response.completed"});
  CHECK(stream.end_reason() == EndReason::done);
  CHECK(json::parse(service.sent().body)["stream"] == true);
}

TEST_CASE("an event without a type takes that of its SSE event field") {
  const auto client = streaming(
      {"event: response.output_text.delta\ndata: {\"output_index\":0,\"delta\":\"x\"}\n\n",
       "event: response.completed\ndata: {\"response\":{\"status\":\"completed\",\"output\":[]}}\n\n"});
  const auto collected = client.responses.stream(question).collect();
  REQUIRE(collected);
  CHECK(collected.response.output_text() == "x");
}

TEST_CASE("a response in place of an event about it is read as that event") {
  // pjq/sap-ai-core-llm-proxy#35
  const auto client = streaming(
      {"event: response.created\ndata: {\"id\":\"r\",\"status\":\"in_progress\",\"output\":[]}\n\n", piece,
       event(R"({"type":"response.completed","sequence_number":2,"id":"r","status":"completed"})")});
  const auto collected = client.responses.stream(question).collect();
  REQUIRE(collected);
  CHECK(collected.response.id == "r");
  CHECK(collected.response.status == responses::ResponseStatus::completed);
  CHECK(collected.response.output_text() == "Bas");
  CHECK(collected.response.extra.empty());
  for (const auto& form :
       {event(R"({"type":"response.completed","sequence_number":2,"id":"r","status":"completed"})"),
        event(R"({"type":"response.done","sequence_number":2,"response":{"status":"completed"}})")}) {
    const auto numbered = streaming({form});
    for (const auto& got : numbered.responses.stream(question)) {
      REQUIRE(got);
      CHECK(got->sequence_number() == 2);
    }
  }
  const auto other =
      streaming({event(R"({"type":"response.created"})")}).responses.stream(question).collect();
  REQUIRE(other.error);
  CHECK(other.error->path == "response");
}

TEST_CASE("an event without its response only keeps a Responses stream alive") {
  // https://github.com/diegosouzapw/OmniRoute/issues/14330
  const auto alive = event(R"({"type":"response.in_progress"})");
  const auto client = streaming({alive, state("created", R"({"id":"r","status":"in_progress"})"), piece,
                                 alive, state("completed", R"({"id":"r","status":"completed"})")});
  const auto collected = client.responses.stream(question).collect();
  REQUIRE(collected);
  CHECK(collected.response.id == "r");
  CHECK(collected.response.output_text() == "Bas");
  const auto failed = event(R"({"type":"response.in_progress","error":{"message":"no"}})");
  CHECK(streaming({alive, failed}).responses.stream(question).collect().error->detail == "no");
}

TEST_CASE("a Responses stream with response objects is complete only after a final one") {
  struct Case {
    std::vector<std::string> chunks;
    bool complete;
  };
  const auto row = GENERATE(values<Case>({
      {{piece, state("completed", whole)}, true},
      {{piece, state("incomplete", R"({"status":"incomplete","output":[]})")}, true},
      {{piece, state("cancelled", R"({"status":"cancelled","output":[]})")}, true},
      {{piece, event(R"({"type":"responses.completed","response":{"output":[]}})")}, true},
      {{piece, event(R"({"type":"responses.completed","response":{"id":"r"}})")}, true},
      {{piece, state("done", R"({"id":"r","status":"completed"})")}, true},  // pleaseai/shunt#295
      {{piece, "event: response.done\ndata: {\"response\":{\"status\":\"incomplete\"}}\n\n"}, true},
      {{piece, state("done", R"({"id":"r","status":"in_progress"})")}, false},
      {{piece, event(R"({"type":"response.done"})")}, false},
      {{piece, done}, true},  // agents that send items, but no response
      {{done}, false},
      {{event(R"({"trace_id":"tr-1"})"), done}, false},
      {{piece, state("in_progress", R"({"status":"in_progress","output":[]})"), done}, false},
      {{state("created", R"({"status":null,"output":[]})"), piece, done}, false},
      {{piece}, false},
      {{}, false},
  }));
  const auto client = streaming(row.chunks);
  const auto collected = client.responses.stream(question).collect();
  CHECK(static_cast<bool>(collected) == row.complete);
  if (!row.complete) CHECK(collected.error->kind == ErrorKind::truncated);
}

// A stream of an agent on Databricks that calls a tool: two responses, and the tool's output between them.
const std::string first_turn =
    state("created", R"({"id":"__fake_id__","status":null,"output":[]})") +
    event(
        R"({"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"a","role":"assistant","content":[]}})") +
    event(
        R"({"type":"response.output_text.delta","item_id":"b","output_index":0,"content_index":0,"delta":"I'll look."})") +
    event(
        R"({"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","id":"__fake_id__","call_id":"c1","name":"tide","arguments":"{}","status":null}})") +
    event(
        R"({"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"b","role":"assistant","content":[{"type":"output_text","text":"I'll look."}]}})") +
    state(
        "completed",
        R"({"id":"__fake_id__","status":null,"usage":{"input_tokens":505,"output_tokens":94},"output":[)"
        R"({"type":"message","id":"b","role":"assistant","content":[{"type":"output_text","text":"I'll look."}]},)"
        R"({"type":"function_call","id":"__fake_id__","call_id":"c1","name":"tide","arguments":"{}","status":null}]})");
const std::string tool_output =
    event(R"({"type":"function_call_output","call_id":"c1","output":"{\"rising\":true}"})");
const std::string second_turn =
    state("created", R"({"id":"__fake_id__","status":null,"output":[]})") +
    event(
        R"({"type":"response.output_text.delta","item_id":"b","output_index":0,"content_index":0,"delta":" It rises."})") +
    state(
        "completed",
        R"({"id":"__fake_id__","status":null,"usage":{"input_tokens":650,"output_tokens":18},"output":[)"
        R"({"type":"message","id":"b","role":"assistant","content":[{"type":"output_text","text":" It rises."}]}]})");
const std::string trace = event(R"({"trace_id":"tr-abc123"})");

TEST_CASE("the turns of an agent's stream are one answer") {
  const auto end = GENERATE(values<std::string>({"", done, trace, trace + done}));
  const auto client = streaming_agent({first_turn, tool_output, second_turn + end});
  auto stream = client.responses.stream(question);
  responses::Accumulator accumulator;
  std::string text;
  for (auto& got : stream) {
    if (!got) FAIL(got.error().message());
    text += got->text();
    accumulator.add(*got);
  }
  CHECK(stream.end_reason() == (end.ends_with("[DONE]\n\n") ? EndReason::done : EndReason::eof_after_finish));
  CHECK(text == "I'll look. It rises.");
  const auto response = accumulator.take(true);
  REQUIRE(response.output.size() == 4);
  CHECK(std::get<responses::FunctionCall>(response.output[1]).name == "tide");
  CHECK(std::get<responses::FunctionCallOutput>(response.output[2]).call_id == "c1");
  CHECK(response.output_text() == text);
  CHECK(response.status == responses::ResponseStatus::completed);
  CHECK(response.usage->output_tokens == 18);  // the usage of the last turn
}

TEST_CASE("an agent's stream is complete after its last turn, however the connection ends") {
  using testing::Ending;
  const auto ending = GENERATE(Ending::cut, Ending::reset, Ending::silence);
  const auto clock = std::make_shared<testing::ManualClock>();
  const auto script = std::make_shared<testing::ScriptTransport>(clock);
  script->push(unfinished_stream({first_turn, tool_output, second_turn}, ending));
  const Client client({.provider = Provider::databricks(),
                       .timeouts = {.idle = std::chrono::seconds(60)},
                       .retry = RetryPolicy::none(),
                       .transport = script,
                       .clock = clock});
  const auto begin = clock->now();
  const auto collected = client.responses.stream(question).collect();
  CHECK(collected);
  CHECK(collected.response.output_text() == "I'll look. It rises.");
  CHECK(clock->now() - begin <= std::chrono::seconds(60));
}

TEST_CASE("an agent's stream that breaks off in a later turn is truncated") {
  const auto cut = GENERATE(values<std::string>({
      first_turn + tool_output,
      first_turn + tool_output + second_turn.substr(0, second_turn.find("\n\n") + 2),
      first_turn + tool_output + second_turn.substr(0, second_turn.find("\n\n") + 2) + done,
      first_turn + piece,
  }));
  const auto client = streaming_agent({cut});
  const auto collected = client.responses.stream(question).collect();
  REQUIRE(collected.error);
  CHECK(collected.error->kind == ErrorKind::truncated);
  CHECK(collected.response.output_text().starts_with("I'll look."));
}

TEST_CASE("a failed turn ends an agent's stream with response_failed") {
  const auto failed =
      state("failed", R"({"id":"r","output":[],"error":{"code":"server_error","message":"Oh."}})");
  const auto client = streaming_agent({first_turn, failed, second_turn});
  const auto collected = client.responses.stream(question).collect();
  REQUIRE(collected.error);
  CHECK(collected.error->kind == ErrorKind::response_failed);
  CHECK(collected.error->code == "server_error");
  CHECK(collected.response.output_text() == "I'll look.");
}

TEST_CASE("responses.create folds all turns of an agent's stream") {
  const auto client = streaming_agent({first_turn, tool_output, second_turn});
  const auto reply = client.responses.create(question);
  REQUIRE(reply);
  CHECK(reply->output_text() == "I'll look. It rises.");
}

TEST_CASE("response.failed is followed by Error{response_failed} at the end of the stream") {
  const auto failed =
      state("failed",
            R"({"id":"r","status":"failed","output":[],"error":{"code":"server_error","message":"Oh."}})");
  const bool begun = GENERATE(false, true);
  const auto client = streaming(begun ? std::vector{piece, failed} : std::vector{failed});
  const auto collected = client.responses.stream(question).collect();
  REQUIRE(collected.error);
  CHECK(collected.error->kind == ErrorKind::response_failed);
  CHECK(collected.error->code == "server_error");
  CHECK(collected.error->detail == "Oh.");
  CHECK(collected.error->status == 200);
  CHECK(collected.error->retryable == !begun);  // a retry would deliver text twice
  CHECK(collected.response.status == responses::ResponseStatus::failed);
  CHECK(collected.response.output_text() == (begun ? "Bas" : ""));
}

TEST_CASE("a failed response and an error event with the same error are judged alike") {
  struct Row {
    std::string error;
    bool retryable;
  };
  const auto row = GENERATE(values<Row>({
      // symfony/ai#2372, router-for-me/CLIProxyAPI#2712
      {R"({"code":"server_is_overloaded","message":"Our servers are currently overloaded."})", true},
      {R"({"code":"rate_limit_exceeded","message":"Requests have exceeded token rate limit"})", true},
      {R"({"code":null,"type":"service_unavailable_error","message":"m"})", true},
      {R"({"code":"invalid_prompt","message":"m"})", false},
      // vercel/ai#6534
      {R"({"code":"rate_limit_exceeded","message":"Request too large for gpt-4.1 on tokens per min (TPM): )"
       R"(Limit 30000, Requested 35364."})",
       false},
  }));
  const auto body = R"({"id":"r","status":"failed","output":[],"error":)" + row.error + "}";
  for (const auto& frame : {state("failed", body), event(R"({"type":"error","error":)" + row.error + "}")}) {
    CAPTURE(frame);
    const auto client = answering(Reply::stream({frame}).with("Retry-After", "7"));
    const auto collected = client.responses.stream(question).collect();
    REQUIRE(collected.error);
    CHECK(collected.error->retryable == row.retryable);
    CHECK(collected.error->retry_after == std::chrono::seconds(7));
    if (const auto failure = collected.response.failure()) CHECK(failure->retryable == row.retryable);
  }
}

const std::string unexplained = state("failed", R"({"id":"r","status":"failed","output":[],"error":null})");

TEST_CASE("the error event after a failed response without an error is its reason") {
  // Azure: earendil-works/pi#7983
  const auto reason = event(
      R"({"type":"error","error":{"type":"too_many_requests","code":"rate_limit_exceeded","param":null,)"
      R"("message":"Your requests to the deployment have exceeded rate limit."}})");
  for (const auto& chunks :
       std::vector<std::vector<std::string>>{{unexplained + reason + done}, {unexplained, reason}}) {
    const auto client = streaming(chunks);
    const auto collected = client.responses.stream(question).collect();
    REQUIRE(collected.error);
    CHECK(collected.error->kind == ErrorKind::response_failed);
    CHECK(collected.error->code == "rate_limit_exceeded");
    CHECK(collected.error->type == "too_many_requests");
    CHECK(collected.error->detail == "Your requests to the deployment have exceeded rate limit.");
    CHECK(collected.error->retryable);
    const auto reply = client.responses.create(question);
    REQUIRE(reply);
    CHECK(*reply == collected.response);
    REQUIRE(reply->failure());
    CHECK(reply->failure()->detail == collected.error->detail);
    CHECK(reply->failure()->type == collected.error->type);
  }
}

TEST_CASE("a failed response without an error is response_failed, whatever follows but an error") {
  const auto rest = GENERATE(values<std::string>(
      {"", done, piece + done, event("{not JSON"), "data: {\"er", state("completed", whole)}));
  CAPTURE(rest);
  auto reply = Reply::stream({unexplained + rest});
  reply.ending = GENERATE(testing::Ending::whole, testing::Ending::reset, testing::Ending::silence);
  if (reply.ending == testing::Ending::silence) {  // but for comments, which prolong no wait
    for (int i = 0; i < 4; ++i) {
      reply.body.push_back({.bytes = ":\n\n", .delay = std::chrono::milliseconds(300)});
    }
  }
  const auto clock = std::make_shared<testing::ManualClock>();
  const auto script = std::make_shared<testing::ScriptTransport>(clock);
  script->push(std::move(reply));
  const auto overall = std::chrono::milliseconds(GENERATE(500, 60'000));
  const Client client({.api_key = key,
                       .timeouts = {.idle = std::chrono::seconds(60), .overall = overall},
                       .retry = RetryPolicy::none(),
                       .transport = script,
                       .clock = clock});
  const auto begin = clock->now();
  const auto error = last_error(client.responses.stream(question));
  CHECK(error.kind == ErrorKind::response_failed);
  CHECK(error.detail == "the response failed");
  CHECK(clock->now() - begin <= std::chrono::seconds(1));
}

TEST_CASE("an error event in any form of the servers is the stream's last element") {
  const auto form = GENERATE(values<std::string>({
      event(R"({"type":"error","code":"server_error","message":"Oh.","param":null})"),
      event(R"({"type":"error","error":{"code":"server_error","message":"Oh."}})"),
      event(R"({"type":"response.error","code":"server_error","message":"Oh."})"),
      event(R"({"error":{"code":"server_error","message":"Oh."}})"),
      "event: error\ndata: {\"code\":\"server_error\",\"message\":\"Oh.\"}\n\n",
      "event: response.created\ndata: {\"error\":{\"code\":\"server_error\",\"message\":\"Oh.\"},"
      "\"status\":500}\n\n",
      "event: response.created\ndata: {\"error\":{\"code\":\"server_error\",\"message\":\"Oh.\"},"
      "\"status\":\"error\"}\n\n",
  }));
  INFO(form);
  const auto client = streaming({piece, form});
  const auto collected = client.responses.stream(question).collect();
  REQUIRE(collected.error);
  CHECK(collected.error->kind == ErrorKind::stream_error);
  CHECK(collected.error->code == "server_error");
  CHECK(collected.error->detail == "Oh.");
  CHECK_FALSE(collected.error->retryable);
  CHECK(collected.response.output_text() == "Bas");
}

TEST_CASE("an error before the first output is retryable") {
  const auto client = streaming({event(R"({"type":"error","code":"server_error","message":"Oh."})")});
  const auto collected = client.responses.stream(question).collect();
  REQUIRE(collected.error);
  CHECK(collected.error->retryable);
}

TEST_CASE("a number as an error's code decides whether it is retryable") {
  const auto client = streaming({event(R"({"type":"error","code":400,"message":"bad"})")});
  const auto collected = client.responses.stream(question).collect();
  REQUIRE(collected.error);
  CHECK(collected.error->code == "400");
  CHECK(collected.error->detail == "bad");
  CHECK_FALSE(collected.error->retryable);
}

TEST_CASE("an unknown event with a message is no error") {
  const auto client =
      streaming({event(R"({"type":"response.notice","message":"slow today"})"), state("completed", whole)});
  const auto collected = client.responses.stream(question).collect();
  CHECK_FALSE(collected.error);
}

TEST_CASE("responses read a whole answer as a stream, and a stream as an answer") {
  const auto client = answering(Reply::json(whole));
  const auto collected = client.responses.stream(question).collect();
  REQUIRE(collected);
  CHECK(collected.response.output_text() == "Basalt");
  CHECK(collected.response.id == "resp_1");
  const auto other = streaming({piece, state("completed", whole)});
  const auto reply = other.responses.create(question);
  REQUIRE(reply);
  CHECK(*reply == collected.response);
}

TEST_CASE("responses.stream of a whole answer that is not final is truncated") {
  for (const auto& [status, ends] :
       {std::pair("in_progress", false), {"queued", false}, {"incomplete", true}}) {
    CAPTURE(status);
    const auto client =
        answering(Reply::json(R"({"id":"r","output":[],"status":")" + std::string(status) + "\"}"));
    const auto collected = client.responses.stream(question).collect();
    CHECK(collected.error.has_value() == !ends);
    if (collected.error) CHECK(collected.error->kind == ErrorKind::truncated);
  }
}

TEST_CASE("responses.create gives a failed response as a value, stream an error") {
  const std::string failed =
      R"({"status":"failed","output":[],"error":{"code":"server_error","message":"Oh."}})";
  const auto client = answering(Reply::json(failed));
  const auto reply = client.responses.create(question);
  REQUIRE(reply);
  CHECK(reply->finish() == Finish::error);
  REQUIRE(reply->failure());
  CHECK(reply->failure()->retryable);
  const auto other = answering(Reply::json(failed));
  const auto collected = other.responses.stream(question).collect();
  REQUIRE(collected.error);
  CHECK(collected.error->kind == ErrorKind::response_failed);
  const auto unexplained_whole = Reply::json(R"({"status":"failed","output":[],"error":null})");
  const auto error =
      last_error(answering(unexplained_whole.with("x-request-id", "r1")).responses.stream(question));
  CHECK(error.kind == ErrorKind::response_failed);
  CHECK(error.status == 200);
  CHECK(error.request_id == "r1");
}

TEST_CASE("responses.create gives a failed response as a value when it comes as a stream") {
  const auto failed =
      state("failed",
            R"({"id":"r","status":"failed","output":[],"error":{"code":"server_error","message":"Oh."}})");
  const auto client = streaming({piece, failed});
  const auto reply = client.responses.create(question);
  REQUIRE(reply);
  CHECK(reply->status == responses::ResponseStatus::failed);
  REQUIRE(reply->failure());
  CHECK(reply->failure()->code == "server_error");
  CHECK(reply->output_text() == "Bas");
}

TEST_CASE("responses.create gives the service's error, and unsupported where the provider has none") {
  const auto client = answering(Reply::json(R"({"error":{"message":"no","param":"input"}})", 400));
  const auto refused = client.responses.create(question);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::invalid_request);
  CHECK(refused.error().param == "input");
  auto row = Provider::openai();
  row.responses = {};
  const auto without = answering(Reply::json(whole), {.provider = row, .api_key = key});
  CHECK(without.responses.create(question).error().kind == ErrorKind::unsupported);
}

std::vector<json> recorded_streams() {
  std::vector<json> found;
  for (const auto* list : {"vectors", "malformed"}) {
    for (const auto& vector : inferwire_test::wire_index().at(list)) {
      if (vector.at("mode") == "sse" && vector.at("endpoint") == "responses") found.push_back(vector);
    }
  }
  REQUIRE(found.size() >= 5);
  return found;
}

Collected<responses::Response> collect(std::vector<std::string> chunks) {
  const auto client = streaming(std::move(chunks));
  return client.responses.stream(question).collect();
}

TEST_CASE("every recorded Responses stream gives the text and end of its vector") {
  for (const auto& stream : recorded_streams()) {
    INFO(stream.at("id").get<std::string>());
    const auto collected = collect({inferwire_test::wire_file(stream)});
    const auto outcome = stream.at("outcome").get<std::string>();
    CHECK(static_cast<bool>(collected) == (outcome == "ok" || outcome == "tolerated"));
    CHECK(collected.response.output_text() == stream.at("expect").at("text").get<std::string>());
  }
}

/// A second opinion: the stream is complete if one of its complete blocks has an event that ends it well.
bool is_complete(const std::string& text) {
  for (const auto& data : inferwire_test::stream_data(text)) {
    if (data == "[DONE]") return false;
    const auto type = json::parse(data).value("type", "");
    if (type == "error" || type == "response.failed") return false;
    if (type == "response.completed" || type == "response.incomplete") return true;
  }
  return false;
}

TEST_CASE("no cut of a Responses stream is taken for a complete answer") {
  for (const auto& stream : recorded_streams()) {
    const auto whole_stream = inferwire_test::wire_file(stream);
    for (const auto size : inferwire_test::cut_sizes(whole_stream)) {
      const auto head = whole_stream.substr(0, size);
      const auto collected = collect({head});
      if (static_cast<bool>(collected) == is_complete(head)) continue;
      FAIL(stream.at("id").get<std::string>()
           << " cut after " << size << " of " << whole_stream.size() << " bytes");
    }
  }
}

TEST_CASE("no change of a Responses stream's bytes makes it crash, hang or hold an error that says nothing") {
  std::mt19937 random(12);
  std::vector<std::string> streams;
  for (const auto& stream : recorded_streams()) streams.push_back(inferwire_test::wire_file(stream));
  for (int round = 0; round < inferwire_test::mutations; ++round) {
    const auto body = inferwire_test::mutated(streams[random() % streams.size()], random);
    const auto cut = body.empty() ? 0 : random() % body.size();
    const auto collected = collect({body.substr(0, cut), body.substr(cut)});
    if (!collected) REQUIRE_FALSE(collected.error->detail.empty());
  }
}

TEST_CASE("how a Responses stream is split into pieces changes nothing") {
  for (const auto& stream : recorded_streams()) {
    INFO(stream.at("id").get<std::string>());
    const auto text = inferwire_test::wire_file(stream);
    const auto expected = collect({text});
    std::vector<std::string> bytes;
    for (const char byte : text) bytes.emplace_back(1, byte);
    const auto got = collect(std::move(bytes));
    CHECK(got.response == expected.response);
    // The attempts are not compared: they contain times.
    REQUIRE(got.error.has_value() == expected.error.has_value());
    if (got.error) CHECK(got.error->message() == expected.error->message());
  }
}

}  // namespace
