// A client's messages go to the log from its options, or to the one that INFERWIRE_LOG requests.
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/testing/script_transport.hpp"
#include "support/captured_stderr.hpp"
#include "support/catch.hpp"
#include "support/fake_environment.hpp"
#include "support/listeners.hpp"

#include <memory>
#include <string>

using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

/// What a failing call writes to the standard error stream.
std::string written_with(FakeEnvironment::Texts variables, std::shared_ptr<inferwire::Log> log = nullptr) {
  CapturedStderr captured;
  const auto script = std::make_shared<ScriptTransport>();
  script->push(Reply::error(400, "no such thing"));
  const Client client({.api_key = "sk-secret-key",
                       .log = std::move(log),
                       .transport = script,
                       .environment = std::make_shared<FakeEnvironment>(std::move(variables))});
  CHECK_FALSE(client.chat.create({.model = "m", .messages = {chat::user("Hello")}}));
  return captured.take();
}

}  // namespace

TEST_CASE("INFERWIRE_LOG=level makes a client write to standard error from that level on") {
  const auto errors = written_with({{"INFERWIRE_LOG", "error"}});
  CHECK_THAT(errors, contains("inferwire error: ") && contains("no such thing"));
  CHECK_THAT(errors, !contains("inferwire debug: "));
  const auto everything = written_with({{"INFERWIRE_LOG", "debug"}});
  CHECK_THAT(everything, contains("inferwire error: ") && contains("inferwire debug: "));
  CHECK_THAT(everything, !contains("sk-secret-key"));
}

TEST_CASE("an unset or unknown INFERWIRE_LOG writes nothing") {
  CHECK(written_with({}).empty());
  CHECK(written_with({{"INFERWIRE_LOG", ""}}).empty());
  CHECK(written_with({{"INFERWIRE_LOG", "everything"}}).empty());
  CHECK(written_with({{"INFERWIRE_LOG", "debug,"}}).empty());
  CHECK(written_with({{"INFERWIRE_LOG", "debug,body"}}).empty());
}

TEST_CASE("INFERWIRE_LOG=debug,bodies shows bodies") {
  CHECK_THAT(written_with({{"INFERWIRE_LOG", "debug"}}), !contains("Hello"));
  const auto bodies = written_with({{"INFERWIRE_LOG", "debug,wire,bodies"}});
  CHECK_THAT(bodies, contains("Hello") && !contains("sk-secret-key"));
}

TEST_CASE("Visibility::bodies logs the elements of a stream as they came") {
  const auto answered = [](std::size_t most) {
    const auto script = std::make_shared<ScriptTransport>();
    script->push(Reply::stream(
        {"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"A "
         "sk-secret-key\"}}],\"token\":\"t0p\"}\n\n",
         "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"}));
    const auto lines = std::make_shared<Lines>(LogLevel::debug);
    const Client client({.api_key = "sk-secret-key",
                         .log = lines,
                         .visibility = {.bodies = most > 0, .max_body_bytes = most},
                         .transport = script,
                         .environment = std::make_shared<FakeEnvironment>(FakeEnvironment::Texts{})});
    CHECK(client.chat.stream({.model = "m", .messages = {chat::user("Hello")}}).collect());
    std::string all;
    for (const auto& line : lines->lines()) all += line + '\n';
    return all;
  };
  const auto shown = answered(4096);
  CHECK_THAT(shown,
             contains(R"(event 1: {"choices":[{"index":0,"delta":{"content":"A ***"}}],"token":"***"})"));
  CHECK_THAT(shown, contains(R"(event 2: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})"));
  CHECK_THAT(shown, !contains("sk-secret-key"));
  CHECK_THAT(answered(10), contains("event 2: {\"choices\"") && !contains("finish_reason"));
  CHECK_THAT(answered(0), !contains("event 1"));
}

TEST_CASE("ClientOptions::log replaces the log of INFERWIRE_LOG") {
  const auto lines = std::make_shared<Lines>(LogLevel::error);
  CHECK(written_with({{"INFERWIRE_LOG", "debug"}}, lines).empty());
  CHECK(lines->lines().size() == 1);
}

TEST_CASE("CallOptions::label stands in front of the lines of its call", "[log]") {
  const auto lines = std::make_shared<Lines>(LogLevel::debug);
  const auto script = std::make_shared<ScriptTransport>();
  const Client client({.api_key = "sk-secret-key", .log = lines, .transport = script});
  const chat::Request hot{.model = "m", .messages = {chat::user("Hello")}, .temperature = 3};
  const auto said_with = [&](std::string label) {
    script->push(Reply::error(400));
    const auto before = lines->lines().size();
    CHECK_FALSE(client.chat.create(hot, {.label = std::move(label)}));
    auto all = lines->lines();
    return std::vector<std::string>(all.begin() + static_cast<std::ptrdiff_t>(before), all.end());
  };
  CHECK_FALSE(said_with("").empty());
  const auto said = said_with("checkout\n17");
  CHECK(said.size() > 3);  // a preflight message, an attempt, an answer, an end
  for (const auto& line : said) CHECK(line.starts_with("[checkout 17] openai "));
}

TEST_CASE("what a server writes has no control characters in a log", "[log]") {
  const auto lines = std::make_shared<Lines>(LogLevel::debug);
  const auto script = std::make_shared<ScriptTransport>();
  const Client client({.api_key = "sk-secret-key", .log = lines, .transport = script});
  script->push(Reply::json("{\"error\":{\"message\":\"a\\u001B]0;b\\u009Bm\xC2\x9Bm\x7F\"}}", 400));
  CHECK_FALSE(client.chat.create({.model = "m", .messages = {chat::user("Hello")}}));
  std::string all;
  for (const auto& line : lines->lines()) all += line;
  CHECK_THAT(all, contains("a ]0;b m m "));
  CHECK(all.find_first_of("\x1B\x7F\x9B") == all.npos);
}

TEST_CASE("an Authorization of the caller's own is logged once", "[log]") {
  const auto lines = std::make_shared<Lines>(LogLevel::debug);
  const auto script = std::make_shared<ScriptTransport>();
  const Client client({.api_key = "sk-secret-key", .log = lines, .transport = script});
  const chat::Request request{.model = "m", .messages = {chat::user("Hello")}};
  const auto said = [&] {
    std::size_t count = 0;
    for (const auto& line : lines->lines()) count += line.find("caller's own") != line.npos ? 1 : 0;
    return count;
  };
  script->push(Reply::error(400));
  CHECK_FALSE(client.chat.create(request));
  CHECK(said() == 0);
  for (int call = 0; call < 2; ++call) {
    script->push(Reply::error(400));
    CHECK_FALSE(client.chat.create(request, {.headers = {{"authorization", "Bearer sk-of-the-caller"}}}));
    CHECK(said() == 1);
  }
}
