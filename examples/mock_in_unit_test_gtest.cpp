// Unit tests of your own code, with GoogleTest. The service is a server on a real socket with scripted
// faults, or, where a model has to answer, the embedded engine. They need no key and no network, and pass in
// any environment.
#include <gtest/gtest.h>
#include <inferwire/engine/engine.hpp>
#include <inferwire/engine/engine_transport.hpp>
#include <inferwire/inferwire.hpp>
#include <inferwire/testing/mock_server.hpp>

#include <memory>
#include <string>
#include <vector>

using namespace inferwire;

namespace {

/// The code under test: gives a title for a text, or the text's first words if no model can be reached.
std::string title_of(const Client& client, const std::string& text) {
  const auto reply = client.chat.create(
      {.model = "inferwire-toy", .messages = {chat::user("A title for: " + text)}, .max_tokens = 8});
  return reply && !reply->text().empty() ? reply->text() : text.substr(0, 12) + "...";
}

}  // namespace

TEST(Title, IsWhatTheModelSays) {
  inferwire::testing::MockServer server;
  server.push(inferwire::testing::Reply::json(
      R"({"choices": [{"index": 0, "message": {"role": "assistant", "content": "Rivers"}}]})"));
  const Client client({.base_url = server.url(), .api_key = "k", .environment = Environment::none()});
  EXPECT_EQ(title_of(client, "The Rhine rises in the Alps."), "Rivers");
  ASSERT_EQ(server.requests().size(), 1U);
  const auto sent = from_json<chat::Request>(server.requests()[0].body);
  ASSERT_TRUE(sent);
  EXPECT_EQ(sent->messages, std::vector{chat::user("A title for: The Rhine rises in the Alps.")});
  EXPECT_EQ(server.remaining(), 0U);
}

TEST(Title, IsTheBeginningWhenTheServiceIsDown) {
  inferwire::testing::MockServer server;
  server.push(inferwire::testing::Reply::error(503));
  const Client client({.base_url = server.url(),
                       .api_key = "k",
                       .retry = RetryPolicy::none(),
                       .environment = Environment::none()});
  EXPECT_EQ(title_of(client, "The Rhine rises in the Alps."), "The Rhine ri...");
}

TEST(Title, ComesFromTheEngineTheSameWayEveryTime) {
  const auto engine = std::make_shared<engine::Engine>(engine::EngineOptions{.seed = 7});
  const Client client({.base_url = "http://localhost/v1",
                       .credential = Credential::none(),
                       .transport = std::make_shared<engine::EngineTransport>(engine),
                       .environment = Environment::none()});
  const auto title = title_of(client, "The Rhine rises in the Alps.");
  EXPECT_FALSE(title.empty());
  EXPECT_EQ(title, title_of(client, "The Rhine rises in the Alps."));
}
