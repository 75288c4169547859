// A chat with a server that gives the answer that a test has set.
#include <inferwire/inferwire.hpp>
#include <inferwire/testing/mock_server.hpp>
#include <inferwire/testing/reply.hpp>

#include <cstdio>

int main() {
  inferwire::testing::MockServer server;
  server.push(inferwire::testing::Reply::json(
      R"({"choices": [{"index": 0, "message": {"content": "Hello, Ada"}, "finish_reason": "stop"}]})"));

  inferwire::ClientOptions options;
  options.base_url = server.url();
  options.api_key = "unused";
  const inferwire::Client client(options);
  const auto reply = client.chat.create({.model = "m", .messages = {inferwire::chat::user("Hello")}});
  if (!reply) return std::fprintf(stderr, "%s\n", reply.error().message().c_str()), 1;
  std::printf("%s\n", reply->text().c_str());
  return reply->text() == "Hello, Ada" && server.requests().size() == 1 ? 0 : 2;
}
