// Every system call of a client fails once: the result is the answer or an Error that may be retried, nothing
// hangs or leaks, and the client still works. A separate program, since it replaces functions of the C
// library, for libcurl and OpenSSL too.
#include "faults/chat_service.hpp"
#include "faults/server_process.hpp"
#include "inferwire/batch.hpp"
#include "support/catch.hpp"
#include "support/eventually.hpp"
#include "support/open_files.hpp"
#include "support/temporary_file.hpp"

#include <dlfcn.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using namespace inferwire_test;
using namespace inferwire;
using namespace inferwire::testing;

namespace {

enum class Call { connect, epoll_create1, epoll_ctl, epoll_wait, eventfd, poll, read, recv, send, socket };

constexpr int one_byte = -1;  // no error: the call moves a single byte

struct Fault {
  Call call;
  int error;  // `one_byte`, or an errno
};

constexpr Fault faults[] = {
    {Call::socket, EMFILE},        {Call::connect, ENETUNREACH}, {Call::send, ECONNRESET},
    {Call::send, ENOBUFS},         {Call::send, one_byte},       {Call::recv, ECONNRESET},
    {Call::recv, EINTR},           {Call::recv, one_byte},       {Call::poll, EINTR},
    {Call::epoll_create1, EMFILE}, {Call::epoll_ctl, ENOSPC},    {Call::epoll_wait, EINTR},
    {Call::eventfd, EMFILE},
};

// What is to fail, and how many calls of its kind there were, on any thread.
Fault planned{};
int fails_at{};
std::atomic<int> calls{0};
std::atomic<bool> armed{false};

void arm(Fault fault, int at) noexcept {
  planned = fault;
  fails_at = at;
  calls = 0;
  armed = true;
}
/// Returns whether the call has failed since `arm`.
bool disarm() noexcept {
  armed = false;
  return calls >= fails_at;
}

/// Whether this call has to fail. One that moves `size` bytes may have to move a single byte instead.
bool fails(Call call, std::size_t* size = nullptr) noexcept {
  if (!armed || planned.call != call || ++calls != fails_at) return false;
  if (planned.error == one_byte) {
    *size = std::min<std::size_t>(*size, 1);
    return false;
  }
  errno = planned.error;
  return true;
}

/// The C library's function, which the one of this program hides.
template <class Function>
Function real(Function, const char* name) noexcept {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {
int socket(int domain, int type, int protocol) noexcept {
  return fails(Call::socket) ? -1 : real(&::socket, "socket")(domain, type, protocol);
}
int connect(int fd, const sockaddr* address, socklen_t size) {
  return fails(Call::connect) ? -1 : real(&::connect, "connect")(fd, address, size);
}
ssize_t send(int fd, const void* bytes, std::size_t size, int flags) {
  return fails(Call::send, &size) ? -1 : real(&::send, "send")(fd, bytes, size, flags);
}
ssize_t recv(int fd, void* bytes, std::size_t size, int flags) {
  return fails(Call::recv, &size) ? -1 : real(&::recv, "recv")(fd, bytes, size, flags);
}
ssize_t read(int fd, void* bytes, std::size_t size) {
  return fails(Call::read, &size) ? -1 : real(&::read, "read")(fd, bytes, size);
}
int poll(pollfd* fds, nfds_t count, int timeout) {
  return fails(Call::poll) ? -1 : real(&::poll, "poll")(fds, count, timeout);
}
int epoll_create1(int flags) noexcept {
  return fails(Call::epoll_create1) ? -1 : real(&::epoll_create1, "epoll_create1")(flags);
}
int epoll_ctl(int epoll, int operation, int fd, epoll_event* event) noexcept {
  if (operation != EPOLL_CTL_DEL && fails(Call::epoll_ctl)) return -1;
  return real(&::epoll_ctl, "epoll_ctl")(epoll, operation, fd, event);
}
int epoll_wait(int epoll, epoll_event* events, int most, int timeout) {
  return fails(Call::epoll_wait) ? -1 : real(&::epoll_wait, "epoll_wait")(epoll, events, most, timeout);
}
int eventfd(unsigned int value, int flags) noexcept {
  return fails(Call::eventfd) ? -1 : real(&::eventfd, "eventfd")(value, flags);
}
}
#pragma GCC visibility pop

namespace {

chat::Request question(const std::string& text) { return {.model = "m", .messages = {chat::user(text)}}; }

/// The texts of questions have the same length: requests that are confused look alike.
Reply echo(const HttpRequest& request) {
  const auto body = request.body.text();
  const std::string text = body.find("first") != body.npos ? "first" : "other";
  return wants_stream(request) ? whole_stream({text, " ", text}) : Reply::json(answer_of(text));
}

ClientOptions options_at(const std::string& url) {
  return {.base_url = url + "/v1",
          .api_key = "k",
          .timeouts = {.connect = 5s, .first_byte = 5s, .idle = 5s},
          .retry = RetryPolicy::none(),
          .environment = Environment::none()};
}

/// Checks an answer and its error, if it has one; returns whether it has none.
bool check(const std::string& text, const std::string& expected, const Optional<Error>& error) {
  if (!error) {
    CHECK(text == expected);
    return true;
  }
  CAPTURE(error->message());
  CHECK(expected.starts_with(text));
  CHECK((error->kind == ErrorKind::connection || error->kind == ErrorKind::tls));
  CHECK(error->retryable);
  return false;
}
bool check(const Result<chat::Response>& reply, const std::string& expected) {
  return reply ? check(reply->text(), expected, {}) : check("", expected, reply.error());
}

bool ask(const Client& client) {
  const bool first = check(client.chat.create(question("first")), "first");
  const bool other = check(client.chat.create(question("other")), "other");
  const auto told = client.chat.stream(question("first")).collect();
  return check(told.response.text(), "first first", told.error) && first && other;
}

bool ask_on_loop(const Client& client) {
  auto first = client.chat.start(question("first"));
  auto other = client.chat.start(question("other"));
  const auto told = client.chat.open(question("other")).collect().get();
  const bool streamed = check(told.response.text(), "other other", told.error);
  const bool answered = check(first.get(), "first");
  return check(other.get(), "other") && answered && streamed;
}

void fail_each(const ClientOptions& options, bool (*run)(const Client&)) {
  REQUIRE(run(Client(options)));
  const auto files = open_files();
  int failures = 0;
  for (const auto fault : faults) {
    bool failed = true;
    for (int at = 1; failed; ++at) {
      CAPTURE(static_cast<int>(fault.call), fault.error, at);
      REQUIRE(at < 1000);
      {
        const Client client(options);
        arm(fault, at);
        run(client);
        failed = disarm();
        failures += failed ? 1 : 0;
        CHECK(run(client));
      }
      CHECK(eventually([files] { return open_files() == files; }));
    }
  }
  CHECK(failures > 30);
}

}  // namespace

TEST_CASE("any system call of a blocking call may fail") {
  const ServerProcess server(&echo);
  REQUIRE(server.works());
  fail_each(options_at(server.url()), &ask);
}

TEST_CASE("any system call of a call on the event loop may fail") {
  const ServerProcess server(&echo);
  REQUIRE(server.works());
  fail_each(options_at(server.url()), &ask_on_loop);
}

TEST_CASE("any system call of a call over TLS may fail") {
  const auto certificate = make_certificate();
  if (!certificate) {
    WARN("not tested: " << certificate.error().detail);
    return;
  }
  const ServerProcess server(&echo, {.certificate = *certificate});
  REQUIRE(server.works());
  auto options = options_at(server.url());
  options.network.ca_pem = certificate->pem;
  fail_each(options, &ask);
  fail_each(options, &ask_on_loop);
}

TEST_CASE("a batch whose checkpoint cannot be read to its end sends no request again") {
  const std::vector<chat::Request> requests(50, question("first"));
  const ServerProcess server(&echo);
  const Client client(options_at(server.url()));
  const TemporaryFile file;
  const BatchOptions options{.checkpoint = file.path()};
  for (const auto& reply : chat::create_all(client, requests, options)) REQUIRE(reply);
  const auto before = file.content();
  bool failed = true;
  for (int at = 1; failed; ++at) {
    CAPTURE(at);
    arm({Call::read, EIO}, at);
    const auto replies = chat::create_all(client, requests, options);
    failed = disarm();
    CHECK((replies.back() || replies.back().error().kind == ErrorKind::config));
    REQUIRE(file.content() == before);
  }
}
