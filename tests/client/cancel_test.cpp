/// \file
/// Cancelling at any moment of a call: it returns within 50 ms and its socket is closed.

#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/catch.hpp"

using namespace std::chrono_literals;
using inferwire::CallOptions;
using inferwire::CancelSource;
using inferwire::Client;
using inferwire::Credential;
using inferwire::Error;
using inferwire::ErrorKind;
using inferwire::HttpRequest;
using inferwire::Instant;
using inferwire::testing::Ending;
using inferwire::testing::MockServer;
using inferwire::testing::Reply;
namespace chat = inferwire::chat;

namespace {

using SteadyClock = std::chrono::steady_clock;

const chat::Request hello{.model = "m", .messages = {chat::user("Hello")}};

/// A resolver that does not answer for one name until it is let go.
struct SlowResolver {
  std::mutex mutex;
  std::condition_variable changed;
  int waiting{};
  bool open{};
} slow_resolver;

constexpr std::string_view slow_name = "slow.inferwire.test";

/// Waits for a condition that the call under test brings about.
template <class Condition>
void wait_until(Condition condition) {
  while (!condition()) std::this_thread::yield();
}

/// "At once": far below every timer in these tests. A quiet machine takes less than 50 ms, a busy one more.
constexpr auto at_once = 500ms;

struct Cancelled {
  std::optional<Error> error{};
  SteadyClock::duration took{};
};

/// Runs `call(token)` and cancels it as soon as `ready()` says so. What it took is that from there.
template <class Ready, class Call>
Cancelled cancel_when(Ready ready, Call call) {
  CancelSource source;
  SteadyClock::time_point cancelled;
  std::thread other([&] {
    wait_until(ready);
    cancelled = SteadyClock::now();
    source.cancel();
  });
  Cancelled out{.error = call(source.token())};
  const auto returned = SteadyClock::now();
  other.join();
  out.took = returned - cancelled;
  return out;
}

/// The same three times: the fastest counts.
template <class Ready, class Call>
void check_cancelled(Ready ready, Call call) {
  auto fastest = SteadyClock::duration::max();
  for (int i = 0; i < 3; ++i) {
    const auto cancelled = cancel_when(ready, call);
    REQUIRE(cancelled.error);
    CHECK(cancelled.error->kind == ErrorKind::cancelled);
    fastest = std::min(fastest, cancelled.took);
  }
  CHECK(fastest < at_once);
}

std::optional<Error> create(const Client& client, const inferwire::CancelToken& token) {
  const auto reply = client.chat.create(hello, {.cancel = token});
  return reply ? std::nullopt : std::optional(reply.error());
}

std::optional<Error> stream(const Client& client, const inferwire::CancelToken& token) {
  return client.chat.stream(hello, {.cancel = token}).collect().error;
}

/// A socket that listens and does nothing else.
class Listener {
 public:
  explicit Listener(int backlog) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), size) == 0);
    REQUIRE(::listen(fd_, backlog) == 0);
    REQUIRE(::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    address_ = address;
  }
  ~Listener() {
    for (const int fd : filling_) ::close(fd);
    ::close(fd_);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int port() const { return ntohs(address_.sin_port); }
  int accept() const { return ::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC); }

  /// Takes every place in the queue, so that nobody else is connected.
  void fill() {
    for (;;) {
      const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      filling_.push_back(fd);
      ::connect(fd, reinterpret_cast<const sockaddr*>(&address_), sizeof address_);
      pollfd connected{fd, POLLOUT, 0};
      if (::poll(&connected, 1, 200) == 0) return;
    }
  }

 private:
  int fd_;
  sockaddr_in address_{};
  std::vector<int> filling_;
};

/// How many sockets of this machine try to connect to a port (state SYN_SENT).
int connecting_to(int port) {
  char wanted[16];
  std::snprintf(wanted, sizeof wanted, ":%04X 02", static_cast<unsigned>(port));
  std::ifstream table("/proc/net/tcp");
  int count = 0;
  for (std::string line; std::getline(table, line);) count += line.find(wanted) != line.npos ? 1 : 0;
  return count;
}

}  // namespace

/// Takes the place of the C library's, for libcurl too.
extern "C" [[gnu::visibility("default")]] int getaddrinfo(const char* node, const char* service,
                                                          const addrinfo* hints, addrinfo** result) {
  if (node != nullptr && node == slow_name) {
    std::unique_lock lock(slow_resolver.mutex);
    ++slow_resolver.waiting;
    slow_resolver.changed.wait(lock, [] { return slow_resolver.open; });
    --slow_resolver.waiting;
    slow_resolver.changed.notify_all();
    return EAI_FAIL;
  }
  using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "getaddrinfo"));
  return real(node, service, hints, result);
}

TEST_CASE("a call is cancelled while its host's name is looked up", "[cancel]") {
  const Client client(
      {.base_url = "http://" + std::string(slow_name) + "/v1", .credential = Credential::none()});
  int seen = 0;
  const auto ready = [&seen] {
    const std::lock_guard lock(slow_resolver.mutex);
    if (slow_resolver.waiting == seen) return false;
    seen = slow_resolver.waiting;
    return true;
  };
  check_cancelled(ready, [&](const auto& token) { return create(client, token); });
  check_cancelled(ready, [&](const auto& token) { return stream(client, token); });
  // Nothing of libcurl's may run any more when the program ends.
  std::unique_lock lock(slow_resolver.mutex);
  slow_resolver.open = true;
  slow_resolver.changed.notify_all();
  slow_resolver.changed.wait(lock, [] { return slow_resolver.waiting == 0; });
  slow_resolver.open = false;
}

TEST_CASE("a call is cancelled while it connects", "[cancel]") {
  Listener listener(0);
  listener.fill();
  const auto others = connecting_to(listener.port());
  const Client client(
      {.base_url = "http://127.0.0.1:" + std::to_string(listener.port()), .credential = Credential::none()});
  check_cancelled([&] { return connecting_to(listener.port()) > others; },
                  [&](const auto& token) { return create(client, token); });
  const auto until = SteadyClock::now() + 5s;  // the kernel's table may lag behind
  while (connecting_to(listener.port()) > others && SteadyClock::now() < until) std::this_thread::yield();
  CHECK(connecting_to(listener.port()) <= others);
}

TEST_CASE("a call is cancelled in the middle of the TLS handshake", "[cancel]") {
  const Listener listener(5);
  const Client client(
      {.base_url = "https://127.0.0.1:" + std::to_string(listener.port()), .credential = Credential::none()});
  std::vector<int> accepted;
  const auto ready = [&] {
    accepted.push_back(listener.accept());
    pollfd readable{accepted.back(), POLLIN, 0};
    return ::poll(&readable, 1, 10'000) == 1;
  };
  check_cancelled(ready, [&](const auto& token) { return create(client, token); });
  for (const int server : accepted) {
    char bytes[4096];
    ssize_t got = 1;
    while (got > 0) got = ::recv(server, bytes, sizeof bytes, 0);
    CHECK(got == 0);  // the other side has closed
    ::close(server);
  }
}

TEST_CASE("a call is cancelled while the server says nothing, before the head and behind it", "[cancel]") {
  auto head_only = Reply::json("");
  head_only.claimed_length = 100;
  head_only.ending = Ending::silence;
  for (const auto& reply : {Reply::silence(), head_only}) {
    MockServer server;
    server.set_handler([&](const auto&) { return reply; });
    const Client client({.base_url = server.url(), .credential = Credential::none()});
    std::size_t seen = 0;
    const auto ready = [&] {
      if (server.requests().size() == seen) return false;
      seen = server.requests().size();
      return true;
    };
    check_cancelled(ready, [&](const auto& token) { return create(client, token); });
    check_cancelled(ready, [&](const auto& token) { return stream(client, token); });
    CHECK(server.wait_for_close(6, 2s));
  }
}

TEST_CASE("a stream whose reader went away is cancelled when it comes back", "[cancel]") {
  MockServer server;
  auto reply = Reply::stream(
      {"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"one\"},\"finish_reason\":null}]}\n\n"});
  reply.ending = Ending::silence;
  server.push(reply);
  const Client client({.base_url = server.url(), .credential = Credential::none()});
  CancelSource source;
  auto stream = client.chat.stream(hello, {.cancel = source.token()});
  REQUIRE(stream.next() != nullptr);
  source.cancel();
  const auto before = SteadyClock::now();
  const auto* last = stream.next();
  CHECK(SteadyClock::now() - before < at_once);
  REQUIRE(last != nullptr);
  REQUIRE_FALSE(*last);
  CHECK(last->error().kind == ErrorKind::cancelled);
  CHECK(server.wait_for_close(1, 2s));
}

namespace {

/// Wants a token of a place that never answers.
class Fetching final : public Credential {
 public:
  explicit Fetching(std::string url) : url_(std::move(url)) {}

  Prepared prepare(HttpRequest&, Instant) override {
    return Fetch{.request = {.method = "GET", .url = url_}};
  }

 private:
  std::string url_;
};

/// Waits for a token that another call fetches, and never gets it.
class Waiting final : public Credential {
 public:
  Prepared prepare(HttpRequest&, Instant) override {
    asked = true;
    return Wait{never_.token()};
  }
  std::atomic<bool> asked{false};

 private:
  CancelSource never_;
};

}  // namespace

TEST_CASE("a call is cancelled while it fetches a token, and while it waits for one", "[cancel]") {
  MockServer server;
  server.set_handler([](const auto&) { return Reply::silence(); });
  const Client fetching(
      {.base_url = server.url(), .credential = std::make_shared<Fetching>(server.url() + "/token")});
  std::size_t seen = 0;
  const auto requested = [&] {
    if (server.requests().size() == seen) return false;
    seen = server.requests().size();
    return true;
  };
  check_cancelled(requested, [&](const auto& token) { return create(fetching, token); });
  CHECK(server.wait_for_close(3, 2s));

  const auto waits = std::make_shared<Waiting>();
  const Client waiting({.base_url = server.url(), .credential = waits});
  check_cancelled([&] { return waits->asked.exchange(false); },
                  [&](const auto& token) { return create(waiting, token); });
}
