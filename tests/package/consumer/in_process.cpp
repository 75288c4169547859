// A chat with the embedded engine, as in a user's program.
#include <inferwire/engine/engine.hpp>
#include <inferwire/engine/engine_transport.hpp>
#include <inferwire/inferwire.hpp>

#include <cstdio>
#include <cstring>
#include <memory>

int main() {
  if (inferwire::version() != INFERWIRE_VERSION_STRING) return 1;
  inferwire::ClientOptions options;
  options.base_url = "https://engine.invalid/v1";
  options.api_key = "unused";
  options.transport =
      std::make_shared<inferwire::engine::EngineTransport>(std::make_shared<inferwire::engine::Engine>());
  const inferwire::Client client(options);

  const inferwire::chat::Request request{
      .model = "inferwire-toy", .messages = {inferwire::chat::user("Hello")}, .max_tokens = 8};
  const auto reply = client.chat.create(request);
  if (!reply) return std::fprintf(stderr, "%s\n", reply.error().message().c_str()), 2;

  std::size_t chunks = 0;
  for (const auto& chunk : client.chat.stream(request)) {
    if (!chunk) return std::fprintf(stderr, "%s\n", chunk.error().message().c_str()), 3;
    ++chunks;
  }
  std::printf("inferwire %s answered %zu bytes, then %zu chunks\n", INFERWIRE_VERSION_STRING,
              reply->text().size(), chunks);
  return reply->text().empty() || chunks == 0 ? 4 : 0;
}
