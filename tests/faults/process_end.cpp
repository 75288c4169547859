// A process that ends or forks with streams open. Exits with 0 if all is well.
//
// usage: process_end exit|return|statics|fork|tls
#include "faults/chat_service.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

using namespace inferwire_test;
using namespace inferwire;
using namespace inferwire::testing;

namespace {

/// The server. It is never destroyed, so that a child of fork() need not wait for a thread that does not
/// exist in it.
MockServer& server() {
  static auto* const one = new MockServer;
  return *one;
}

/// Begins a stream that says one word; the rest waits for `more`.
Stream<chat::Chunk> begin_stream(const Client& client, const Gate& more) {
  auto reply = Reply::stream({chunk("one "), chunk("two ") + chunk("three", R"("stop")") + done});
  reply.body[1].gate = more;
  server().push(reply);
  auto stream = client.chat.stream(hello);
  const auto* first = stream.next();
  if (first == nullptr || !*first) std::_Exit(2);
  return stream;
}

std::optional<Client> static_client;
std::optional<Stream<chat::Chunk>> static_stream;

std::vector<Pending<chat::Response>> static_calls;

/// Begins calls that are in their TLS handshakes, or wait for one, when the process ends. The client is made
/// before the certificate, as if the server were another process: it is the first to initialise OpenSSL.
void begin_tls_calls() {
  static_client.emplace();
  const auto certificate = make_certificate().value();
  static auto* const secure = new MockServer({.certificate = certificate});
  secure->set_handler(
      [](const HttpRequest& request) { return good_answer(request).with("Connection", "close"); });
  static_client.emplace(ClientOptions{
      .base_url = secure->url() + "/v1", .api_key = "sk-secret", .network = {.ca_pem = certificate.pem}});
  constexpr int count = 60;
  for (int i = 0; i < count; ++i) static_calls.push_back(static_client->chat.start(hello));
  secure->wait_for_requests(count / 4);
}

/// Forks. The child keeps or destroys the inherited stream and client; the parent's stream continues.
int fork_with(bool child_destroys) {
  Gate more;
  auto client = std::make_unique<Client>(strict_client_of(server()));
  auto stream = std::make_unique<Stream<chat::Chunk>>(begin_stream(*client, more));
  server().set_handler(&good_answer);
  const auto child = ::fork();
  if (child == 0) {
    if (child_destroys) {
      stream.reset();
      client.reset();
    }
    const auto fresh = strict_client_of(server());
    const bool good = fresh.chat.create(hello) && fresh.chat.stream(hello).collect();
    static_cast<void>(stream.release());
    static_cast<void>(client.release());
    std::_Exit(good ? 0 : 3);
  }
  int status{};
  ::waitpid(child, &status, 0);
  more.open();
  const auto rest = stream->collect();
  const bool whole = stream->end_reason() == inferwire::EndReason::done;
  const bool good = whole && rest.response.text() == "two three" && client->chat.create(hello);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return 4;
  return good ? 0 : 5;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view how = count > 1 ? arguments[1] : "";
  if (how == "exit") {
    const auto client = strict_client_of(server());
    const auto stream = begin_stream(client, Gate());
    std::exit(0);
  }
  if (how == "return") {
    const auto client = strict_client_of(server());
    const auto stream = begin_stream(client, Gate());
    return 0;
  }
  if (how == "statics") {
    static_client.emplace(strict_client_of(server()));
    static_stream.emplace(begin_stream(*static_client, Gate()));
    return 0;
  }
  if (how == "tls") {
    begin_tls_calls();
    return 0;
  }
  if (how == "fork") {
    const int left_alone = fork_with(false);
    return left_alone != 0 ? left_alone : fork_with(true);
  }
  return 1;
}
