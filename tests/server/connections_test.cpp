// What the server does with the connections that it has accepted.
#include "server/http_client.hpp"
#include "support/catch.hpp"
#include "support/eventually.hpp"
#include "support/no_descriptors.hpp"
#include "support/open_files.hpp"
#include "support/raw_socket.hpp"
#include "support/thread_stacks.hpp"

#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace inferwire;
using namespace inferwire_test;
using namespace std::chrono_literals;
using server::HttpServer;

namespace {

struct Flood {
  std::string answer{};
  int megabytes_sent{};
};

/// Sends gigabytes behind `head`, as long as the server takes them.
Flood flood(int port, const std::string& head) {
  RawSocket client(port);
  client.write(head + "Host: localhost\r\nContent-Length: 5368709120\r\n\r\n");
  auto sending = std::async(std::launch::async, [&] {
    const std::string piece(1 << 20, 'x');
    int sent = 0;
    while (sent < 5000 && client.write(piece)) ++sent;
    return sent;
  });
  auto answer = client.read_all();
  return {std::move(answer), sending.get()};
}

#ifdef __linux__
/// The socket of this process that listens on a port; -1 if nothing listens there.
int listening_socket(int port) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const int socket = std::stoi(entry.path().filename().string());
    int listens = 0;
    sockaddr_in address{};
    socklen_t sizes[]{sizeof listens, sizeof address};
    if (::getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, &sizes[0]) != 0 || listens == 0) continue;
    if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &sizes[1]) != 0) continue;
    if (ntohs(address.sin_port) == port) return socket;
  }
  return -1;
}

/// The number of clients that may wait to be accepted on a port of this process.
int backlog_of(int port) {
  tcp_info info{};
  socklen_t size = sizeof info;
  REQUIRE(::getsockopt(listening_socket(port), IPPROTO_TCP, TCP_INFO, &info, &size) == 0);
  return static_cast<int>(info.tcpi_sacked);  // for a listening socket this field is the backlog
}

/// Makes the server's attempt to accept a connection fail.
void fail_to_accept(int port) { REQUIRE(::shutdown(listening_socket(port), SHUT_RDWR) == 0); }

bool is_answered(RawSocket& client) {
  client.write(post("/v1/x", "{}"));
  return client.read_until("{}").ends_with("{}");
}

/// Whether a new client gets an answer.
bool takes_clients(int port) {
  try {
    RawSocket client(port);
    return is_answered(client);
  } catch (const std::runtime_error&) {  // it cannot connect
    return false;
  }
}
#endif

}  // namespace

TEST_CASE("an answer is stopped when its client disconnects, streamed or not, working or waiting") {
  const auto wait = GENERATE(0ms, 3'600'000ms);
  const bool streamed = GENERATE(true, false);
  const auto begun = streamed ? send("data: 1\n\n") : work();
  const auto service = std::make_shared<ScriptedService>(
      ScriptedAnswer{.streamed = streamed, .steps = {begun, pause_for(wait)}, .endless = true});
  auto server = HttpServer::start(service).value();
  const auto files_before = open_files();
  RawSocket stays(server.port());
  stays.write(post("/v1/x", "{}"));
  {
    RawSocket client(server.port());
    client.write(post("/v1/x", "{}"));
    if (streamed) client.read_until("data: 1");
    CHECK(eventually([&] { return service->running == 2; }));
  }
  CHECK(eventually([&] { return service->running == 1; }));
  stays.close();
  CHECK(eventually([&] { return service->running == 0 && open_files() <= files_before; }));
}

TEST_CASE("the client of a proxy whose upstream is silent may leave") {
  const auto upstream =
      std::make_shared<ScriptedService>(ScriptedAnswer{.streamed = false, .steps = {pause_for(3'600'000ms)}});
  auto server = HttpServer::start(proxy_of(upstream)).value();
  RawSocket client(server.port());
  client.write(post("/v1/x", "{}"));
  REQUIRE(eventually([&] { return upstream->running == 1; }));
  client.close();
  CHECK(eventually([&] { return upstream->running == 0; }));
}

TEST_CASE("a body of gigabytes is refused at once, and the connection closed") {
  const auto service = std::make_shared<ScriptedService>(whole("too large"), 1000);
  auto server = HttpServer::start(service).value();
  const std::string head =
      GENERATE(as<std::string>{}, "POST /v1/x HTTP/1.1\r\n", "PUT /v1/x HTTP/1.1\r\n",
               "GET /v1/x HTTP/1.1\r\n", "OPTIONS /v1/x HTTP/1.1\r\n", "PRI /v1/x HTTP/1.1\r\n",
               "POST /v1/x HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\n",
               "POST /" + std::string(7000, 'a') + " HTTP/1.1\r\n");
  CAPTURE(head);
  const auto [answer, megabytes_sent] = flood(server.port(), head);
  CHECK_THAT(answer, contains("too large"));
  CHECK(megabytes_sent < 100);
  REQUIRE(service->requests().size() == 1);
  CHECK(service->requests().front().body.size() <= 1001);
}

TEST_CASE("a body of gigabytes in an unknown encoding is refused at once") {
  const auto service = std::make_shared<ScriptedService>(whole("too large"), 1000);
  auto server = HttpServer::start(service).value();
  const auto [answer, megabytes_sent] =
      flood(server.port(), "POST /v1/x HTTP/1.1\r\nContent-Encoding: none-that-there-is\r\n");
  // Newer versions of cpp-httplib refuse the encoding themselves; older ones pass the body on as it is.
  CHECK(megabytes_sent < 100);
  if (answer.starts_with("HTTP/1.1 400") && service->requests().empty()) return;
  CHECK_THAT(answer, contains("too large"));
  REQUIRE(service->requests().size() == 1);
  CHECK(service->requests().front().body.size() <= 1001);
}

TEST_CASE("stop returns promptly while streams flow, wait, idle, or are not read") {
  const auto wait = GENERATE(0ms, 3'600'000ms);
  auto server =
      HttpServer::start(std::make_shared<ScriptedService>(ScriptedAnswer{
                            .steps = {send(std::string(10'000, 'x')), pause_for(wait)}, .endless = true}))
          .value();
  std::vector<RawSocket> clients;
  for (int i = 0; i < 10; ++i) {
    clients.emplace_back(server.port());
    clients.back().write(post("/v1/x", "{}"));
    clients.back().read();
  }
  for (int i = 0; i < 5; ++i) clients.emplace_back(server.port());  // connected, and silent
  CHECK(time_of_stop(server) < 2s);
  for (auto& client : clients) {
    const auto rest = client.read_all();
    CHECK(rest.find("\r\n0\r\n\r\n") == rest.npos);
  }
  server.stop();  // a second stop does nothing
}

TEST_CASE("stop returns promptly while kept-alive connections idle, and closes all") {
  const auto* const host = GENERATE("127.0.0.1", "0.0.0.0");
  const bool out_of_descriptors = GENERATE(false, true);
  const auto files_before = open_files();
  {
    auto server = HttpServer::start(std::make_shared<ScriptedService>(whole("{}")), {.host = host}).value();
    RawSocket client(server.port());
    client.write(post("/v1/x", "{}"));
    client.read_until("{}");
    {
      const auto none = out_of_descriptors ? std::make_unique<NoDescriptors>() : nullptr;
      CHECK(time_of_stop(server) < 2s);
    }
    CHECK(client.read_all().empty());
  }
  CHECK(open_files() == files_before);
}

#ifdef __linux__
TEST_CASE("many clients may wait to be accepted") {
  auto server = HttpServer::start(std::make_shared<ScriptedService>(whole("{}"))).value();
  // A client beyond the backlog tries again only after a second. Older versions of Linux allow 128 at most.
  CHECK(backlog_of(server.port()) >= 128);
}

TEST_CASE("a server listens again after it could not accept a connection, unless it is stopped") {
  auto server = HttpServer::start(std::make_shared<ScriptedService>(whole("{}"))).value();
  RawSocket early(server.port());
  REQUIRE(is_answered(early));
  fail_to_accept(server.port());
  CHECK(eventually([&] { return takes_clients(server.port()); }));
  CHECK(backlog_of(server.port()) >= 128);
  CHECK(is_answered(early));
  fail_to_accept(server.port());
  CHECK(time_of_stop(server) < 2s);
}

TEST_CASE("a server that can start no thread for its connections answers one after the other") {
  auto server = HttpServer::start(std::make_shared<ScriptedService>(whole("{}"))).value();
  const ThreadStacks none(stack_of_none);
  for (int i = 0; i < 2; ++i) {
    RawSocket client(server.port());
    client.write(post("/v1/x", "{}"));
    CHECK_THAT(client.read_all(), contains("Connection: close") && contains("{}"));
  }
}
#endif
