// A chat with the engine over a port of this machine.
#include <inferwire/engine/engine.hpp>
#include <inferwire/inferwire.hpp>
#include <inferwire/server/http_server.hpp>

#include <cstdio>
#include <memory>

int main() {
  auto server = inferwire::server::HttpServer::start(std::make_shared<inferwire::engine::Engine>());
  if (!server) return std::fprintf(stderr, "%s\n", server.error().message().c_str()), 1;

  inferwire::ClientOptions options;
  options.base_url = server->base_url() + "/v1";
  options.api_key = "unused";
  const inferwire::Client client(options);
  const auto reply = client.chat.create(
      {.model = "inferwire-toy", .messages = {inferwire::chat::user("Hello")}, .max_tokens = 8});
  if (!reply) return std::fprintf(stderr, "%s\n", reply.error().message().c_str()), 2;
  std::printf("%zu bytes over %s\n", reply->text().size(), server->base_url().c_str());
  return reply->text().empty() ? 3 : 0;
}
