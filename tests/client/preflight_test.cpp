#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/embeddings.hpp"
#include "inferwire/responses.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/answered_client.hpp"
#include "support/catch.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

struct Sent {
  bool answered{};
  inferwire::Error error{};
  std::vector<std::string> remarks{};
  std::string body{};  ///< "" if nothing was sent
};

Sent send(Provider provider, Preflight preflight, const chat::Request& request) {
  Sent sent;
  const auto remarks = inferwire::Log::of([&sent](inferwire::LogLevel level, std::string_view text) {
    if (level == inferwire::LogLevel::warning) sent.remarks.emplace_back(text);
  });
  const AnsweredClient service(
      Reply::json(R"({"choices":[{"index":0,"message":{"content":"Hi"},"finish_reason":"stop"}]})"),
      {.provider = std::move(provider),
       .base_url = "http://localhost",
       .api_key = "k",
       .preflight = preflight,
       .log = remarks});
  const auto reply = service.client.chat.create(request);
  sent.answered = reply.has_value();
  if (!reply) sent.error = reply.error();
  if (const auto requests = service.script->requests(); !requests.empty()) sent.body = requests.front().body;
  return sent;
}

chat::Request hello(std::string model = "m") {
  return {.model = std::move(model), .messages = {chat::user("Hello")}};
}

Client rejecting_client(Provider provider, std::shared_ptr<ScriptTransport> script) {
  return Client({.provider = std::move(provider),
                 .base_url = "http://localhost",
                 .api_key = "k",
                 .preflight = Preflight::reject,
                 .transport = std::move(script)});
}

/// The parameter for which the stream of a request is refused.
std::string refused_in_stream(const Client& client, const chat::Request& request) {
  auto stream = client.chat.stream(request);
  const auto* element = stream.next();
  REQUIRE(element != nullptr);
  REQUIRE_FALSE(*element);
  return element->error().param;
}

}  // namespace

TEST_CASE("a request that keeps the rules is sent without a remark") {
  for (const auto preflight : {Preflight::off, Preflight::warn, Preflight::reject}) {
    auto request = hello("databricks-meta-llama-3-3-70b-instruct");
    request.max_tokens = 5;
    request.temperature = 0.5;
    const auto sent = send(Provider::databricks(), preflight, request);
    CHECK(sent.answered);
    CHECK(sent.remarks.empty());
  }
}

TEST_CASE("preflight lets unknown types of tools through where the provider's rules are not strict") {
  auto request = hello();
  chat::Tool custom{.type = "custom"};
  custom.extra.set("custom", Json::raw(R"({"name":"g"})"));
  request.tools = {custom};
  const auto sent = send(Provider::openai(), Preflight::reject, request);
  CHECK(sent.answered);
  CHECK(sent.remarks.empty());
  const auto refused = send(Provider::databricks(), Preflight::reject, request);
  CHECK_FALSE(refused.answered);
  CHECK(refused.error.param == "tools[0].type");
  request.tools = {{.type = "function"}};
  CHECK(send(Provider::openai(), Preflight::reject, request).error.param == "tools[0].function");
}

TEST_CASE("preflight remarks on names of tools that OpenAI refuses, and elsewhere on none") {
  auto request = hello();
  for (const auto* const name : {"get weather", "weather.get"}) {
    request.tools = {{.type = "function", .function = chat::FunctionDefinition{.name = name}}};
    const auto refused = send(Provider::openai(), Preflight::reject, request);
    CHECK_FALSE(refused.answered);
    CHECK(refused.error.param == "tools[0].function.name");
    CHECK(send(Provider::databricks(), Preflight::reject, request).answered);
  }
  request.tools[0].function->name = "get_weather-2";
  CHECK(send(Provider::openai(), Preflight::reject, request).remarks.empty());
}

TEST_CASE("Preflight::warn logs what the documents rule out and sends the request unchanged") {
  auto request = hello();
  request.temperature = 3;
  const auto sent = send(Provider::databricks(), Preflight::warn, request);
  CHECK(sent.answered);
  REQUIRE(sent.remarks.size() == 1);
  CHECK(sent.remarks[0] == "databricks may refuse temperature: expected a number in [0, 2], but got 3");
  CHECK_THAT(sent.body, contains("\"temperature\":3"));
}

TEST_CASE("Preflight::reject gives an error that names the parameter, for streams too") {
  auto request = hello();
  request.messages.push_back({.role = "robot", .content = "beep"});
  const auto sent = send(Provider::databricks(), Preflight::reject, request);
  CHECK_FALSE(sent.answered);
  CHECK(sent.error.kind == ErrorKind::invalid_request);
  CHECK(sent.error.param == "messages[1].role");
  CHECK(sent.error.provider == "databricks");
  CHECK(sent.body.empty());

  const auto script = std::make_shared<ScriptTransport>();
  const auto client = rejecting_client(Provider::databricks(), script);
  CHECK(refused_in_stream(client, request) == "messages[1].role");
  inferwire::embeddings::Request texts{.model = "e", .input = std::string()};
  texts.extra.set("colour", Json::string("red"));
  const auto rows = client.embeddings.create(texts);
  REQUIRE_FALSE(rows);
  CHECK(rows.error().kind == ErrorKind::invalid_request);
  CHECK(script->requests().empty());
}

TEST_CASE("Preflight::off checks nothing") {
  auto request = hello("databricks-gpt-oss-120b");
  request.temperature = 3;
  request.seed = 1;
  const auto sent = send(Provider::databricks(), Preflight::off, request);
  CHECK(sent.answered);
  CHECK(sent.remarks.empty());
}

TEST_CASE("preflight remarks on members in conflict with others") {
  struct Case {
    Provider provider;
    void (*change)(chat::Request&);
    std::string remark;
  };
  const Case cases[] = {
      {Provider::ai21(),
       [](chat::Request& request) {
         request.n = 2;
         request.temperature = 0;
       },
       "ai21 may refuse n: it has to be 1 when 'temperature' is 0: all choices would be the same"},
      {Provider::ai21(),
       [](chat::Request& request) { request.tools = {{.function = chat::FunctionDefinition{.name = "f"}}}; },
       "ai21 may refuse tools[0].function.description: missing"},
      {Provider::databricks(), [](chat::Request& request) { request.top_logprobs = 2; },
       "databricks may refuse top_logprobs: it is only allowed when 'logprobs' is true"}};
  for (const auto& [provider, change, remark] : cases) {
    auto request = hello();
    change(request);
    CHECK(send(provider, Preflight::warn, request).remarks == std::vector<std::string>{remark});
  }
}

TEST_CASE("preflight knows that AI21 streams no tools, though the call sets stream") {
  auto request = hello();
  request.tools = {{.function = chat::FunctionDefinition{.name = "f", .description = "d"}}};
  CHECK(send(Provider::ai21(), Preflight::reject, request).answered);
  const auto client = rejecting_client(Provider::ai21(), std::make_shared<ScriptTransport>());
  CHECK(refused_in_stream(client, request) == "stream");
}

TEST_CASE("preflight remarks on undocumented members where servers decode strictly") {
  auto request = hello();
  request.extra.set("guided_json", Json::raw("{}"));
  CHECK(send(Provider::databricks(), Preflight::warn, request).remarks.size() == 1);
  CHECK(send(Provider::openai(), Preflight::reject, request).answered);  // vLLM and others allow more
}

TEST_CASE("preflight remarks on what live endpoints refuse, and never rejects it") {
  auto request = hello("databricks-gpt-oss-120b");
  request.stop = std::string("END");
  for (const auto preflight : {Preflight::warn, Preflight::reject}) {
    const auto sent = send(Provider::databricks(), preflight, request);
    CHECK(sent.answered);
    REQUIRE(sent.remarks.size() == 1);
    CHECK_THAT(sent.remarks[0], contains("stop") && contains("databricks-gpt-oss-120b"));
  }
}

TEST_CASE("a line break in a request's names does not begin another line of the log") {
  auto request = hello("databricks-gpt-oss-120b\nerror: forged");
  request.stop = std::string("END");
  request.extra.set("a\nb", Json::raw("1"));
  const auto sent = send(Provider::databricks(), Preflight::warn, request);
  REQUIRE(sent.remarks.size() == 2);
  for (const auto& remark : sent.remarks) CHECK(remark.find('\n') == remark.npos);
  CHECK_THAT(sent.remarks[1], contains("databricks-gpt-oss-120b error: forged"));
}

TEST_CASE("preflight takes the rules from Provider::rules, not from its name") {
  auto request = hello();
  request.n = 17;
  CHECK_FALSE(send(Provider::ai21(), Preflight::reject, request).answered);
  auto row = Provider::ai21();
  row.rules = inferwire::RuleSet::none;
  CHECK(send(row, Preflight::reject, request).answered);
}

TEST_CASE("preflight lets a response have no input where a prompt or conversation has it") {
  const auto missing = [](Provider provider, inferwire::responses::Request request) {
    const auto script = std::make_shared<ScriptTransport>();
    script->push(Reply::json(R"({"status":"completed","output":[]})"));
    request.model = "m";
    const Client client({.provider = std::move(provider),
                         .base_url = "http://localhost",
                         .api_key = "k",
                         .preflight = Preflight::reject,
                         .transport = script});
    const auto reply = client.responses.create(request);
    return reply ? std::string("nothing") : reply.error().param;
  };
  CHECK(missing(Provider::openai(), {.prompt = inferwire::responses::Prompt{.id = "pmpt_1"}}) == "nothing");
  CHECK(missing(Provider::openai(), {.conversation = "conv_1"}) == "nothing");
  CHECK(missing(Provider::openai(), {.previous_response_id = "resp_1"}) == "nothing");
  CHECK(missing(Provider::openai(), {}) == "input");
  CHECK(missing(Provider::databricks(), {.prompt = inferwire::responses::Prompt{.id = "pmpt_1"}}) == "input");
}
