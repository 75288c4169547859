// Many calls on one HTTP/2 connection: a real HTTP/2 server, nghttpx, in front of the mock server.
#include "faults/chat_service.hpp"
#include "support/answering_server.hpp"
#include "support/baton.hpp"
#include "support/catch.hpp"
#include "support/coroutine.hpp"
#include "support/tls_proxy.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

using namespace inferwire_test;
using namespace inferwire;
using namespace inferwire::testing;

namespace {

constexpr std::size_t many = 100;

/// Whether there can be a proxy. Warns if there cannot.
bool can_be_tested() {
  const auto certificate = inferwire::testing::make_certificate();
  if (!certificate) WARN("not tested: " << certificate.error().detail);
  if (TlsProxy::program().empty())
    WARN("not tested: there is no nghttpx on this machine (Debian: nghttp2-proxy)");
  return certificate && !TlsProxy::program().empty();
}

Client client_of(const TlsProxy& proxy) {
  return Client({.base_url = proxy.url() + "/v1",
                 .api_key = "sk-secret",
                 .retry = inferwire::RetryPolicy::none(),
                 .network = {.ca_pem = proxy.certificate, .http_version = HttpVersion::http2}});
}

/// A stream whose second half waits for `gate`.
Reply waiting_for(const Gate& gate) {
  auto reply = Reply::stream({chunk("1"), chunk("2", R"("stop")") + done});
  reply.body[1].gate = gate;
  return reply;
}

/// The number of this process's connections to `port`.
std::size_t connections_to(std::uint16_t port) {
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator("/proc/self/fd")) {
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    const int descriptor = std::stoi(file.path().filename().string());
    if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
    if (peer.sin_family == AF_INET && peer.sin_port == htons(port)) ++count;
  }
  return count;
}

/// The combined results of the readers of many streams.
struct Readers {
  explicit Readers(std::size_t count) : streams_(count) {}

  void listen(AsyncStream<chat::Chunk> stream) {
    auto& own = kept_.emplace_back(std::move(stream));
    own.listen(
        [this, begun = false](const chat::Chunk& chunk) mutable {
          bytes += chunk.text().size();
          if (!std::exchange(begun, true) && ++begun_ == streams_) all_begun.pass(true);
        },
        [this](Result<void> outcome) {
          whole += outcome ? 1 : 0;
          if (!outcome) all_begun.pass(false);  // the others need not wait in vain
          if (++ended_ == streams_) all_ended.pass(true);
        });
  }

  void leave() { kept_.clear(); }

  Baton<bool> all_begun;
  Baton<bool> all_ended;
  std::atomic<std::size_t> whole{0};
  std::atomic<std::size_t> bytes{0};

 private:
  std::size_t streams_;
  std::atomic<std::size_t> begun_{0};
  std::atomic<std::size_t> ended_{0};
  std::vector<AsyncStream<chat::Chunk>> kept_;
};

}  // namespace

TEST_CASE("a hundred streams share a connection of HTTP/2") {
  if (!can_be_tested()) return;
  constexpr std::size_t pieces = 50;
  const std::string text(2'000, 'x');  // the pieces of a stream exceed an HTTP/2 window
  const Gate all_are_there;
  MockServer server;
  server.set_handler([&](const HttpRequest&) {
    auto reply = Reply::stream({chunk("1"), chunk(text), chunk("", R"("stop")") + done});
    reply.body[1].gate = all_are_there;
    reply.body[1].times = pieces;
    return reply;
  });
  const TlsProxy proxy(server.port());
  REQUIRE(proxy.works());
  const auto client = client_of(proxy);
  Readers readers(many);
  for (std::size_t i = 0; i < many; ++i) readers.listen(client.chat.open(hello));
  REQUIRE(readers.all_begun.take());  // while none of them can end
  CHECK(connections_to(proxy.port()) == 1);
  Gate(all_are_there).open();
  readers.all_ended.take();
  CHECK(readers.whole == many);
  CHECK(readers.bytes == many * (1 + pieces * text.size()));
  CHECK(connections_to(proxy.port()) == 1);
}

TEST_CASE("more streams than a connection of HTTP/2 carries share as few as they can") {
  if (!can_be_tested()) return;
  constexpr std::size_t connections = 3;
  const Gate all_are_there;
  AnsweringServer server(waiting_for(all_are_there));
  const TlsProxy proxy(server.port());
  REQUIRE(proxy.works());
  const auto client = client_of(proxy);
  Readers readers(connections * many);
  for (std::size_t i = 0; i < connections * many; ++i) readers.listen(client.chat.open(hello));
  REQUIRE(readers.all_begun.take());
  CHECK(connections_to(proxy.port()) == connections);
  Gate(all_are_there).open();
  readers.all_ended.take();
  CHECK(readers.whole == connections * many);
}

TEST_CASE("HttpVersion::http2 lets calls over plain http begin at once") {
  AnsweringServer server(Reply::silence());
  const Client client({.base_url = server.url() + "/v1",
                       .api_key = "sk-secret",
                       .network = {.http_version = HttpVersion::http2}});
  const auto first = client.chat.start(hello);
  const auto second = client.chat.start(hello);
  CHECK(server.wait_for_requests(2));
}

TEST_CASE("calls over HTTP/2, at once and one after the other, share a connection") {
  if (!can_be_tested()) return;
  MockServer server;
  server.set_handler(&good_answer);
  const TlsProxy proxy(server.port());
  REQUIRE(proxy.works());
  const auto client = client_of(proxy);
  for (int round = 0; round < 3; ++round) {
    std::vector<inferwire::Pending<chat::Response>> calls;
    for (std::size_t i = 0; i < many; ++i) calls.push_back(client.chat.start(hello));
    std::size_t good = 0;
    for (auto& call : calls) {
      const auto reply = call.get();
      good += reply && reply->text() == "one two three" ? 1 : 0;
    }
    CHECK(good == many);
    CHECK(connections_to(proxy.port()) == 1);
  }
}

TEST_CASE("cancelling a stream of HTTP/2 leaves the others of its connection alone") {
  if (!can_be_tested()) return;
  const Gate end;
  AnsweringServer server(waiting_for(end));
  const TlsProxy proxy(server.port());
  REQUIRE(proxy.works());
  const auto client = client_of(proxy);
  Readers readers(many / 2);
  Readers leaving(many / 2);
  for (std::size_t i = 0; i < many / 2; ++i) {
    readers.listen(client.chat.open(hello));
    leaving.listen(client.chat.open(hello));
  }
  REQUIRE(readers.all_begun.take());
  REQUIRE(leaving.all_begun.take());
  leaving.leave();
  Gate(end).open();
  readers.all_ended.take();
  CHECK(readers.whole == many / 2);
  CHECK(readers.bytes == many / 2 * 2);
  CHECK(connections_to(proxy.port()) == 1);
}

TEST_CASE("cancelling the only stream of an HTTP/2 connection is told to the server at once") {
  if (!can_be_tested()) return;
  const Gate never;
  AnsweringServer server(waiting_for(never));
  const TlsProxy proxy(server.port());
  REQUIRE(proxy.works());
  const auto client = client_of(proxy);
  for (std::size_t i = 1; i <= 3; ++i) {
    {
      auto stream = client.chat.stream(hello);
      const auto* const first = stream.next();
      REQUIRE(first != nullptr);
      REQUIRE(*first);
    }
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (server.closed_by_client() < i && std::chrono::steady_clock::now() < limit)
      std::this_thread::yield();
    CHECK(server.closed_by_client() == i);
  }
}

TEST_CASE("a reader that stands still does not hold up the other streams of its HTTP/2 connection") {
  if (!can_be_tested()) return;
  MockServer server;
  server.set_handler([&](const HttpRequest& request) {
    auto reply = Reply::stream({chunk(std::string(1'000, 'x')), chunk("", R"("stop")") + done});
    reply.body[0].times = inferwire::find_header(request.headers, "x-flood") ? 20'000 : 100;
    return reply;
  });
  const TlsProxy proxy(server.port());
  REQUIRE(proxy.works());
  const auto client = client_of(proxy);
  auto still = client.chat.open(hello, {.headers = {{"X-Flood", "yes"}}});
  auto first = [](AsyncStream<chat::Chunk>& stream, Baton<bool>& read) -> Detached {
    const auto* const element = co_await stream.next();
    read.pass(element != nullptr && element->has_value());
  };
  Baton<bool> standing;
  first(still, standing);
  REQUIRE(standing.take());
  Readers readers(many);
  for (std::size_t i = 0; i < many; ++i) readers.listen(client.chat.open(hello));
  readers.all_ended.take();
  CHECK(readers.whole == many);
  CHECK(readers.bytes == many * 100 * 1'000);
}
