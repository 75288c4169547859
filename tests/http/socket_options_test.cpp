// The network options, as they appear at the sockets of this process.
#include "http/curl_calls.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/answering_server.hpp"
#include "support/stalled_resolver.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire_test;
using inferwire::http::make_curl_transport;
using inferwire::testing::MockServer;
using inferwire::testing::Reply;

namespace {

/// The socket of this process that is connected to `port` on the loopback; -1 if there is none.
int socket_to(int port) {
  constexpr int most = 1024;
  for (int fd = 0; fd < most; ++fd) {
    sockaddr_in6 peer{};  // or sockaddr_in, which has the port at the same place
    socklen_t size = sizeof peer;
    const bool connected = ::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) == 0;
    const bool has_port = peer.sin6_family == AF_INET || peer.sin6_family == AF_INET6;
    if (connected && has_port && ntohs(peer.sin6_port) == port) return fd;
  }
  return -1;
}

int option_of(int socket, int level, int name) {
  int value = 0;
  socklen_t size = sizeof value;
  REQUIRE(::getsockopt(socket, level, name, &value, &size) == 0);
  return value;
}

/// The local address of a socket.
std::string address_of(int socket) {
  sockaddr_in own{};
  socklen_t size = sizeof own;
  REQUIRE(::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size) == 0);
  char text[INET_ADDRSTRLEN]{};
  return ::inet_ntop(AF_INET, &own.sin_addr, text, sizeof text);
}

}  // namespace

TEST_CASE("unix_socket connects, and Host is that of the URL") {
  const auto path = "/tmp/inferwire-" + std::to_string(::getpid()) + ".sock";
  AnsweringServer server(Reply::json("{}"), {.unix_socket = path});
  CHECK(ask({.unix_socket = path}, "http://localhost:8080/v1").body == "{}");
  CHECK(find_header(server.requests().at(0).headers, "host") == "localhost:8080");
}

TEST_CASE("a connection is reused beside another whose bytes wait") {
  const bool over_unix_socket = GENERATE(false, true);
  CAPTURE(over_unix_socket);
  const auto path = over_unix_socket ? "/tmp/inferwire-" + std::to_string(::getpid()) + ".sock" : "";
  AnsweringServer server(Reply::json("{}"), {.unix_socket = path});
  const HttpRequest request{.url = server.url() + "/", .body = "{}"};
  const auto door = curl_door(true, {.unix_socket = path});
  server.push(Reply::stream({std::string(1u << 20, 'x')}));
  RecordingSink standing;
  const auto exchange = *door->start(request, standing, {});
  standing.at_body = [&] { exchange->pause(); };
  REQUIRE(drive_until(*exchange, [&] { return !standing.body.empty(); }));
  for (int i = 0; i < 3; ++i) CHECK(call(*door, request).body == "{}");
  CHECK(server.connections() == 2);
}

TEST_CASE("an error names the Unix socket that is not there") {
  const auto sink = ask({.unix_socket = "/tmp/inferwire-gone.sock"}, "http://localhost/v1");
  REQUIRE(sink.error);
  CHECK(sink.error->retryable);
  CHECK_THAT(sink.error->detail,
             contains("(/tmp/inferwire-gone.sock)") && contains("No such file") && !contains("localhost"));
}

TEST_CASE("local_interface binds connections, and an unknown one is Error{config}") {
  AnsweringServer server;
  for (const std::string address : {"127.0.0.1", "127.0.0.2"}) {
    const auto transport = make_curl_transport({.local_interface = address});
    CHECK(call(*transport, {.url = server.url() + "/"}).body == "{}");
    CHECK(address_of(socket_to(server.port())) == address);
  }
  const auto sink = ask({.local_interface = std::string(unknown_interface)}, server.url());
  REQUIRE(sink.error);
  CHECK(sink.error->kind == ErrorKind::config);
  CHECK_THAT(sink.error->detail, contains("network interface"));  // not every libcurl names the interface
}

TEST_CASE("keep_alive sets the socket's TCP keep-alive, by default 60 s") {
  AnsweringServer server;
  {
    const auto transport = make_curl_transport({.keep_alive = 41s});
    CHECK(call(*transport, {.url = server.url() + "/"}).body == "{}");
    const int socket = socket_to(server.port());
    CHECK(option_of(socket, SOL_SOCKET, SO_KEEPALIVE) == 1);
    CHECK(option_of(socket, IPPROTO_TCP, TCP_KEEPIDLE) == 41);
    CHECK(option_of(socket, IPPROTO_TCP, TCP_KEEPINTVL) == 20);
    CHECK(option_of(socket, IPPROTO_TCP, TCP_NODELAY) == 1);
  }
  {
    const auto transport = make_curl_transport();
    CHECK(call(*transport, {.url = server.url() + "/"}).body == "{}");
    const int socket = socket_to(server.port());
    CHECK(option_of(socket, SOL_SOCKET, SO_KEEPALIVE) == 1);
    CHECK(option_of(socket, IPPROTO_TCP, TCP_KEEPIDLE) == 60);
    CHECK(option_of(socket, IPPROTO_TCP, TCP_KEEPINTVL) == 30);
  }
  {
    const auto transport = make_curl_transport({.keep_alive = std::chrono::seconds::max()});
    CHECK(call(*transport, {.url = server.url() + "/"}).body == "{}");
    CHECK(option_of(socket_to(server.port()), IPPROTO_TCP, TCP_KEEPIDLE) == 32'767);
  }
  const auto transport = make_curl_transport({.keep_alive = std::nullopt});
  CHECK(call(*transport, {.url = server.url() + "/"}).body == "{}");
  CHECK(option_of(socket_to(server.port()), SOL_SOCKET, SO_KEEPALIVE) == 0);
}

#if defined(TCP_USER_TIMEOUT)
TEST_CASE("keep_alive sets TCP_USER_TIMEOUT of reused connections") {
  const std::string address = GENERATE("127.0.0.1", "::1");
  if (MockServer({.address = address}).problem()) {
    WARN("not tested: this machine has no IPv6");
    return;
  }
  AnsweringServer server(Reply::json("{}"), {.address = address});
  for (const bool many : {false, true}) {
    CAPTURE(address, many);
    const auto door = curl_door(many, {.keep_alive = 41s});
    CHECK(call(*door, {.url = server.url() + "/"}).body == "{}");
    const int socket = socket_to(server.port());
    CHECK(option_of(socket, IPPROTO_TCP, TCP_USER_TIMEOUT) == 0);
    CHECK(call(*door, {.url = server.url() + "/"}).body == "{}");
    CHECK(socket_to(server.port()) == socket);
    CHECK(option_of(socket, IPPROTO_TCP, TCP_USER_TIMEOUT) == 82'000);
  }
  const auto transport = make_curl_transport({.keep_alive = std::nullopt});
  for (int i = 0; i < 2; ++i) CHECK(call(*transport, {.url = server.url() + "/"}).body == "{}");
  CHECK(option_of(socket_to(server.port()), IPPROTO_TCP, TCP_USER_TIMEOUT) == 0);
}
#endif

TEST_CASE("sockets are close-on-exec") {
  AnsweringServer server;
  const auto transport = make_curl_transport();
  CHECK(call(*transport, {.url = server.url() + "/"}).body == "{}");
  CHECK((::fcntl(socket_to(server.port()), F_GETFD) & FD_CLOEXEC) != 0);
}
