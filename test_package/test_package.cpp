#include <inferwire/inferwire.hpp>

#include <cstdio>

int main() {
  const inferwire::Client client({.base_url = "no url at all", .api_key = "a-key"});
  const auto reply = client.chat.create({.model = "m", .messages = {inferwire::chat::user("Hello")}});
  std::printf("inferwire %s: %s\n", INFERWIRE_VERSION_STRING,
              reply ? "answered" : reply.error().message().c_str());
  return !reply && reply.error().kind == inferwire::ErrorKind::config ? 0 : 1;
}
