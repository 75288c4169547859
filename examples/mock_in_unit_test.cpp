// Unit tests of your own code, with Catch2. The service is a script in the process, or a server on a real
// socket with scripted faults. They need no key and no network, and pass in any environment.
#include <inferwire/inferwire.hpp>
#include <inferwire/testing/manual_clock.hpp>
#include <inferwire/testing/mock_server.hpp>
#include <inferwire/testing/script_transport.hpp>

#include <chrono>
#include <memory>
#include <string>

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif

namespace chat = inferwire::chat;
namespace testing = inferwire::testing;

namespace {

/// The code under test: greets, or says why it cannot.
std::string greet(const inferwire::Client& client, const std::string& name) {
  auto stream = client.chat.stream({.model = "m", .messages = {chat::user("Greet " + name)}});
  const auto greeting = stream.collect();
  return greeting ? greeting.response.text()
                  : "no answer: " + std::string(inferwire::name(greeting.error->kind));
}

const std::string hello =
    R"(data: {"choices": [{"index": 0, "delta": {"content": "Hello, Ada"}, "finish_reason": "stop"}]})"
    "\n\ndata: [DONE]\n\n";

}  // namespace

TEST_CASE("the greeting is what the model says, however the bytes are split") {
  const auto script = std::make_shared<testing::ScriptTransport>();
  script->push(testing::Reply::stream({hello}).in_pieces_of(3));
  const inferwire::Client client({.transport = script, .environment = inferwire::Environment::none()});
  CHECK(greet(client, "Ada") == "Hello, Ada");
  CHECK(script->requests().at(0).body.text().find("Greet Ada") != std::string::npos);
}

TEST_CASE("a model that falls silent is given up after five minutes, which the test does not wait for") {
  const auto clock = std::make_shared<testing::ManualClock>();
  const auto script = std::make_shared<testing::ScriptTransport>(clock);
  script->push(testing::Reply::stream({hello}).cut_after(20, testing::Ending::silence));
  const inferwire::Client client({.retry = inferwire::RetryPolicy::none(),
                                  .transport = script,
                                  .environment = inferwire::Environment::none(),
                                  .clock = clock});
  CHECK(greet(client, "Ada") == "no answer: timeout");
}

TEST_CASE("a connection that breaks in the middle is tried again, and then is no greeting") {
  testing::MockServer server;
  for (int attempt = 0; attempt < 2; ++attempt) server.push(testing::Reply::stream({hello}).cut_after(20));
  const inferwire::Client client({.base_url = server.url(),
                                  .api_key = "k",
                                  .retry = {.max_retries = 1, .first_delay = std::chrono::milliseconds(1)},
                                  .environment = inferwire::Environment::none()});
  CHECK(greet(client, "Ada") == "no answer: connection");
  CHECK(server.requests().size() == 2);
}
