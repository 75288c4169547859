// What a MockServer needs of the system: descriptors, Unix sockets, and the number of bytes that a client has
// not taken.
#include "inferwire/testing/mock_server.hpp"
#include "support/catch.hpp"
#include "support/no_descriptors.hpp"
#include "support/raw_socket.hpp"
#include "support/shortest.hpp"
#include "support/temporary_file.hpp"

#include <chrono>
#include <filesystem>
#include <string>

using namespace std::chrono_literals;
using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

constexpr const char* get = "GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n";

void connect_to(const MockServer& server, const RawSocket& socket) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server.port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::connect(socket.descriptor(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
}

}  // namespace

TEST_CASE("a MockServer without a socket has a problem() and no URL") {
  auto server = [] {
    const NoDescriptors none;
    return MockServer();
  }();
  REQUIRE(server.problem());
  CHECK(server.problem()->kind == ErrorKind::connection);
  CHECK(server.url().empty());
  server.push(Reply::json("{}"));
  CHECK(server.requests().empty());
  CHECK_FALSE(server.wait_for_requests(1, 1ms));
  CHECK_FALSE(MockServer().problem());
}

TEST_CASE("MockServer without a file descriptor waits for one without spinning") {
  MockServer server;
  server.push(Reply::json("{}"));
  auto socket = RawSocket::owning(sockets::make());
  {
    const NoDescriptors none;
    connect_to(server, socket);
    socket.write(get);
    const auto work = work_of([&] { CHECK_FALSE(server.wait_for_requests(1, 200ms)); });
    CHECK(work < 50ms);
  }
  CHECK(socket.read_until("{}").ends_with("{}"));
}

TEST_CASE("Ending::reset comes after all bytes sent before it") {
  const std::string body(5'000'000, 'x');
  for (int i = 0; i < 3; ++i) {
    MockServer server;
    server.push(Reply::json(body + "y").cut_after(body.size(), Ending::reset));
    RawSocket socket(server.port());
    socket.write(get);
    const auto answer = socket.read_all();
    CHECK(answer.size() - answer.find("\r\n\r\n") - 4 == body.size());
  }
}

TEST_CASE("MockServer removes the path of its Unix socket at its end") {
  const TemporaryFile path;
  {
    const MockServer server(MockServerOptions{.unix_socket = path.path()});
    REQUIRE_FALSE(server.problem());
    CHECK(std::filesystem::exists(path.path()));
  }
  CHECK_FALSE(std::filesystem::exists(path.path()));
}
