/// \file
/// Signals: the library leaves them to the program.
#include "faults/chat_service.hpp"
#include "support/catch.hpp"
#include "support/quiet_listener.hpp"
#include "support/raw_socket.hpp"
#include "support/sanitized.hpp"

#include <unistd.h>

#include <csignal>
#include <string>
#include <thread>

using namespace inferwire_test;
using namespace inferwire;
using namespace inferwire::testing;

namespace {

/// Gives SIGPIPE its default action, which ends the process, and restores the action that it had before.
class DeadlyPipe {
 public:
  DeadlyPipe() : before_(std::signal(SIGPIPE, SIG_DFL)) {}
  ~DeadlyPipe() { std::signal(SIGPIPE, before_); }
  DeadlyPipe(const DeadlyPipe&) = delete;
  DeadlyPipe& operator=(const DeadlyPipe&) = delete;

 private:
  void (*before_)(int);
};

/// Resets each of a number of connections when the first bytes of a request have arrived, every other one
/// after its end (FIN).
class Resetter {
 public:
  explicit Resetter(int connections)
      : thread_([this, connections] {
          for (int i = 0; i < connections; ++i) {
            const int descriptor = listener_.accept();
            if (descriptor < 0) return;
            auto connection = RawSocket::owning(descriptor);
            static_cast<void>(connection.read());
            if (i % 2 == 1) ::shutdown(connection.descriptor(), SHUT_WR);
          }
        }) {}
  ~Resetter() {
    listener_.stop();  // for a test that has failed before it made all connections
    thread_.join();
  }
  Resetter(const Resetter&) = delete;
  Resetter& operator=(const Resetter&) = delete;

  std::string url() const { return "http://" + listener_.place() + "/v1"; }

 private:
  QuietListener listener_;
  std::thread thread_;
};

/// A POST that is longer than what fits into the buffers of a connection, made by a blocking call and by an
/// asynchronous one. Both fail by the connection.
void post_at_length(const Client& client) {
  const auto body = Json::string(std::string(16u << 20, 'a'));
  const auto answer = client.request("POST", "/anything", body);
  REQUIRE_FALSE(answer);
  CHECK(answer.error().kind == ErrorKind::connection);
  const auto later = client.start("POST", "/anything", body).get();
  REQUIRE_FALSE(later);
  CHECK(later.error().kind == ErrorKind::connection);
}

}  // namespace

TEST_CASE("a connection that is reset during a request raises no SIGPIPE") {
  const DeadlyPipe deadly;
  constexpr int rounds = sanitized ? 4 : 10;
  const Resetter server(2 * rounds);
  const Client client({.base_url = server.url(), .api_key = "any", .retry = RetryPolicy::none()});
  for (int i = 0; i < rounds; ++i) post_at_length(client);
}

TEST_CASE("a TLS connection that is reset after a request raises no SIGPIPE") {
  const auto issuer = make_certificate();
  if (!issuer) {
    WARN("not tested: " << issuer.error().detail);
    return;
  }
  const DeadlyPipe deadly;
  MockServer server({.certificate = make_certificate({}, &*issuer).value()});
  server.set_handler([](const HttpRequest&) { return Reply::reset(); });
  auto options = options_for(server);
  options.network.ca_pem = issuer->pem;
  const Client client(options);
  for (int i = 0; i < (sanitized ? 2 : 5); ++i) post_at_length(client);
}

TEST_CASE("calls leave the handlers of signals as they are") {
  const auto before = std::signal(SIGPIPE, SIG_DFL);
  {
    MockServer server;
    server.set_handler(&good_answer);
    const auto client = strict_client_of(server);
    CHECK(client.chat.create(hello));
    CHECK(client.chat.start(hello).get());
  }
  CHECK(std::signal(SIGPIPE, before) == SIG_DFL);
}
